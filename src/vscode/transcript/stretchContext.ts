/** A stretch of a context, addressed by the row numbers of the whole context. */

import { ResultRows, ROW_WIDTH, type RowField } from "../../inspect/rows.js";
import type { ContextStretch } from "../../protocol/requests.js";

export class StretchContext {
  readonly stretch: ContextStretch;
  readonly #rows: ResultRows;
  readonly #first: number;

  constructor(stretch: ContextStretch) {
    this.stretch = stretch;
    this.#rows = new ResultRows(stretch.rows, stretch.rows.length / ROW_WIDTH);
    this.#first = stretch.to - this.#rows.length;
  }

  get(row: number, field: RowField): number {
    return this.#rows.get(row - this.#first, field);
  }

  tool(row: number): string {
    return this.stretch.tools[this.get(row, "tool")] ?? "";
  }

  target(row: number): string {
    return this.stretch.targets[row - this.stretch.from] ?? "";
  }

  /** The packed rows and the index of a row in them, for figures. */
  packed(row: number): readonly [rows: ResultRows, at: number] {
    return [this.#rows, row - this.#first];
  }
}
