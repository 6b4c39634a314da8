/** The engine's thread as the host sees it: started by whoever needs it first, told of every change of the settings. */
import { type Disposable, EventEmitter, type LogOutputChannel } from "vscode";
import { EngineClient } from "../panel/engineClient.js";
import type { Errand, LiveStatus, Query, SessionChange } from "../panel/engineMessages.js";
import type { PanelDelta, ToHost, ToPage } from "../protocol/messages.js";
import type { Configuration } from "./config.js";
import { Disposables } from "./lifecycle.js";
import type { Roots } from "./roots.js";

/** What looks at a session through the engine. */
export interface Looker {
  take(message: ToPage): void;
  /** Something the engine cannot do itself; the answer goes back to the page. */
  errand(errand: Errand): Promise<unknown>;
}

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
      page: (panel, message) => this.#links.get(panel)?.take(message),
      errand: errand => void this.#runErrand(errand),
      live: status => this.#live.fire(status),
      notice: line => this.#log.warn(line),
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

  /** Follows a session and tells of its changes. */
  watch(session: string, changed: (change: SessionChange) => void): Disposable {
    return { dispose: this.start().watch(session, changed) };
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
  #wanted: Extract<ToHost, { type: "select" }> | undefined;
  #shown: string | undefined;

  constructor(looker: Looker, send: (message: ToHost) => void, close: () => void) {
    this.looker = looker;
    this.#send = send;
    this.#close = close;
  }

  send(message: ToHost): void {
    if (message.type === "select") this.#wanted = message;
    else if (message.type === "follow" && message.on) this.#wanted = undefined;
    this.#send(message);
  }

  take(message: ToPage): void {
    if (message.type === "snapshot") this.#insist(message.state);
    else if (message.type === "delta") this.#insist(message.delta);
    this.looker.take(message);
  }

  /**
   * The engine selects only what it has found: a log that was just written may be found a moment later. And an engine
   * that had to be started again knows nothing of what was selected.
   */
  #insist({ selected, sessions }: Pick<PanelDelta, "selected" | "sessions">): void {
    if (selected !== undefined) this.#shown = selected?.session;
    const wanted = this.#wanted;
    if (wanted === undefined || wanted.session === this.#shown) return;
    if (sessions?.some(({ key }) => key === wanted.session)) this.#send(wanted);
  }

  close(): void {
    this.#close();
  }
}
