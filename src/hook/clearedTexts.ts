/** What hints that are still in the conversation refer to, although it has been cleared from there. */
import { lostTextsNotice } from "../dedup/lostTexts.js";
import { HintedLog, lostIn } from "./hintedLog.js";
import type { Journal } from "./journal.js";

/**
 * What to tell the model, once, about clears in the log up to this offset; "" if no hint is affected. Whoever reads
 * such a clear asks: most calls read none.
 */
export function clearedTexts(log: string, upTo: number, journal: Journal): string {
  const told = journal.entries().map(entry => ("told" in entry ? entry.at : -1));
  const after = Math.max(-1, ...told);
  if (after >= upTo) return "";
  const hinted = new HintedLog(log);
  const sources = hinted.sources().filter(({ id, input }) => {
    const at = hinted.cleared.get(id);
    // A call's input stays.
    return input === undefined && at !== undefined && at > after && at <= upTo;
  });
  const notice = lostTextsNotice(lostIn(log, sources), "cleared");
  // Also if there is nothing to tell: a short log is read again by every call.
  journal.add({ at: upTo, told: true });
  return notice;
}
