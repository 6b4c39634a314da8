import type { Mark } from "../../src/inspect/logData.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import type { Selection } from "../state/ui.js";

/** What tells a mark from all others of its log, under any settings: one edit may invalidate several results. */
export function markName(mark: Mark | undefined): string | null {
  return mark === undefined ? null : `${mark.kind} ${mark.line} ${mark.dropped[0] ?? ""}`;
}

/** Where the call of this id or the mark of this name is in a context; null where it is not there. */
export function sameSelection(context: LiveContext, call: string | null, mark: string | null): Selection | null {
  if (call !== null) {
    const row = context.ids.indexOf(call);
    return row < 0 ? null : { row };
  }
  if (mark === null) return null;
  const exact = context.marks.findIndex(one => markName(one) === mark);
  if (exact >= 0) return { mark: exact };
  // Other settings hold other results, but a compaction is still the same one.
  const [kind, line] = mark.split(" ");
  const near = context.marks.findIndex(one => one.kind === kind && String(one.line) === line);
  return near < 0 ? null : { mark: near };
}
