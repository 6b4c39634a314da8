/** Work that is asked for often and done once in a while: never more than a tenth of the time goes into it. */
export class Gathered {
  readonly #work: () => void;
  readonly #leastMs: number;
  #timer: NodeJS.Timeout | undefined;
  #tookMs = 0;

  /** Requests within `leastMs` become one. */
  constructor(work: () => void, leastMs: number) {
    this.#work = work;
    this.#leastMs = leastMs;
  }

  soon(): void {
    this.#timer ??= setTimeout(() => this.#do(), Math.max(this.#leastMs, this.#tookMs * REST));
  }

  /** Does not let the next request wait for the rest that the last one's work has earned. */
  hurry(): void {
    this.stop();
    this.#tookMs = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #do(): void {
    this.#timer = undefined;
    const startedAt = performance.now();
    this.#work();
    this.#tookMs = performance.now() - startedAt;
  }
}

const REST = 10;
