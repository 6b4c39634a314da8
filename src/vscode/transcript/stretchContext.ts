/** A stretch of a context as the transcript reads it: by the numbers that its rows have in the whole context. */

import type { ContextStretch } from "../../engine/engineMessages.js";
import { ResultRows, ROW_WIDTH, type RowField } from "../../inspect/rows.js";

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

  /** The packed rows and where a row stands in them, for figures. */
  packed(row: number): readonly [rows: ResultRows, at: number] {
    return [this.#rows, row - this.#first];
  }
}
