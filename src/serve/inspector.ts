/** The inspector without VS Code: engine, server and the host of their pages. */
import { join } from "node:path";
import { SHOWN_ROWS } from "../cli/askedReport.js";
import { reportText } from "../cli/reportText.js";
import { detailsOf, reportOfAll } from "../engine/compare/allSessions.js";
import { EngineClient } from "../engine/engineClient.js";
import type { EngineConfig } from "../engine/engineMessages.js";
import { messageOf, type Reply } from "../protocol/channel.js";
import type { ReportFormat } from "../protocol/reportFormats.js";
import { BrowserHost } from "./browserHost.js";
import { TICKET_MS } from "./guard.js";
import { browserCommand, Handover, runBrowser } from "./handover.js";
import { LiveHints } from "./liveHintsSwitch.js";
import { SampleReplay } from "./sampleReplay.js";
import { PageServer } from "./server.js";

const SEARCH_AGAIN_MS = 3000;

export interface InspectorOptions {
  readonly port: number;
  readonly config: Omit<EngineConfig, "place">;
  /** Folders to search that may not exist at first: Claude Code creates one when it first runs with it. */
  laterRoots(): readonly string[];
  /** The folder that it was started in: live hints can be turned on just for it. */
  readonly project: string;
  /** The folder with the built page and the live hints program. */
  readonly assets: string;
  /** The sample session's log. */
  readonly samplePath: string;
  /** Show the sample from the start. */
  readonly withSample: boolean;
  /** One line for the user. */
  notice(line: string): void;
}

export class Inspector {
  readonly #server: PageServer;
  readonly #engine: EngineClient;
  readonly #host: BrowserHost;
  readonly #options: InspectorOptions;
  readonly #search: NodeJS.Timeout;
  #handover: Handover | undefined;
  #sample: SampleReplay | undefined;

  private constructor(server: PageServer, options: InspectorOptions) {
    const { withSample, config, notice } = options;
    this.#server = server;
    this.#options = options;
    const sample = withSample ? this.#playSample() : undefined;
    const roots = sample === undefined ? config.roots : [...config.roots, sample.folder];
    this.#engine = new EngineClient({
      page: (panel, message) => server.tabs.send(panel, message),
      live: () => {},
      notice,
    });
    const parts = {
      engine: this.#engine,
      reply: (panel: number, reply: Reply) => server.tabs.send(panel, reply),
      report: async (of: EngineConfig, format: ReportFormat, signal: AbortSignal) => {
        const report = await reportOfAll(of, { signal, sampleMayStandIn: true });
        const areHintsOn = of.liveHints !== undefined && of.liveHints !== "off";
        return reportText(report, format, SHOWN_ROWS, files => detailsOf(files, of, signal), areHintsOn);
      },
      sample: () => this.#playSample(),
      liveHints: new LiveHints({
        project: options.project,
        shipped: join(options.assets, "hook.js"),
        sessions: () => this.#engine.ask({ method: "sessions" }),
      }),
    };
    this.#host = new BrowserHost(parts, { ...config, roots, sample: sample?.log, place: "browser" });
    this.#search = setInterval(() => this.#host.addRoots(options.laterRoots()), SEARCH_AGAIN_MS);
  }

  static async start(options: InspectorOptions): Promise<Inspector> {
    // The port comes first: if it is taken, nothing else has been started.
    const server = await PageServer.start({
      port: options.port,
      assets: options.assets,
      host: {
        fromPage: (panel, message) => inspector.#host.fromPage(panel, message),
        closed: panel => inspector.#host.closed(panel),
      },
      report: (format, signal) => inspector.#host.report(format, signal),
      ticketUsed: times => inspector.#ticketUsed(times),
    });
    let inspector: Inspector;
    try {
      inspector = new Inspector(server, options);
    } catch (error) {
      await server.close();
      throw error;
    }
    return inspector;
  }

  get address(): string {
    return this.#server.address;
  }

  /** Opens the page in the user's browser, if there is one. */
  openBrowser(): void {
    const command = browserCommand(process.platform, process.env);
    if (command === undefined) return;
    try {
      const handover = new Handover(this.#server.ticketAddress(), TICKET_MS);
      this.#handover = handover;
      runBrowser(command, handover.address, () => handover.end());
    } catch (error) {
      this.#options.notice(`could not open the page in a browser: ${messageOf(error)}`);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#search);
    this.#handover?.end();
    await this.#server.close();
    await this.#engine.stop();
    this.#sample?.stop();
  }

  #ticketUsed(times: "once" | "twice"): void {
    this.#handover?.end();
    if (times === "once") return;
    this.#options.notice(
      "the page was opened twice with an address that is valid only once. The first visitor, who may not have been you, " +
        "has been disconnected. Open the address printed above.",
    );
  }

  #playSample(): SampleReplay {
    this.#sample ??= new SampleReplay(this.#options.samplePath);
    return this.#sample;
  }
}
