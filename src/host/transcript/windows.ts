/**
 * A long context is cut into documents: an editor is at its best with a few megabytes. The cuts are counted from the
 * first row on, so that they stay where they are while the session grows.
 */
import type { ResultRows } from "../../inspect/rows.js";

const MOST_CALLS = 400;
const MOST_CHARS = 4_000_000;
/** What stands around a result: header, input, separators. */
const AROUND = 500;
/** Longer texts are cut; the log line has all of it. */
export const LONGEST_TEXT = 1_000_000;

export interface Stretch {
  readonly from: number;
  /** The row after the last. */
  readonly to: number;
}

export function stretchesOf(rows: ResultRows): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  let chars = 0;
  for (let row = 0; row < rows.length; row++) {
    const length = AROUND + Math.min(LONGEST_TEXT, rows.get(row, "chars"));
    if (row > from && (row - from >= MOST_CALLS || chars + length > MOST_CHARS)) {
      stretches.push({ from, to: row });
      from = row;
      chars = 0;
    }
    chars += length;
  }
  stretches.push({ from, to: rows.length });
  return stretches;
}

/** The stretch that holds a row; the last one where there is no such row. */
export function stretchAt(stretches: readonly Stretch[], row: number): number {
  const index = stretches.findIndex(({ to }) => row < to);
  return index < 0 ? stretches.length - 1 : index;
}
