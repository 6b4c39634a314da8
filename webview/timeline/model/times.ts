import { withRoom } from "./arrays.js";

/**
 * The results' seconds, adjusted for an axis: a result without a time takes its neighbour's, time never runs backwards,
 * and results within the same second are spread over it. That way every moment has exactly one place in the order.
 */
export class Times {
  #seconds = new Float64Array(0);
  #spread = new Float64Array(0);
  #length = 0;
  #known = false;

  /** Whether any result has a time at all. */
  get known(): boolean {
    return this.#known;
  }

  at(row: number): number {
    return this.#spread[row] ?? 0;
  }

  append(secondsOf: (row: number) => number, length: number): void {
    this.#seconds = withRoom(this.#seconds, length);
    this.#spread = withRoom(this.#spread, length);
    let changedFrom = this.#startOfGroup(this.#length - 1);
    for (let row = this.#length; row < length; row++) {
      const given = secondsOf(row);
      if (given > 0 && !this.#known) {
        this.#known = true;
        this.#seconds.fill(given, 0, row);
        changedFrom = 0;
      }
      this.#seconds[row] = Math.max(given, row === 0 ? 0 : this.#second(row - 1));
    }
    this.#length = length;
    this.#spreadFrom(changedFrom);
  }

  #second(row: number): number {
    return this.#seconds[row] ?? 0;
  }

  #startOfGroup(row: number): number {
    let start = Math.max(0, row);
    while (start > 0 && this.#second(start - 1) === this.#second(start)) start--;
    return start;
  }

  #spreadFrom(start: number): void {
    for (let first = start; first < this.#length; ) {
      const second = this.#second(first);
      let end = first + 1;
      while (end < this.#length && this.#second(end) === second) end++;
      for (let row = first; row < end; row++) this.#spread[row] = second + (row - first) / (end - first);
      first = end;
    }
  }
}
