/** What the engine cannot do itself, done for a page in a browser. Settings hold for this run and for all its tabs. */

import type { EngineClient } from "../engine/engineClient.js";
import type { EngineConfig, Errand, LogLineText, Query } from "../engine/engineMessages.js";
import type { Report } from "../inspect/report.js";

export type ErrandEngine = Pick<EngineClient, "configure" | "fromPage" | "ask" | "reply" | "fail">;

export interface ErrandMeans {
  readonly engine: ErrandEngine;
  /** Starts the sample where it is not running yet; gives its log and the folder that log lies in. */
  sample(): { readonly folder: string; readonly log: string };
  report(config: EngineConfig): Promise<Report>;
}

export class Errands {
  readonly #means: ErrandMeans;
  #config: EngineConfig;
  #reporting = false;

  constructor(means: ErrandMeans, config: EngineConfig) {
    this.#means = means;
    this.#config = config;
    means.engine.configure(config);
  }

  async run(errand: Errand): Promise<void> {
    const { engine } = this.#means;
    try {
      engine.reply(errand, (await this.#do(errand)) ?? null);
    } catch (error) {
      engine.fail(errand, (error as Error).message);
    }
  }

  /** One at a time: it takes all the logs into memory. */
  async report(): Promise<Report> {
    if (this.#reporting) throw new Error("a report is already being created");
    this.#reporting = true;
    try {
      return await this.#means.report(this.#config);
    } finally {
      this.#reporting = false;
    }
  }

  #do(errand: Errand): unknown {
    const { ask } = errand;
    switch (ask.method) {
      case "openCall":
        return { row: ask.row };
      case "compare":
        return this.#means.engine.ask({ name: "compare", ...lookedAt(errand), row: ask.row, strategy: ask.strategy });
      case "openLogLine":
        return this.#logLine({ name: "logLine", ...lookedAt(errand), row: ask.row });
      case "setCapacity":
        return this.#change({ settings: { ...this.#config.settings, capacity: ask.capacity } });
      case "setAxis":
        return this.#change({ axis: ask.axis });
      case "openSample":
        return this.#sample(errand.panel);
      case "openSettings":
        throw new Error("no settings in a browser: see dedup-inspector open --help for the options");
      default:
        throw new Error("not available in a browser");
    }
  }

  async #logLine(query: Query): Promise<string> {
    return ((await this.#means.engine.ask(query)) as LogLineText).text;
  }

  #change(change: Partial<EngineConfig>): void {
    this.#config = { ...this.#config, ...change };
    this.#means.engine.configure(this.#config);
  }

  #sample(panel: number): void {
    const { folder, log } = this.#means.sample();
    const { roots } = this.#config;
    if (!roots.includes(folder)) this.#change({ roots: [...roots, folder], sample: log });
    this.#means.engine.fromPage(panel, { type: "select", session: log });
  }
}

function lookedAt({ session, context }: Errand): Pick<Errand, "session" | "context"> {
  return { session, context };
}
