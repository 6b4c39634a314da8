/** The engine's thread as the host sees it: started by whoever needs it first, told of every change of the settings. */
import { type Disposable, EventEmitter, type LogOutputChannel } from "vscode";
import { EngineClient } from "../panel/engineClient.js";
import type { Errand, LiveStatus, Query } from "../panel/engineMessages.js";
import type { ToHost, ToPage } from "../protocol/messages.js";
import type { Configuration } from "./config.js";
import { Disposables } from "./lifecycle.js";
import type { Roots } from "./roots.js";

/** What looks at a session through the engine: a page, or the reader behind a transcript. */
export interface Looker {
  take(message: ToPage): void;
  /** Something the engine cannot do itself; the answer goes back to the page. */
  errand(errand: Errand): Promise<unknown>;
}

/** How long a failed thread may take until its successor listens. */
const RESTART_MS = 200;
const FAILED = "the engine failed";

export class EngineHost implements Disposable {
  readonly #parts = new Disposables();
  readonly #live = this.#parts.add(new EventEmitter<LiveStatus>());
  readonly onDidChangeLive = this.#live.event;
  readonly #log: LogOutputChannel;
  readonly #config: Configuration;
  readonly #roots: Roots;
  readonly #links = new Map<number, EngineLink>();
  #client: EngineClient | undefined;
  #lastPanel = 0;

  constructor(log: LogOutputChannel, config: Configuration, roots: Roots) {
    this.#log = log;
    this.#config = config;
    this.#roots = roots;
    this.#parts.add(config.onDidChange(() => this.#configure()));
  }

  get isRunning(): boolean {
    return this.#client !== undefined;
  }

  start(): EngineClient {
    if (this.#client !== undefined) return this.#client;
    const startedAt = performance.now();
    this.#client = new EngineClient({
      page: (panel, message) => this.#links.get(panel)?.looker.take(message),
      errand: errand => void this.#runErrand(errand),
      live: status => this.#live.fire(status),
      notice: line => this.#notice(line),
    });
    this.#configure();
    this.#log.info(`engine started in ${Math.round(performance.now() - startedAt)} ms`);
    return this.#client;
  }

  open(looker: Looker): EngineLink {
    const client = this.start();
    const panel = ++this.#lastPanel;
    const link = new EngineLink(
      looker,
      message => client.fromPage(panel, message),
      () => {
        this.#links.delete(panel);
        client.closed(panel);
      },
    );
    this.#links.set(panel, link);
    return link;
  }

  ask(query: Query): Promise<unknown> {
    return this.start().ask(query);
  }

  #configure(): void {
    this.#client?.configure(this.#config.forEngine);
    this.#roots.awaitOwn();
  }

  async #runErrand(errand: Errand): Promise<void> {
    const client = this.#client;
    try {
      const result = await this.#links.get(errand.panel)?.looker.errand(errand);
      client?.reply(errand, result ?? null);
    } catch (error) {
      client?.fail(errand, (error as Error).message);
    }
  }

  /** After a failure the client has started a new thread, which knows of no panel: each link tells it again. */
  #notice(line: string): void {
    this.#log.warn(line);
    if (!line.startsWith(FAILED)) return;
    const timer = setTimeout(() => {
      for (const link of this.#links.values()) link.tellAgain();
    }, RESTART_MS);
    this.#parts.add({ dispose: () => clearTimeout(timer) });
  }

  dispose(): void {
    this.#parts.dispose();
    void this.#client?.stop();
  }
}

/** One looker's line to the engine. */
export class EngineLink {
  readonly looker: Looker;
  readonly #send: (message: ToHost) => void;
  readonly #close: () => void;
  #selection: ToHost | undefined;
  #following: ToHost | undefined;
  #visible = false;

  constructor(looker: Looker, send: (message: ToHost) => void, close: () => void) {
    this.looker = looker;
    this.#send = send;
    this.#close = close;
  }

  send(message: ToHost): void {
    if (message.type === "select") this.#selection = message;
    else if (message.type === "follow") this.#following = message;
    else if (message.type === "ready" || message.type === "hidden") this.#visible = message.type === "ready";
    this.#send(message);
  }

  tellAgain(): void {
    if (this.#selection !== undefined) this.#send(this.#selection);
    if (this.#following !== undefined) this.#send(this.#following);
    if (this.#visible) this.#send({ type: "ready" });
  }

  close(): void {
    this.#close();
  }
}
