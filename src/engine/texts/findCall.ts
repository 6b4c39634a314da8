import type { FoundCall } from "../../protocol/messages.js";
import type { SessionView } from "../sessionView.js";

/** Texts are read back from the log: a search through all of them goes in steps, and others have their turn between. */
const STEP_MS = 60;

export interface Search {
  readonly text: string;
  readonly fromRow: number;
  readonly step: 1 | -1;
}

/** The next call whose tool, subject, input or result holds the text, whatever its capitals. */
export function findCall(view: SessionView, context: string, { text, fromRow, step }: Search): FoundCall {
  const wanted = text.toLowerCase();
  const rows = view.have(context).rows;
  const end = performance.now() + STEP_MS;
  for (let row = Math.min(fromRow, rows - 1); row >= 0 && row < rows; row += step) {
    if (view.textsOf(context, row).some(part => part.toLowerCase().includes(wanted))) return { row, next: row + step };
    if (performance.now() > end) return { row: null, next: row + step };
  }
  return { row: null, next: null };
}
