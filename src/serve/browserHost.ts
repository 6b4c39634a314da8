/** The host of pages in a browser: does what the engine cannot. Settings apply to this run, in all tabs. */
import type { EngineClient } from "../engine/engineClient.js";
import type { EngineConfig } from "../engine/engineMessages.js";
import { handle, type Reply, replyTo } from "../protocol/channel.js";
import type { ToHost } from "../protocol/messages.js";
import type { ReportFormat } from "../protocol/reportFormats.js";
import type { Handlers, HostRequests } from "../protocol/requests.js";
import { isForHost } from "../protocol/validate.js";
import type { LiveHints } from "./liveHintsSwitch.js";
import type { TabHost } from "./tabs.js";

export interface BrowserHostParts {
  readonly engine: Pick<EngineClient, "configure" | "fromPage" | "closed">;
  reply(panel: number, reply: Reply): void;
  /** Starts the sample if it is not running yet. */
  sample(): { readonly folder: string; readonly log: string };
  readonly liveHints: Pick<LiveHints, "state" | "offer" | "accept">;
  report(config: EngineConfig, format: ReportFormat, signal: AbortSignal): Promise<Iterable<string>>;
}

export class BrowserHost implements TabHost {
  readonly #parts: BrowserHostParts;
  #config: EngineConfig;
  #reporting = false;

  readonly #handlers: Handlers<HostRequests, [panel: number]> = {
    setCapacity: ({ capacity }) => this.#change({ settings: { ...this.#config.settings, capacity } }),
    setAxis: ({ axis }) => this.#change({ axis }),
    openSample: (_, panel) => this.#openSample(panel),
    openSettings: () => {
      throw new Error("the page has no settings; restart with other options: see dedup-inspector open --help");
    },
    // The page does these itself, or does not offer them in a browser.
    openCall: notInBrowser,
    openComparison: notInBrowser,
    openLogLine: notInBrowser,
    exportReport: notInBrowser,
    turnLiveHints: notInBrowser,
    offerLiveHints: ({ on }) => this.#parts.liveHints.offer(on),
    acceptLiveHints: async ({ offer, place }) => {
      await this.#parts.liveHints.accept(offer, place);
      this.#change({});
    },
  };

  constructor(parts: BrowserHostParts, config: EngineConfig) {
    this.#parts = parts;
    this.#config = config;
    this.#change({});
  }

  fromPage(panel: number, message: ToHost): void {
    switch (message.type) {
      case "request": {
        const { id, ask } = message;
        if (!isForHost(ask)) return this.#parts.engine.fromPage(panel, { type: "request", id, ask });
        const answered = replyTo(id, () => handle(this.#handlers, ask, panel));
        return void answered.then(reply => this.#parts.reply(panel, reply));
      }
      case "selected":
        // There are no commands outside the page.
        return;
      case "ready":
        // Live hints may have been turned on or off on the command line while the user was elsewhere.
        if (this.#parts.liveHints.state !== this.#config.liveHints) this.#change({});
        return this.#parts.engine.fromPage(panel, message);
      default:
        this.#parts.engine.fromPage(panel, message);
    }
  }

  closed(panel: number): void {
    this.#parts.engine.closed(panel);
  }

  /** Searches these folders too. */
  addRoots(found: readonly string[]): void {
    const { roots } = this.#config;
    const others = found.filter(root => !roots.includes(root));
    if (others.length > 0) this.#change({ roots: [...others, ...roots] });
  }

  /** One at a time: it loads all logs into memory. */
  async report(format: ReportFormat, signal: AbortSignal): Promise<Iterable<string>> {
    if (this.#reporting) throw new Error("a report is already being created");
    this.#reporting = true;
    try {
      return await this.#parts.report(this.#config, format, signal);
    } finally {
      this.#reporting = false;
    }
  }

  #change(change: Partial<EngineConfig>): void {
    this.#config = { ...this.#config, ...change, liveHints: this.#parts.liveHints.state };
    this.#parts.engine.configure(this.#config);
  }

  #openSample(panel: number): void {
    const { folder, log } = this.#parts.sample();
    const { roots } = this.#config;
    if (!roots.includes(folder)) this.#change({ roots: [...roots, folder], sample: log });
    this.#parts.engine.fromPage(panel, { type: "select", session: log });
  }
}

function notInBrowser(): never {
  throw new Error("not available in a browser");
}
