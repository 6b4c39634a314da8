/**
 * Splits a long context into documents of a few megabytes, which editors handle well. The splits are counted from the
 * first row, so they stay in place while the session grows.
 */

import type { ResultRows } from "../../inspect/rows.js";
import type { ShownContext } from "../../pipeline/quickReplay.js";
import type { ContextStretch, Stretch } from "../../protocol/requests.js";

const MAX_CALLS = 400;
const MAX_CHARS = 4_000_000;
/** The overhead of a result: header, input, separators. */
const AROUND = 500;
/** Longer results are cut; the log line has the rest. */
export const MAX_TEXT = 1_000_000;
/** Longer inputs are cut: their lengths are not known here, and a whole file may be written in each of many calls. */
export const MAX_INPUT = 10_000;

/** The stretch that contains a row, or the last one if there is no such row. */
export function stretchAround(
  row: number,
  { rows, tools, targets, marks }: Pick<ShownContext, "rows" | "tools" | "targets" | "marks">,
): Pick<ContextStretch, "from" | "to" | "earlier" | "later" | "results" | "rows" | "tools" | "targets" | "marks"> {
  const stretches = stretchesOf(rows);
  const found = stretches.findIndex(({ to }) => row < to);
  const index = found < 0 ? stretches.length - 1 : found;
  const { from, to } = stretches[index] ?? { from: 0, to: 0 };
  const later = stretches[index + 1] ?? null;
  return {
    from,
    to,
    earlier: stretches[index - 1] ?? null,
    later,
    results: rows.length,
    rows: rows.cells(Math.max(0, from - 1), to),
    tools,
    targets: targets.slice(from, to),
    marks: marks.filter(({ position }) => position >= from && (position < to || later === null)),
  };
}

function stretchesOf(rows: ResultRows): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  let chars = 0;
  for (let row = 0; row < rows.length; row++) {
    const length = AROUND + Math.min(MAX_TEXT, rows.get(row, "chars"));
    if (row > from && (row - from >= MAX_CALLS || chars + length > MAX_CHARS)) {
      stretches.push({ from, to: row });
      from = row;
      chars = 0;
    }
    chars += length;
  }
  stretches.push({ from, to: rows.length });
  return stretches;
}
