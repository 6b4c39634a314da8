import { type ReadonlySignal, signal } from "@preact/signals";
import type { Ask } from "../../src/protocol/messages.js";

export interface Kept<T> {
  /** Undefined before the first answer. */
  readonly value?: T;
  /** Why there is no answer to the last question. */
  readonly problem?: string;
}

/** A busy session grows many times a second; what is read of it needs not. */
const ASK_EVERY_MS = 1000;

/**
 * An answer that is asked for again whenever what it is about has changed. Until the new one comes the old one stays in
 * sight, as long as it is about the same thing.
 */
export class KeptAnswer<T> {
  readonly #ask: (ask: Ask) => Promise<unknown>;
  readonly #state = signal<Kept<T>>({});
  readonly state: ReadonlySignal<Kept<T>> = this.#state;
  #subject = "";
  #wanted = "";
  #question: Ask | undefined;
  #asking = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: (ask: Ask) => Promise<unknown>) {
    this.#ask = ask;
  }

  /** `subject`: what it is about; `version`: the state that it is in. */
  want(question: Ask, subject: string, version: string): void {
    if (subject !== this.#subject) {
      this.#subject = subject;
      this.#state.value = {};
      this.#askedAt = Number.NEGATIVE_INFINITY;
    } else if (version === this.#wanted) return;
    this.#wanted = version;
    this.#question = question;
    if (!this.#asking) this.#askInTime();
  }

  #askInTime(): void {
    clearTimeout(this.#timer);
    const wait = this.#askedAt + ASK_EVERY_MS - performance.now();
    if (wait <= 0) void this.#askNow();
    else this.#timer = setTimeout(() => void this.#askNow(), wait);
  }

  async #askNow(): Promise<void> {
    const [subject, wanted, question] = [this.#subject, this.#wanted, this.#question];
    if (question === undefined) return;
    this.#asking = true;
    this.#askedAt = performance.now();
    const state = await this.#ask(question).then(
      value => ({ value: value as T }),
      (error: Error) => ({ ...this.#state.peek(), problem: error.message }),
    );
    this.#asking = false;
    if (subject === this.#subject) this.#state.value = state;
    if (subject !== this.#subject || wanted !== this.#wanted) this.#askInTime();
  }
}
