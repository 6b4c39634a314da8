import type { Mark } from "../../src/inspect/logData.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import type { Selection } from "../state/ui.js";

/** Identifies a mark within its log, under any settings: one edit may invalidate several results. */
export function markName(mark: Mark | undefined): string | null {
  return mark === undefined ? null : `${mark.kind} ${mark.line} ${mark.dropped[0] ?? ""}`;
}

/** The call with this id or the mark with this name in a context; null if it is not there. */
export function sameSelection(context: LiveContext, call: string | null, mark: string | null): Selection | null {
  if (call !== null) {
    const row = context.ids.indexOf(call);
    return row < 0 ? null : { row };
  }
  if (mark === null) return null;
  const exact = context.marks.findIndex(one => markName(one) === mark);
  if (exact >= 0) return { mark: exact };
  // Under other settings the results differ, but a compaction is still the same one.
  const [kind, line] = mark.split(" ");
  const near = context.marks.findIndex(one => one.kind === kind && String(one.line) === line);
  return near < 0 ? null : { mark: near };
}
