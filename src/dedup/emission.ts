/** What the model reads instead of a result, in one place for replays, reports, panels and live hints. */
import type { Decision } from "./decision.js";
import type { NumberedLines } from "./door.js";
import { emittedText } from "./runs/contextRuns.js";
import type { Run } from "./runs/matcher.js";

/** What replaces a text: one hint, or hints for runs of its lines. */
export type Emission = WholeEmission | { readonly runs: readonly Run[] };

interface WholeEmission {
  readonly hint: string;
  /** The part of the text, in characters, that the hint replaces; all of it if undefined. */
  readonly replaced?: { readonly begin: number; readonly end: number };
}

/** A hint for a whole text; `numbered`: the lines that Claude Code numbers itself. */
export function wholeEmission(hint: string, numbered: NumberedLines | undefined): WholeEmission {
  if (numbered === undefined) return { hint };
  const { prefix, begin, end } = numbered;
  return { hint: prefix + hint, replaced: { begin, end } };
}

/** Undefined if the result stays unchanged. */
export function emissionOf({
  hint,
  replaced,
  runs = [],
}: Pick<Decision, "hint" | "replaced" | "runs">): Emission | undefined {
  if (hint !== undefined) return { hint, ...(replaced && { replaced }) };
  return runs.length > 0 ? { runs } : undefined;
}

/** The text that is read instead. */
export function emittedBy(body: string, emission: Emission): string {
  if (!("hint" in emission)) return emittedText(body, emission.runs);
  const { hint, replaced } = emission;
  return replaced === undefined ? hint : body.slice(0, replaced.begin) + hint + body.slice(replaced.end);
}
