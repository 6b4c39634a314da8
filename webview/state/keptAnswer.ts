import { type ReadonlySignal, signal } from "@preact/signals";
import { messageOf } from "../../src/protocol/channel.js";
import type { AnswerTo, PageAsk, PageRequests } from "../../src/protocol/requests.js";

export interface Kept<T> {
  /** Undefined before the first answer. */
  readonly value?: T;
  /** Why the last request failed. */
  readonly problem?: string;
  /** The value was computed under earlier settings: the current one is pending. */
  readonly isOld?: true;
}

/** A busy session grows many times a second; people cannot read that fast. */
const ASK_EVERY_MS = 1000;

/**
 * An answer that is requested again whenever its subject changes. Until the new one arrives the old one is shown, as
 * long as it is about the same subject, and marked as old if the settings have changed. If the request fails, only the
 * reason is left.
 */
export class KeptAnswer<A extends PageAsk> {
  readonly #ask: (ask: A) => Promise<AnswerTo<PageRequests, A>>;
  readonly #state = signal<Kept<AnswerTo<PageRequests, A>>>({});
  readonly state: ReadonlySignal<Kept<AnswerTo<PageRequests, A>>> = this.#state;
  #subject = "";
  #basis = "";
  #wanted = "";
  #question: A | undefined;
  #asking = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: (ask: A) => Promise<AnswerTo<PageRequests, A>>) {
    this.#ask = ask;
  }

  /** `basis` identifies the settings, `version` the state of the subject under them. */
  want(question: A, subject: string, basis: string, version: string): void {
    if (subject !== this.#subject || basis !== this.#basis) {
      const { value } = this.#state.peek();
      this.#state.value = subject === this.#subject && value !== undefined ? { value, isOld: true } : {};
      this.#subject = subject;
      this.#basis = basis;
      this.#askedAt = Number.NEGATIVE_INFINITY;
    } else if (version === this.#wanted) return;
    this.#wanted = version;
    this.#question = question;
    if (!this.#asking) this.#askInTime();
  }

  /** After a failure. */
  retry(): void {
    if (this.#state.peek().problem === undefined) return;
    this.#state.value = {};
    this.#askedAt = Number.NEGATIVE_INFINITY;
    if (!this.#asking) this.#askInTime();
  }

  #askInTime(): void {
    clearTimeout(this.#timer);
    const wait = this.#askedAt + ASK_EVERY_MS - performance.now();
    if (wait <= 0) void this.#askNow();
    else this.#timer = setTimeout(() => void this.#askNow(), wait);
  }

  async #askNow(): Promise<void> {
    const [subject, basis, wanted] = [this.#subject, this.#basis, this.#wanted];
    const question = this.#question;
    if (question === undefined) return;
    this.#asking = true;
    this.#askedAt = performance.now();
    const state = await this.#ask(question).then(
      value => ({ value }),
      // An earlier answer may no longer be true.
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    this.#asking = false;
    const isCurrent = subject === this.#subject && basis === this.#basis;
    if (isCurrent) this.#state.value = state;
    if (!isCurrent || wanted !== this.#wanted) this.#askInTime();
  }
}
