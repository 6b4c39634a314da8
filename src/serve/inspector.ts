/** The inspector as a program of its own: engine, server and errands, put together. */
import { reportJson } from "../cli/reportJson.js";
import { reportOfAll } from "../engine/compare/allSessions.js";
import { EngineClient } from "../engine/engineClient.js";
import type { EngineConfig } from "../engine/engineMessages.js";
import { browserCommand, runBrowser } from "./browser.js";
import { Errands } from "./errands.js";
import { TICKET_MS } from "./guard.js";
import { Handover } from "./handover.js";
import { SampleReplay } from "./sampleReplay.js";
import { PageServer } from "./server.js";

export interface InspectorOptions {
  readonly port: number;
  readonly config: Omit<EngineConfig, "place">;
  /** The folder with the built page. */
  readonly assets: string;
  /** The sample session's log. */
  readonly samplePath: string;
  /** Show the sample from the beginning. */
  readonly withSample: boolean;
  /** One line for the user. */
  notice(line: string): void;
}

export class Inspector {
  readonly #server: PageServer;
  readonly #engine: EngineClient;
  readonly #errands: Errands;
  readonly #options: InspectorOptions;
  #handover: Handover | undefined;
  #sample: SampleReplay | undefined;

  private constructor(server: PageServer, options: InspectorOptions) {
    const { withSample, config, notice } = options;
    this.#server = server;
    this.#options = options;
    const sample = withSample ? this.#playSample() : undefined;
    const roots = sample === undefined ? config.roots : [...config.roots, sample.folder];
    this.#engine = new EngineClient({
      page: (panel, message) => server.pages.send(panel, message),
      errand: errand => void this.#errands.run(errand),
      live: () => {},
      notice,
    });
    const means = {
      engine: this.#engine,
      report: (of: EngineConfig) => reportOfAll(of),
      sample: () => this.#playSample(),
    };
    this.#errands = new Errands(means, { ...config, roots, sample: sample?.log, place: "browser" });
  }

  static async start(options: InspectorOptions): Promise<Inspector> {
    // The port first: where it is taken, nothing else has been started.
    const server = await PageServer.start({
      port: options.port,
      assets: options.assets,
      engine: {
        fromPage: (panel, message) => inspector.#engine.fromPage(panel, message),
        closed: panel => inspector.#engine.closed(panel),
      },
      report: async () => reportJson(await inspector.#errands.report()),
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

  /** Opens the page in the user's browser, where there is one to open it in. */
  openBrowser(): void {
    const command = browserCommand(process.platform, process.env);
    if (command === undefined) return;
    try {
      const handover = new Handover(this.#server.ticketAddress(), TICKET_MS);
      this.#handover = handover;
      runBrowser(command, handover.address, () => handover.end());
    } catch (error) {
      this.#options.notice(`could not open the page in a browser: ${(error as Error).message}`);
    }
  }

  async close(): Promise<void> {
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
