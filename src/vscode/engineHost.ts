/** The engine's thread as the host sees it: started by whoever needs it first, told of every change of the settings. */
import { type Disposable, EventEmitter, type LogOutputChannel } from "vscode";
import { EngineClient } from "../engine/engineClient.js";
import type { Errand, LiveStatus, Query, SessionChange } from "../engine/engineMessages.js";
import type { ToHost, ToPage } from "../protocol/messages.js";
import type { Configuration } from "./config.js";
import { Disposables } from "./lifecycle.js";
import type { Roots } from "./roots.js";

/** What looks at a session through the engine. */
export interface Looker {
  take(message: ToPage): void;
  /** Something the engine cannot do itself; the answer goes back to the page. */
  errand(errand: Errand): Promise<unknown>;
}

/** One looker's line to the engine. */
export interface EngineLink {
  send(message: ToHost): void;
  close(): void;
}

export class EngineHost implements Disposable {
  readonly #parts = new Disposables();
  readonly #live = this.#parts.add(new EventEmitter<LiveStatus>());
  readonly onDidChangeLive = this.#live.event;
  readonly #configured = this.#parts.add(new EventEmitter<void>());
  /** What is asked from now on is answered under other settings. */
  readonly onDidConfigure = this.#configured.event;
  readonly #log: LogOutputChannel;
  readonly #config: Configuration;
  readonly #roots: Roots;
  readonly #lookers = new Map<number, Looker>();
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
      page: (panel, message) => this.#lookers.get(panel)?.take(message),
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
    this.#lookers.set(panel, looker);
    return {
      send: message => client.fromPage(panel, message),
      close: () => {
        this.#lookers.delete(panel);
        client.closed(panel);
      },
    };
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
    this.#configured.fire();
    this.#roots.awaitOwn();
  }

  async #runErrand(errand: Errand): Promise<void> {
    const client = this.#client;
    try {
      const result = await this.#lookers.get(errand.panel)?.errand(errand);
      client?.reply(errand, result ?? null);
    } catch (error) {
      client?.fail(errand, (error as Error).message);
    }
  }

  /** For tests: no engine can replay a session under no settings. */
  crash(): void {
    this.start().configure({ ...this.#config.forEngine, settings: null as never });
    this.#configure();
  }

  dispose(): void {
    this.#parts.dispose();
    void this.#client?.stop();
  }
}
