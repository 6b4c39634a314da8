import type { HeldResult } from "../dedup/replay.js";
import { SpanIndex } from "../dedup/span/index.js";
import { ScannedLines } from "../dedup/span/lines.js";
import { findRuns } from "../dedup/span/matcher.js";
import { emittedText } from "../dedup/span/replay.js";

/** Shorter runs are left alone: four times what a hint takes. */
const MIN_RUN_BYTES = 200;

/** The text with runs of lines replaced that stand in these results; undefined where there are none. */
export function withSpanHints(
  body: string,
  sources: readonly HeldResult[],
  bodies: readonly (string | undefined)[],
): string | undefined {
  const index = new SpanIndex();
  const lines = new ScannedLines();
  // What stands in the log is what the model was given; the index passes over lines of ours in it.
  for (const [at, { id, line: logLine, callLine }] of sources.entries()) {
    index.add({ id, input: undefined, logLine, callLine }, lines.scan(bodies[at] ?? ""));
  }
  const scanned = lines.scan(body);
  const target = index.add({ id: "this", input: undefined, logLine: 0, callLine: 0 }, scanned);
  if (target === undefined) return undefined;
  const options = { variant: 0, minBytes: MIN_RUN_BYTES, inputs: false, numbering: false, isInReach: () => true };
  const { runs } = findRuns(scanned, target, index, options);
  return runs.length > 0 ? emittedText(body, runs) : undefined;
}
