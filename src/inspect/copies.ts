import { HashTable } from "../log/hashTable.js";
import type { ResultRows } from "./rows.js";

/** Forks and resumed sessions repeat lines with their uuids: remembers which lines have been counted. */
export class CopyFilter {
  /** No objects: a history has hundreds of thousands of results. */
  readonly #table = new HashTable(2, 1);

  /** True the first time a line is passed. Lines without a uuid are never copies. */
  isFirst(rows: ResultRows, row: number): boolean {
    const high = rows.get(row, "copyHigh");
    const low = rows.get(row, "copyLow");
    if (high === 0 && low === 0) return true;
    const entry = this.#table.place(high, low);
    if (this.#table.value(entry) !== 0) return false;
    this.#table.setValue(entry, 1);
    return true;
  }
}
