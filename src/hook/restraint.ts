/** When a hint may be given, and when the model gets the full text although it has it. */
import type { Fingerprint } from "../dedup/fingerprint.js";
import type { Bar } from "../dedup/reach.js";
import { compileInvalidation, type DedupSettings } from "../dedup/settings.js";
import { isShell } from "../log/tools.js";
import type { JournalEntry } from "./journal.js";

/** What the journal adds to the log: which texts hints in a result of this tool must not point at. */
export function barredBy(
  journal: readonly JournalEntry[],
  tool: string,
  boundaryOffset: number,
  invalidates: DedupSettings["invalidates"],
): Bar {
  const staleAfter = compileInvalidation(invalidates);
  return (earlier, part) =>
    journal.some(entry => {
      if (earlier.offset >= entry.at) return false;
      if ("compacting" in entry) return boundaryOffset < entry.at;
      if ("begun" in entry) return true;
      // Edits and tools that make others stale only invalidate whole results; lines are compared byte for byte.
      if ("edited" in entry) {
        const isOfFile = part === "whole" && earlier.kind === "read" && earlier.path === entry.edited;
        return isOfFile || (isShell(earlier.tool) && isShell(tool));
      }
      return "ran" in entry && part === "whole" && (staleAfter(entry.ran)?.(earlier.tool) ?? false);
    });
}

/** The texts that were asked for again since the last compaction. */
export function askedAgain(journal: readonly JournalEntry[], boundaryOffset: number): ReadonlySet<Fingerprint> {
  return new Set(journal.flatMap(entry => ("asked" in entry && entry.at > boundaryOffset ? entry.asked : [])));
}
