import type { ResultRows } from "./rows.js";

/** Forks and resumed sessions repeat lines with their uuids: remembers which lines have been counted. */
export class CopyFilter {
  /** High half → low halves. Two levels keep the keys small integers, which engines store without boxing. */
  readonly #seen = new Map<number, number | Set<number>>();

  /** True the first time a line is shown. Lines without a uuid are never copies. */
  isFirst(rows: ResultRows, row: number): boolean {
    const high = rows.get(row, "copyHigh");
    const low = rows.get(row, "copyLow");
    if (high === 0 && low === 0) return true;
    const known = this.#seen.get(high);
    if (known === undefined) {
      this.#seen.set(high, low);
      return true;
    }
    if (typeof known === "number") {
      if (known === low) return false;
      this.#seen.set(high, new Set([known, low]));
      return true;
    }
    if (known.has(low)) return false;
    known.add(low);
    return true;
  }
}
