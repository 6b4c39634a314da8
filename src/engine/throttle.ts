/** After a run, wait this many times as long as it took. */
const BACK_OFF = 10;

/** Runs work that is requested often: requests are merged, and the work takes up at most a tenth of the time. */
export class Throttle {
  readonly #run: () => void;
  readonly #minMs: number;
  #timer: NodeJS.Timeout | undefined;
  #tookMs = 0;

  /** Requests within `minMs` are merged into one run. */
  constructor(run: () => void, minMs: number) {
    this.#run = run;
    this.#minMs = minMs;
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => this.#runNow(), Math.max(this.#minMs, this.#tookMs * BACK_OFF));
  }

  /** Skips the back-off before the next run. */
  skipBackOff(): void {
    const isScheduled = this.#timer !== undefined;
    this.stop();
    this.#tookMs = 0;
    if (isScheduled) this.schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #runNow(): void {
    this.#timer = undefined;
    const startedAt = performance.now();
    this.#run();
    this.#tookMs = performance.now() - startedAt;
  }
}
