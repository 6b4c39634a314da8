/** The engine's thread, seen from the program that owns it. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { PackedState, ToHost, ToPage } from "../protocol/messages.js";
import type { EngineConfig, Errand, FromEngine, LiveStatus, Query, SessionChange, ToEngine } from "./engineMessages.js";

export interface EngineEvents {
  /** To be handed to the page. */
  page(panel: number, message: ToPage): void;
  /** Something the engine cannot do itself: answer it with `reply` or `fail`. */
  errand(errand: Errand): void;
  live(status: LiveStatus): void;
  /** One line for the log that a user may read. */
  notice(line: string): void;
}

/** An engine that fails again at once is started again later and later. */
const RESTART_MS = 250;
const MOST_RESTART_MS = 30_000;
const LONG_LIFE_MS = 60_000;

interface OpenPage {
  visible: boolean;
  looksAt: Pick<PackedState, "selected" | "following"> | undefined;
}

export class EngineClient {
  readonly #events: EngineEvents;
  readonly #pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  readonly #watches = new Map<number, { readonly session: string; changed(change: SessionChange): void }>();
  #worker: Worker;
  #config: EngineConfig | undefined;
  #lastId = 0;
  #stopped = false;
  #restartMs = RESTART_MS;
  #startedAt = 0;
  /** The open pages: a new engine must hear of them. */
  readonly #pages = new Map<number, OpenPage>();

  constructor(events: EngineEvents) {
    this.#events = events;
    this.#worker = this.#start();
  }

  configure(config: EngineConfig): void {
    this.#config = config;
    this.#send({ type: "configure", config });
  }

  /** A message that came from a page, already validated. */
  fromPage(panel: number, message: ToHost): void {
    const page = this.#pages.get(panel) ?? { visible: false, looksAt: undefined };
    if (message.type === "ready") page.visible = true;
    else if (message.type === "hidden") page.visible = false;
    this.#pages.set(panel, page);
    this.#send({ type: "page", panel, message });
  }

  closed(panel: number): void {
    this.#pages.delete(panel);
    this.#send({ type: "closed", panel });
  }

  ask(query: Query): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ type: "query", id, query });
    });
  }

  /** Follows a session until the given end is called; its changes are told. */
  watch(session: string, changed: (change: SessionChange) => void): () => void {
    const id = ++this.#lastId;
    this.#watches.set(id, { session, changed });
    this.#send({ type: "watch", id, session });
    return () => {
      if (this.#watches.delete(id)) this.#send({ type: "unwatch", id });
    };
  }

  reply(errand: Errand, result: unknown): void {
    this.#events.page(errand.panel, { type: "reply", id: errand.id, result });
  }

  fail(errand: Errand, message: string): void {
    this.#events.page(errand.panel, { type: "failure", id: errand.id, message });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#rejectPending("the engine has stopped");
    this.#send({ type: "stop" });
    await this.#worker.terminate();
  }

  #send(message: ToEngine): void {
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    this.#startedAt = Date.now();
    const worker = new Worker(join(__dirname, "engineWorker.js"));
    worker.on("message", (message: FromEngine) => this.#take(message));
    worker.on("error", error => this.#events.notice(`the engine failed: ${error.stack ?? error.message}`));
    worker.on("exit", () => this.#restart());
    return worker;
  }

  /** A crash costs the pages nothing but a moment: they are told everything anew. */
  #restart(): void {
    if (this.#stopped) return;
    this.#rejectPending("the engine was restarted");
    const livedLong = Date.now() - this.#startedAt > LONG_LIFE_MS;
    this.#restartMs = livedLong ? RESTART_MS : Math.min(MOST_RESTART_MS, this.#restartMs * 2);
    setTimeout(() => {
      if (this.#stopped) return;
      this.#worker = this.#start();
      if (this.#config !== undefined) this.configure(this.#config);
      for (const [panel, page] of this.#pages) this.#restore(panel, page);
      for (const [id, { session, changed }] of this.#watches) {
        this.#send({ type: "watch", id, session });
        changed("anew");
      }
    }, this.#restartMs);
  }

  /** The page finds what it looked at, and follows the live session only if it did. */
  #restore(panel: number, { visible, looksAt }: OpenPage): void {
    const tell = (message: ToHost) => this.#send({ type: "page", panel, message });
    if (looksAt?.selected) tell({ type: "select", ...looksAt.selected });
    if (looksAt !== undefined) tell({ type: "follow", on: looksAt.following });
    if (visible) tell({ type: "ready" });
  }

  #rejectPending(reason: string): void {
    for (const { reject } of this.#pending.values()) reject(new Error(reason));
    this.#pending.clear();
  }

  #tellPage(panel: number, message: ToPage): void {
    const page = this.#pages.get(panel);
    if (message.type === "snapshot" && page !== undefined) {
      const { selected, following } = message.state;
      page.looksAt = { selected, following };
    }
    this.#events.page(panel, message);
  }

  #take(message: FromEngine): void {
    if (message.type === "page") this.#tellPage(message.panel, message.message);
    else if (message.type === "errand") this.#events.errand(message.errand);
    else if (message.type === "live") this.#events.live(message.status);
    else if (message.type === "changed") this.#watches.get(message.id)?.changed(message.change);
    else if (message.type === "notice") this.#events.notice(message.line);
    else {
      const waiting = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.problem === undefined) waiting?.resolve(message.result);
      else waiting?.reject(new Error(message.problem));
    }
  }
}
