/** The inspector as a program of its own: engine, server and errands, put together. */
import { reportOfAll } from "../panel/allSessions.js";
import { EngineClient } from "../panel/engineClient.js";
import type { EngineConfig } from "../panel/engineMessages.js";
import { Errands } from "./errands.js";
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
  readonly #samplePath: string;
  #sample: SampleReplay | undefined;

  private constructor(server: PageServer, { samplePath, withSample, config, notice }: InspectorOptions) {
    this.#server = server;
    this.#samplePath = samplePath;
    const roots = withSample ? [...config.roots, this.#playSample().folder] : config.roots;
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
    this.#errands = new Errands(means, { ...config, roots, place: "browser" });
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

  ticketAddress(): string {
    return this.#server.ticketAddress();
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#engine.stop();
    this.#sample?.stop();
  }

  #playSample(): SampleReplay {
    this.#sample ??= new SampleReplay(this.#samplePath);
    return this.#sample;
  }
}
