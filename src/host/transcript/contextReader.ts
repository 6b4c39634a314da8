/** A context as a transcript needs it, read as a page would: a snapshot first, then what is added. */
import { type Disposable, EventEmitter } from "vscode";
import { applyDelta, type LiveContext, type LiveState, openState } from "../../protocol/apply.js";
import type { ToPage } from "../../protocol/messages.js";
import type { EngineHost, EngineLink } from "../engineHost.js";
import type { Looked } from "../place.js";
import { texts } from "../strings.js";

/** A session of hundreds of megabytes is read in seconds. */
const ANSWER_MS = 30_000;

export class ContextReader implements Disposable {
  readonly looked: Looked;
  readonly #changed = new EventEmitter<"grown" | "anew">();
  /** "anew": whatever was made of it before is void. */
  readonly onDidChange = this.#changed.event;
  readonly ready: Promise<void>;
  readonly #link: EngineLink;
  #becomeReady: () => void = () => undefined;
  #live: LiveState | undefined;
  #seq = 0;

  constructor(engine: EngineHost, looked: Looked) {
    this.looked = looked;
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(texts.problems.noAnswer)), ANSWER_MS);
      this.#becomeReady = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    // Whoever waits for it is told; nobody may be waiting.
    this.ready.catch(() => undefined);
    this.#link = engine.open({
      take: message => this.#take(message),
      errand: () => Promise.reject(new Error("a reader asks for nothing")),
    });
    this.#link.send({ type: "select", session: looked.session, context: looked.context });
    this.#link.send({ type: "ready" });
  }

  /** Undefined where the log has no such context. */
  get context(): LiveContext | undefined {
    const { selected, context } = this.#live ?? {};
    return selected?.context === this.looked.context ? (context ?? undefined) : undefined;
  }

  get capacity(): number {
    return this.#live?.settings.capacity ?? 0;
  }

  /** The session's title; "" where it has none. */
  get title(): string {
    return this.#live?.sessions.find(({ key }) => key === this.looked.session)?.title ?? "";
  }

  /** "main" or the subagent's id. */
  get contextId(): string {
    return this.#live?.contexts.find(({ key }) => key === this.looked.context)?.id ?? this.looked.context;
  }

  /** The file that the context is in: a subagent may have one of its own, which is then the context's key. */
  get file(): string {
    return this.looked.context === this.contextId ? this.looked.session : this.looked.context;
  }

  #take(message: ToPage): void {
    if (message.type === "snapshot") {
      // Until the engine has found the log it shows another one.
      if (message.state.selected?.session !== this.looked.session) return;
      const isFirst = this.#live === undefined;
      this.#live = openState(message.state);
      this.#seq = message.seq;
      this.#becomeReady();
      if (!isFirst) this.#changed.fire("anew");
    } else if (message.type === "delta" && this.#live !== undefined) {
      const fits = message.seq === this.#seq + 1 && applyDelta(this.#live, message.delta);
      this.#seq = message.seq;
      if (!fits) this.#link.send({ type: "ready" });
      else if ((message.delta.grown?.ids.length ?? 0) > 0) this.#changed.fire("grown");
    }
  }

  dispose(): void {
    this.#becomeReady();
    this.#link.close();
    this.#changed.dispose();
  }
}
