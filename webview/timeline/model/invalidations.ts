import type { Mark } from "../../../src/inspect/logData.js";
import { lowerBound, withRoom } from "./arrays.js";

/** Which result made which entry stale, both ways. */
export class Invalidations {
  #causeOfRow = new Uint32Array(0);
  #dropped = new Uint32Array(0);
  #cause = new Uint32Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** An invalidation comes before, or right at, the row of the call that caused it. */
  add(mark: Mark): void {
    for (const row of mark.dropped) {
      if (row < 0) continue;
      this.#dropped = withRoom(this.#dropped, this.#length + 1);
      this.#cause = withRoom(this.#cause, this.#length + 1);
      this.#causeOfRow = withRoom(this.#causeOfRow, row + 1);
      this.#dropped[this.#length] = row;
      this.#cause[this.#length] = mark.position;
      this.#causeOfRow[row] = mark.position + 1;
      this.#length++;
    }
  }

  /** The row that made this one's entry stale, or -1. */
  causeOf(row: number): number {
    return (this.#causeOfRow[row] ?? 0) - 1;
  }

  dropped(index: number): number {
    return this.#dropped[index] ?? 0;
  }

  cause(index: number): number {
    return this.#cause[index] ?? 0;
  }

  /** The invalidations caused by rows in [from, to), as a range of indices: they are in the order of their causes. */
  causedBetween(from: number, to: number): [number, number] {
    const causeAt = (index: number) => this.cause(index);
    const first = lowerBound(causeAt, from, 0, this.#length);
    return [first, lowerBound(causeAt, to, first, this.#length)];
  }
}
