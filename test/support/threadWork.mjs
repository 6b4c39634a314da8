// The longest time a thread is busy: the longest delay of a 1 ms timer, and the longest CPU time of the thread itself
// between two timers. Only the second does not depend on other processes.
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** CPU time of the main thread so far, in milliseconds, if the system reports it. */
export function worked() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

export class ThreadWork {
  #delays = monitorEventLoopDelay({ resolution: 1 });
  #last = worked();
  #longest = 0;
  #timer;

  start() {
    this.#delays.enable();
    this.#last = worked();
    this.#timer = setInterval(() => {
      const now = worked();
      this.#longest = Math.max(this.#longest, now - this.#last);
      this.#last = now;
    }, 1);
  }

  /** The figures since the last call, in milliseconds; after the next timer, so that the most recent work counts. */
  async take() {
    await new Promise(resolve => setTimeout(resolve, 20));
    const [max, p99] = [this.#delays.max, this.#delays.percentile(99)].map(time => time / 1e6);
    const longestWork = this.#longest;
    this.#delays.reset();
    this.#longest = 0;
    return { max, p99, longestWork };
  }

  stop() {
    clearInterval(this.#timer);
    this.#delays.disable();
  }
}
