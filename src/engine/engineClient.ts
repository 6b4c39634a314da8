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

const STOPPED = "the engine has stopped";
/** What questions end with that were open when an engine failed: one of them may be the reason, so none is repeated. */
const FAILED = "the engine failed and is being restarted: please try again";

interface OpenPage {
  visible: boolean;
  looksAt: Pick<PackedState, "selected" | "following"> | undefined;
  /** Its requests that the engine has not answered yet. */
  readonly requests: Set<number>;
}

export class EngineClient {
  readonly #events: EngineEvents;
  readonly #pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  readonly #watches = new Map<number, { readonly session: string; changed(change: SessionChange): void }>();
  /** Undefined from the moment an engine has failed until the next one is started. */
  #worker: Worker | undefined;
  /** What was said meanwhile, as far as the next engine would not hear of it otherwise. */
  #waiting: ToEngine[] = [];
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
    const page = this.#pages.get(panel) ?? { visible: false, looksAt: undefined, requests: new Set() };
    if (message.type === "ready") page.visible = true;
    else if (message.type === "hidden") page.visible = false;
    else if (message.type === "request") page.requests.add(message.id);
    this.#pages.set(panel, page);
    this.#send({ type: "page", panel, message });
  }

  closed(panel: number): void {
    this.#pages.delete(panel);
    this.#waiting = this.#waiting.filter(message => message.type !== "page" || message.panel !== panel);
    this.#send({ type: "closed", panel });
  }

  ask(query: Query): Promise<unknown> {
    if (this.#stopped) return Promise.reject(new Error(STOPPED));
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
    this.#rejectPending(STOPPED);
    this.#send({ type: "stop" });
    await this.#worker?.terminate();
  }

  #send(message: ToEngine): void {
    if (this.#worker !== undefined) this.#worker.postMessage(message);
    else if (mustWait(message)) this.#waiting.push(message);
  }

  #start(): Worker {
    this.#startedAt = Date.now();
    const worker = new Worker(join(__dirname, "engineWorker.js"));
    worker.on("message", (message: FromEngine) => this.#take(message));
    worker.on("error", error => {
      this.#events.notice(`the engine failed: ${error.stack ?? error.message}`);
      this.#ended(worker);
    });
    worker.on("exit", () => this.#ended(worker));
    return worker;
  }

  /** A crash costs the pages nothing but a moment: they are told everything anew. */
  #ended(worker: Worker): void {
    if (this.#stopped || this.#worker !== worker) return;
    this.#worker = undefined;
    this.#rejectPending(FAILED);
    for (const [panel, { requests }] of this.#pages) {
      for (const id of requests) this.#events.page(panel, { type: "failure", id, message: FAILED });
      requests.clear();
    }
    this.#restartLater();
  }

  #restartLater(): void {
    const livedLong = Date.now() - this.#startedAt > LONG_LIFE_MS;
    this.#restartMs = livedLong ? RESTART_MS : Math.min(MOST_RESTART_MS, this.#restartMs * 2);
    setTimeout(() => this.#restart(), this.#restartMs);
  }

  #restart(): void {
    if (this.#stopped) return;
    try {
      this.#worker = this.#start();
    } catch (error) {
      // No thread can be had just now.
      this.#events.notice(`could not start the engine: ${(error as Error).message}`);
      return this.#restartLater();
    }
    if (this.#config !== undefined) this.configure(this.#config);
    for (const [panel, page] of this.#pages) this.#restore(panel, page);
    for (const message of this.#waiting.splice(0)) this.#send(message);
    for (const [id, { session, changed }] of this.#watches) {
      this.#send({ type: "watch", id, session });
      changed("anew");
    }
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
    if ("id" in message) page?.requests.delete(message.id);
    this.#events.page(panel, message);
  }

  /** From here on the answer depends on the program around, and no longer on the engine. */
  #takeErrand(errand: Errand): void {
    this.#pages.get(errand.panel)?.requests.delete(errand.id);
    this.#events.errand(errand);
  }

  #take(message: FromEngine): void {
    if (message.type === "page") this.#tellPage(message.panel, message.message);
    else if (message.type === "errand") this.#takeErrand(message.errand);
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

/** Settings, open pages and watched sessions are told to every new engine; only these are said once. */
function mustWait(message: ToEngine): boolean {
  if (message.type === "page") return message.message.type !== "ready" && message.message.type !== "hidden";
  return message.type === "query";
}
