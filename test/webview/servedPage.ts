import { inject } from "vitest";
import { replyTo } from "../../src/protocol/channel.js";
import type { PanelState, ToHost } from "../../src/protocol/messages.js";
import { packState } from "../../src/protocol/packing.js";
import { PageServer, SERVER_LIMITS, type ServerOptions } from "../../src/serve/server.js";
import { connected, TestPage } from "./page.js";
import { answerFromSample } from "./scenes.js";
import { panelState, sampleLog } from "./states.js";

/** The page as `dedup-inspector open` serves it: the real server, with an engine that always shows the sample. */
export class ServedPage {
  /** What the engine was sent. */
  received: ToHost[] = [];
  /** Errors in the page. */
  readonly problems: string[] = [];
  /** What differs from the sample's own state. */
  shown: Partial<PanelState> = {};
  report: ServerOptions["report"] = async () => ['{"schema":1}'];
  server!: PageServer;
  opened!: TestPage;

  static async open(): Promise<ServedPage> {
    const served = new ServedPage();
    await served.serve();
    const context = await (await connected()).newContext({ viewport: { width: 1200, height: 700 } });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on("console", message => message.type() === "error" && served.problems.push(message.text()));
    page.on("pageerror", error => served.problems.push(String(error)));
    served.opened = new TestPage(page);
    await page.goto(served.server.address);
    await served.isShown();
    return served;
  }

  async serve(port = 0): Promise<void> {
    let seq = 0;
    const server: PageServer = await PageServer.start({
      port,
      assets: inject("built"),
      report: (format, signal) => this.report(format, signal),
      limits: { ...SERVER_LIMITS, heartbeatMs: 20 },
      host: {
        closed: () => {},
        fromPage: (panel, message) => {
          this.received.push(message);
          if (message.type === "ready") {
            server.tabs.send(panel, {
              type: "snapshot",
              seq: ++seq,
              state: packState(panelState(sampleLog(), { place: "browser", ...this.shown })),
            });
          } else if (message.type === "request") {
            const replied = replyTo(message.id, () => answerFromSample(message.ask));
            void replied.then(reply => server.tabs.send(panel, reply));
          }
        },
      },
    });
    this.server = server;
  }

  /** Waits until the session is on the page. */
  isShown(): Promise<void> {
    return this.opened.page.locator(".event-row").first().waitFor();
  }

  async reload(): Promise<void> {
    await this.opened.page.reload();
    await this.isShown();
  }

  async close(): Promise<void> {
    await this.opened.close();
    await this.server.close();
  }
}
