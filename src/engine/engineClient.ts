/** The engine's thread as seen by its host. */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { messageOf, PendingRequests, replyTo, unknownMessage } from "../protocol/channel.js";
import type { PackedState, PageRequest, PanelMessage, PanelUpdate, ToPage } from "../protocol/messages.js";
import type {
  AnswerTo,
  Ask,
  ContextRef,
  ContextRequests,
  EngineRequests,
  HostRequests,
  LibraryRequests,
  PageAsk,
} from "../protocol/requests.js";
import { strings } from "../words/strings.js";
import { fill } from "../words/text.js";
import type { EngineConfig, FromEngine, LiveStatus, RequestTarget, SessionChange, ToEngine } from "./engineMessages.js";

export interface EngineEvents {
  /** For the page. */
  page(panel: number, message: ToPage): void;
  live(status: LiveStatus): void;
  /** One line for the log that users may read. */
  notice(line: string): void;
}

/** A page's messages, except those that its host handles. */
export type PageToEngine = PanelMessage | PageRequest<Exclude<PageAsk, Ask<HostRequests>>>;

/** An engine that keeps failing is restarted less and less often. */
const RESTART_MS = 250;
const MAX_RESTART_MS = 30_000;
const LONG_LIFE_MS = 60_000;

/** Without a limit, up to 48 MB of young objects wait to be collected while a long list is read. */
const LIMITS = { maxYoungGenerationSizeMb: 9 };

/** A stopping engine ends on its own and cleans up, unless it is busy for this long. */
const MAX_STOP_MS = 1000;

interface OpenPage {
  visible: boolean;
  shown: Pick<PackedState, "selected" | "following"> | undefined;
}

export class EngineClient {
  readonly #events: EngineEvents;
  readonly #translations: Readonly<Record<string, string>> | undefined;
  readonly #pending = new PendingRequests();
  readonly #watches = new Map<number, { readonly session: string; changed(change: SessionChange): void }>();
  /** Undefined from the moment an engine has failed until the next one has started. */
  #worker: Worker | undefined;
  /** Messages sent meanwhile that a new engine does not get anyway. */
  #waiting: ToEngine[] = [];
  #config: EngineConfig | undefined;
  #lastWatch = 0;
  #stopped = false;
  #restartMs = RESTART_MS;
  #startedAt = 0;
  /** A new engine gets the open pages. */
  readonly #pages = new Map<number, OpenPage>();

  /** `translations`: for the engine's thread, whose texts are its own. */
  constructor(events: EngineEvents, translations?: Readonly<Record<string, string>>) {
    this.#events = events;
    this.#translations = translations;
    this.#worker = this.#start();
  }

  configure(config: EngineConfig): void {
    // What cannot be sent fails here, not when an engine is restarted.
    this.#config = structuredClone(config);
    this.#send({ type: "configure", config: this.#config });
  }

  /** A message from a page, already validated. */
  fromPage(panel: number, message: PageToEngine): void {
    const page = this.#pages.get(panel) ?? { visible: false, shown: undefined };
    this.#pages.set(panel, page);
    if (message.type === "request") return void this.#answerPage(panel, page, message.id, message.ask);
    if (message.type === "ready") page.visible = true;
    else if (message.type === "hidden") page.visible = false;
    this.#send({ type: "page", panel, message });
  }

  closed(panel: number): void {
    this.#pages.delete(panel);
    this.#waiting = this.#waiting.filter(message => message.type !== "page" || message.panel !== panel);
    this.#send({ type: "closed", panel });
  }

  ask<A extends Ask<LibraryRequests>>(ask: A): Promise<AnswerTo<LibraryRequests, A>> {
    return this.#request(ask);
  }

  askAbout<A extends Ask<ContextRequests>>(
    { session, context }: ContextRef,
    ask: A,
  ): Promise<AnswerTo<ContextRequests, A>> {
    return this.#request(ask, { session, context });
  }

  /** Follows a session and reports its changes until the returned function is called. */
  watch(session: string, changed: (change: SessionChange) => void): () => void {
    const id = ++this.#lastWatch;
    this.#watches.set(id, { session, changed });
    this.#send({ type: "watch", id, session });
    return () => {
      if (this.#watches.delete(id)) this.#send({ type: "unwatch", id });
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#pending.rejectAll(strings.failures.engineStopped);
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise(resolve => worker.once("exit", resolve));
    worker.postMessage({ type: "stop" } satisfies ToEngine);
    await Promise.race([ended, wait(MAX_STOP_MS, undefined, { ref: false })]);
    await worker.terminate();
  }

  /** For tests: the thread ends as it does after an error. */
  crash(): void {
    void this.#worker?.terminate();
  }

  #request<A extends Ask<EngineRequests>>(ask: A, target?: RequestTarget): Promise<AnswerTo<EngineRequests, A>> {
    if (this.#stopped) return Promise.reject(new Error(strings.failures.engineStopped));
    return this.#pending.open(id => this.#send({ type: "request", id, ask, target }));
  }

  async #answerPage(panel: number, page: OpenPage, id: number, ask: Ask<EngineRequests>): Promise<void> {
    const reply = await replyTo(id, () => this.#request(ask, { panel }));
    if (this.#pages.get(panel) === page) this.#events.page(panel, reply);
  }

  #send(message: ToEngine): void {
    if (this.#worker !== undefined) this.#worker.postMessage(message);
    else if (mustWait(message)) this.#waiting.push(message);
  }

  #start(): Worker {
    this.#startedAt = Date.now();
    const options = { resourceLimits: LIMITS, workerData: this.#translations };
    const worker = new Worker(join(__dirname, "engineWorker.js"), options);
    worker.on("message", (message: FromEngine) => this.#take(message));
    worker.on("error", error => {
      this.#events.notice(`the engine failed: ${error.stack ?? error.message}`);
      this.#ended(worker);
    });
    worker.on("exit", () => this.#ended(worker));
    return worker;
  }

  /** Pages recover quickly from a crash: everything is sent again. */
  #ended(worker: Worker): void {
    if (this.#stopped || this.#worker !== worker) return;
    this.#worker = undefined;
    // They are not retried: one of them may have been the cause.
    this.#pending.rejectAll(strings.failures.engineFailed);
    this.#restartLater();
  }

  #restartLater(): void {
    const livedLong = Date.now() - this.#startedAt > LONG_LIFE_MS;
    this.#restartMs = livedLong ? RESTART_MS : Math.min(MAX_RESTART_MS, this.#restartMs * 2);
    setTimeout(() => this.#restart(), this.#restartMs);
  }

  #restart(): void {
    if (this.#stopped) return;
    try {
      this.#worker = this.#start();
    } catch (error) {
      // No thread is available at the moment. Requests fail instead of waiting for the next attempt.
      const line = fill(strings.failures.engineNotStarted, { why: messageOf(error) });
      this.#waiting = this.#waiting.filter(({ type }) => type !== "request");
      this.#pending.rejectAll(line);
      this.#events.notice(line);
      return this.#restartLater();
    }
    if (this.#config !== undefined) this.configure(this.#config);
    for (const [panel, page] of this.#pages) this.#restore(panel, page);
    for (const message of this.#waiting.splice(0)) this.#send(message);
    for (const [id, { session, changed }] of this.#watches) {
      this.#send({ type: "watch", id, session });
      changed("reset");
    }
  }

  /** The page keeps what it showed, and follows the live session only if it did before. */
  #restore(panel: number, { visible, shown }: OpenPage): void {
    const send = (message: PanelMessage) => this.#send({ type: "page", panel, message });
    if (shown?.selected) send({ type: "select", ...shown.selected });
    if (shown !== undefined) send({ type: "follow", on: shown.following });
    if (visible) send({ type: "ready" });
  }

  #take(message: FromEngine): void {
    switch (message.type) {
      case "page":
        return this.#update(message.panel, message.message);
      case "live":
        return this.#events.live(message.status);
      case "changed":
        return this.#watches.get(message.id)?.changed(message.change);
      case "notice":
        return this.#events.notice(message.line);
      case "reply":
      case "failure":
        return this.#pending.take(message);
      default:
        this.#events.notice(`from the engine: ${unknownMessage(message)}`);
    }
  }

  #update(panel: number, message: PanelUpdate): void {
    const page = this.#pages.get(panel);
    if (message.type === "snapshot" && page !== undefined) {
      const { selected, following } = message.state;
      page.shown = { selected, following };
    }
    this.#events.page(panel, message);
  }
}

/** Configuration, open pages and watches are sent to every new engine; these messages are only sent once. */
function mustWait(message: ToEngine): boolean {
  if (message.type === "page") return message.message.type !== "ready" && message.message.type !== "hidden";
  return message.type === "request";
}
