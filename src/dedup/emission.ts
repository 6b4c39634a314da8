import type { Decision } from "./replay.js";
import { emittedText } from "./runs/contextRuns.js";

/** What the model reads in a result's place, for replay and live hints alike; undefined where it stays as it is. */
export function emission({ hint, replaced, runs = [] }: Decision, body: string): string | undefined {
  if (hint === undefined) return runs.length > 0 ? emittedText(body, runs) : undefined;
  return replaced === undefined ? hint : body.slice(0, replaced.begin) + hint + body.slice(replaced.end);
}
