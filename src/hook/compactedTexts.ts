/** What a compaction takes away from the hints that it keeps. */
import { lostTextsNotice } from "../dedup/lostTexts.js";
import { HintedLog, keyOf, lostIn } from "./hintedLog.js";

/** What to tell the model after a compaction; "" if no hint is affected. */
export function lostTexts(log: string): string {
  const hinted = new HintedLog(log);
  const sources = (isOfNewest: boolean) => hinted.sources(isOfNewest).filter(({ uuid }) => !hinted.kept.has(uuid));
  // The results of the newest message: a compaction keeps those if it keeps any.
  const newest = sources(true);
  const known = new Set(newest.map(keyOf));
  const older = sources(false).filter(source => !known.has(keyOf(source)));
  return lostTextsNotice(
    [...lostIn(log, newest), ...older.map(source => ({ ...source, text: undefined }))],
    "compacted",
  );
}
