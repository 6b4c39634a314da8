/**
 * After a long pause, the API may clear results from the main conversation. Claude Code does not tell a mod: only the
 * log says so, once it has the answer to the first request after the pause.
 */
export class LongPause {
  #state: "begun" | "answered" | "over" | undefined;
  /** The last call in the first answer after the pause. */
  #call: string | undefined;

  begin(): void {
    this.#state = "begun";
    this.#call = undefined;
  }

  end(): void {
    this.#state = undefined;
  }

  ask(): void {
    if (this.#state === "answered") this.#state = "over";
  }

  take(calls: readonly string[]): void {
    if (this.#state !== "over") this.#call = calls.at(-1) ?? this.#call;
  }

  answered(): void {
    if (this.#state === "begun") this.#state = "answered";
  }

  /** The log can say what was cleared. */
  get isOver(): boolean {
    return this.#state === "over";
  }

  /** Whether a log says what was cleared. */
  isIn(log: string): boolean {
    if (this.#state === undefined) return true;
    return this.#state === "over" && (this.#call === undefined || log.includes(`"${this.#call}"`));
  }
}

/** Claude Code waits for a little longer than this before it lets the API clear anything. */
const LONG_PAUSE_MS = 3_600_000;

export function isLongPause(ms: number): boolean {
  return ms >= LONG_PAUSE_MS;
}
