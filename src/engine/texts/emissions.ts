/** What the model would get for a result, and where its hints lead. */

import type { Emission } from "../../dedup/emission.js";
import { hintedId } from "../../dedup/hints.js";
import type { Run } from "../../dedup/runs/matcher.js";
import type { HintSource, PlacedEmission } from "../../protocol/comparison.js";
import type { EmittedHint } from "../../protocol/requests.js";

/** A context's calls, and what replaces their results. */
export interface EmittedContext {
  /** -1 if there is no such call. */
  rowOf(id: string): number;
  emissionOf(row: number): Emission | undefined;
}

/** With the call and the lines, as in the log, that each hint refers to. */
export function placed(emission: Emission, context: EmittedContext): PlacedEmission {
  if ("hint" in emission) {
    const row = context.rowOf(hintedId(emission.hint) ?? "");
    return { emission, sources: [{ row: row < 0 ? null : row, input: null, from: 1, to: Number.MAX_SAFE_INTEGER }] };
  }
  return { emission, sources: emission.runs.map(run => sourceOf(run, context)) };
}

function sourceOf({ hint: { id, input, from, to } }: Run, context: EmittedContext): HintSource {
  const row = context.rowOf(id);
  const earlier = input === undefined && row >= 0 ? context.emissionOf(row) : undefined;
  const runs = earlier !== undefined && "runs" in earlier ? earlier.runs : [];
  const original = (line: number) => lineBefore(runs, line);
  return { row: row < 0 ? null : row, input: input ?? null, from: original(from), to: original(to) };
}

/** The line of the original text for a line of the emitted one, both from 1: each run became one line. */
function lineBefore(runs: readonly Run[], emitted: number): number {
  let line = emitted;
  for (const { start, end } of runs) if (start + 1 < line) line += end - start - 1;
  return line;
}

/** Each hint with its line in the emitted text. */
export function hintsIn(body: string, { emission, sources }: PlacedEmission): EmittedHint[] {
  if ("hint" in emission) {
    const countLines = (text: string) => text.split("\n").length;
    // What Claude Code adds before a file stays before the hint.
    const line = countLines(body.slice(0, emission.replaced?.begin ?? 0)) - 1;
    return sources.map(source => ({ line, ...source, to: Math.min(source.to, countLines(body)) }));
  }
  let replaced = 0;
  return emission.runs.flatMap(({ start, end }, at) => {
    const source = sources[at];
    const line = start - replaced;
    replaced += end - start - 1;
    return source === undefined ? [] : { line, ...source };
  });
}
