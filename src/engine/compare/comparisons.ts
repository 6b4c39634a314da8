/** Compares the strategies, for all pages. The work runs on separate threads, so that no page waits for it. */
import { emittedBy } from "../../dedup/emission.js";
import type { PartitionPasses } from "../../inspect/passFigures.js";
import { type RunStrategy, type Strategy, strategyInForce } from "../../inspect/strategies.js";
import type { TrialReport } from "../../inspect/trialReport.js";
import { messageOf } from "../../protocol/channel.js";
import {
  type AllSessions,
  type ComparedSession,
  type ContextComparison,
  NO_SESSIONS_COMPARED,
} from "../../protocol/comparison.js";
import type { ComparedTexts, ContextRef, EmittedText } from "../../protocol/requests.js";
import { strings } from "../../words/strings.js";
import { fill } from "../../words/text.js";
import type { SessionStore } from "../sessionStore.js";
import { hintsIn } from "../texts/emissions.js";
import { ComparisonThread } from "./comparisonThread.js";

type Sessions = Pick<SessionStore, "config" | "library" | "ratios" | "open">;

export class Comparisons {
  readonly #store: Sessions;
  readonly #allChanged: () => void;
  readonly #thread = new ComparisonThread();
  /** A new one for each comparison over all sessions: anything from an older one is stale. */
  #threadOfAll: ComparisonThread | undefined;
  #threadOfTrial: ComparisonThread | undefined;
  #all = NO_SESSIONS_COMPARED;

  /** `allChanged` is called when `all` has changed. */
  constructor(store: Sessions, allChanged: () => void) {
    this.#store = store;
    this.#allChanged = allChanged;
  }

  /** The comparison over all sessions. */
  get all(): AllSessions {
    return this.#all;
  }

  strategies(target: ContextRef): Promise<ContextComparison> {
    return this.#thread.ask({ method: "strategies", session: this.#session(target) });
  }

  passes(target: ContextRef): Promise<PartitionPasses | null> {
    return this.#thread.ask({ method: "passes", session: this.#session(target) });
  }

  savings(target: ContextRef, strategy: Strategy): Promise<readonly number[]> {
    return this.#thread.ask({ method: "savings", session: this.#session(target), strategy });
  }

  async emitted(target: ContextRef, row: number, strategy: RunStrategy, maxChars: number): Promise<EmittedText> {
    const { body, placed } = await this.#emission(target, row, strategy);
    const text = placed === null ? body : emittedBy(body, placed.emission);
    const hints = placed === null ? [] : hintsIn(body, placed);
    return { text: text.slice(0, maxChars), cut: text.length > maxChars, lines: body.split("\n").length, hints };
  }

  /** A result as it is in the log, and as the model would get it. */
  async compareEmitted(target: ContextRef, row: number, strategy: RunStrategy): Promise<ComparedTexts> {
    const { body, placed } = await this.#emission(target, row, strategy);
    const { call, callWithHints } = strings.compare;
    const number = row + 1;
    return {
      left: { title: fill(call, { number }), text: body },
      right: {
        title: fill(callWithHints, { number }),
        text: placed === null ? body : emittedBy(body, placed.emission),
      },
    };
  }

  /** Restarts the comparison over all sessions, or cancels it. */
  compareAll(on: boolean): void {
    this.#threadOfAll?.stop();
    this.#threadOfAll = undefined;
    if (!on) return this.#setAll({ ...this.#all, progress: null });
    const progress = { filesDone: 0, files: 0, bytesDone: 0, bytes: 0, secondsLeft: null };
    this.#setAll({ ...this.#all, progress, problem: null });
    const update = (change: Partial<AllSessions>) => {
      if (this.#threadOfAll === thread) this.#setAll({ ...this.#all, ...change });
    };
    const thread = new ComparisonThread(progress => update({ progress }));
    this.#threadOfAll = thread;
    thread
      .ask({ method: "all", logs: this.#store.config })
      .then(report => update({ progress: null, report }))
      .catch((error: unknown) => update({ progress: null, problem: messageOf(error) }))
      .finally(() => thread.stop());
  }

  /** What a trial of live hints shows so far; null if there was none. */
  async trial(): Promise<TrialReport | null> {
    this.stopTrial();
    const thread = new ComparisonThread();
    this.#threadOfTrial = thread;
    return thread.ask({ method: "trial", logs: this.#store.config }).finally(() => thread.stop());
  }

  /** Nobody is waiting for it any more. */
  stopTrial(): void {
    this.#threadOfTrial?.stop();
    this.#threadOfTrial = undefined;
  }

  /** The settings or the logs have changed: the comparison over all sessions is stale. */
  forget(): void {
    this.#threadOfAll?.stop();
    this.#threadOfAll = undefined;
    this.#setAll(NO_SESSIONS_COMPARED);
  }

  /** Ends the threads and frees their texts; the next request starts a new one. */
  stop(reason?: string): void {
    this.#thread.stop(reason);
    this.#threadOfAll?.stop();
    this.stopTrial();
  }

  /** The current strategy needs no comparison. */
  async #emission(target: ContextRef, row: number, strategy: RunStrategy) {
    const view = this.#store.open(target.session);
    const body = view.result(target.context, row);
    if (body === null) throw new Error(strings.failures.notPlainText);
    const placed =
      strategy === strategyInForce(this.#store.config.settings)
        ? view.emission(target.context, row)
        : await this.#thread.ask({ method: "emission", session: this.#session(target), row, strategy });
    return { body, placed };
  }

  #session({ session, context }: ContextRef): ComparedSession {
    const { settings, figures } = this.#store.config;
    const { everywhere } = this.#store.ratios();
    return { files: this.#store.library.filesOf(session), context, settings, figures, everywhere };
  }

  #setAll(all: AllSessions): void {
    if (all === this.#all) return;
    this.#all = all;
    this.#allChanged();
  }
}
