import type { ResultRows } from "./rows.js";

/** Forks and resumed sessions repeat lines with their uuids: remembers which lines have been counted. */
export class CopyFilter {
  /** A table of two numbers per line, at most half full: a history has results by the hundred thousand. */
  #table = new Uint32Array(2 * 1024);
  #count = 0;

  /** True the first time a line is shown. Lines without a uuid are never copies. */
  isFirst(rows: ResultRows, row: number): boolean {
    const high = rows.get(row, "copyHigh");
    const low = rows.get(row, "copyLow");
    if (high === 0 && low === 0) return true;
    if (!this.#put(high, low)) return false;
    this.#count++;
    if (this.#count * 4 > this.#table.length) this.#grow();
    return true;
  }

  /** False where it is there already. The numbers come from a digest: as good a place to look as any. */
  #put(high: number, low: number): boolean {
    const table = this.#table;
    const mask = table.length - 1;
    for (let at = (low * 2) & mask; ; at = (at + 2) & mask) {
      if (table[at] === 0 && table[at + 1] === 0) {
        table[at] = high;
        table[at + 1] = low;
        return true;
      }
      if (table[at] === high && table[at + 1] === low) return false;
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2) {
      const high = before[at] ?? 0;
      const low = before[at + 1] ?? 0;
      if (high !== 0 || low !== 0) this.#put(high, low);
    }
  }
}
