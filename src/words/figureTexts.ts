/** What figures rest on, in a few words: the same in the page and in a terminal. */
import type { Figures } from "../inspect/figures.js";
import { GATES, type Gate } from "../inspect/gates.js";
import { percent } from "./numbers.js";
import { gateCount } from "./outcomeTexts.js";
import { strings } from "./strings.js";
import { fill } from "./text.js";

export function forgoneHits({ forgone }: Figures): number {
  return Object.values(forgone).reduce((sum, count) => sum + count, 0);
}

/** "3 evicted · 2 compacted", out of the reasons of `forgone` or `bypassed`. */
export function reasonCounts(counts: { readonly [K in Gate]?: number }): string {
  return GATES.flatMap(gate => (counts[gate] ? gateCount(gate, counts[gate]) : [])).join(" · ");
}

/** How far off half of the estimates are. */
export function errorBand(medianAbsError: number | null): string {
  const { band, noBand } = strings.figures;
  return medianAbsError === null ? noBand : fill(band, { error: percent(medianAbsError, 1) });
}
