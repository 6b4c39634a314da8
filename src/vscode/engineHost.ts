/** The engine's thread in VS Code: started on first use, and notified of every change of the settings. */
import { type Disposable, EventEmitter, type LogOutputChannel, l10n } from "vscode";
import { EngineClient, type EngineEvents, type PageToEngine } from "../engine/engineClient.js";
import type { LiveStatus, SessionChange } from "../engine/engineMessages.js";
import type { ToPage } from "../protocol/messages.js";
import type { AnswerTo, Ask, ContextRef, ContextRequests, LibraryRequests } from "../protocol/requests.js";
import type { Configuration } from "./config.js";
import { Disposables } from "./lifecycle.js";
import type { Roots } from "./roots.js";

/** One page's connection to the engine. */
export interface EngineLink {
  send(message: PageToEngine): void;
  close(): void;
}

export class EngineHost implements Disposable {
  readonly #parts = new Disposables();
  readonly #live = this.#parts.add(new EventEmitter<LiveStatus>());
  readonly onDidChangeLive = this.#live.event;
  readonly #configured = this.#parts.add(new EventEmitter<void>());
  /** Requests from now on are answered under the new settings. */
  readonly onDidConfigure = this.#configured.event;
  readonly #log: LogOutputChannel;
  readonly #config: Configuration;
  readonly #roots: Roots;
  readonly #pages = new Map<number, (message: ToPage) => void>();
  #client: EngineClient | undefined;
  #lastPanel = 0;
  #searched = "";

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
    const events: EngineEvents = {
      page: (panel, message) => this.#pages.get(panel)?.(message),
      live: status => this.#live.fire(status),
      notice: line => this.#log.warn(line),
    };
    const client = new EngineClient(events, l10n.bundle);
    this.#client = client;
    try {
      this.#configure();
    } catch (error) {
      // Without settings, it would find no sessions and never say why.
      this.#client = undefined;
      void client.stop();
      throw error;
    }
    this.#log.info(`engine started in ${Math.round(performance.now() - startedAt)} ms`);
    return client;
  }

  /** Connects a page; `take` receives everything that the engine sends it. */
  connect(take: (message: ToPage) => void): EngineLink {
    const client = this.start();
    const panel = ++this.#lastPanel;
    this.#pages.set(panel, take);
    return {
      send: message => client.fromPage(panel, message),
      close: () => {
        this.#pages.delete(panel);
        client.closed(panel);
      },
    };
  }

  ask<A extends Ask<LibraryRequests>>(ask: A): Promise<AnswerTo<LibraryRequests, A>> {
    return this.start().ask(ask);
  }

  askAbout<A extends Ask<ContextRequests>>(context: ContextRef, ask: A): Promise<AnswerTo<ContextRequests, A>> {
    return this.start().askAbout(context, ask);
  }

  /** Follows a session and reports its changes. */
  watch(session: string, changed: (change: SessionChange) => void): Disposable {
    return { dispose: this.start().watch(session, changed) };
  }

  #configure(): void {
    const config = this.#config.forEngine;
    const roots = config.roots.join(", ");
    if (this.#client !== undefined && roots !== this.#searched) this.#log.info(`searching for sessions in ${roots}`);
    this.#searched = roots;
    this.#client?.configure(config);
    this.#configured.fire();
    this.#roots.awaitMissing();
  }

  /** For tests. */
  crash(): void {
    this.start().crash();
  }

  dispose(): void {
    this.#parts.dispose();
    void this.#client?.stop();
  }
}
