/** What figures are based on, in a few words: the same in the page and in a terminal. */
import type { ContextUse } from "../inspect/contextUse.js";
import { type Figures, repeats } from "../inspect/figures.js";
import { GATES, type Gate } from "../inspect/gates.js";
import { grouped, percent, short } from "./numbers.js";
import { gateCount } from "./outcomeTexts.js";
import { strings } from "./strings.js";
import { counted, fill, plural, tokensText } from "./text.js";

export function forgoneHits({ forgone }: Figures): number {
  return Object.values(forgone).reduce((sum, count) => sum + count, 0);
}

/** "3 evicted · 2 compacted", from the reasons of `forgone` or `bypassed`. */
export function reasonCounts(counts: { readonly [K in Gate]?: number }): string {
  return GATES.flatMap(gate => (counts[gate] ? gateCount(gate, counts[gate]) : [])).join(" · ");
}

/** The error that half of the estimates stay within. */
export function errorBand(medianAbsError: number | null): string {
  const { band, noBand } = strings.figures;
  return medianAbsError === null ? noBand : fill(band, { error: percent(medianAbsError, 1) });
}

/** "12 % of tool results · 5 of 20 results repeat · ± 4 %" */
export function savedBasis(figures: Figures, medianAbsError: number | null): string {
  const repeating = repeats(figures);
  return fill(plural(strings.figures.savedBasis, repeating), {
    share: percent(figures.savedTokens, figures.tokens),
    repeats: grouped(repeating),
    results: counted(strings.counts.results, figures.results),
    band: errorBand(medianAbsError),
  });
}

/** How much of the estimate was realised: of everything that repeats and can be pointed at. */
export function realisedBasis({ bypassed, realisedTokens, savedTokens }: Figures): string {
  const hints = counted(strings.counts.hints, bypassed.realised);
  if (realisedTokens <= 0) return hints;
  const share = percent(realisedTokens, realisedTokens + savedTokens);
  return fill(strings.figures.realisedShare, { hints, share });
}

/** "45.2k of 200k" */
export function contextValue({ tokens, window }: ContextUse): string {
  if (window === undefined) return tokensText(tokens);
  return fill(strings.contextUse.value, { tokens: short(tokens), window: short(window).replace(".0", "") });
}

/** "23 % full · cached until 14:05". `now` in milliseconds; `timeText` formats a time in seconds. */
export function contextBasis(
  { tokens, window, cachedUntil }: ContextUse,
  now: number,
  timeText: (seconds: number) => string,
): string {
  const text = strings.contextUse;
  const share = window === undefined ? [] : [fill(text.share, { share: percent(tokens, window) })];
  if (cachedUntil === undefined) return share.join("") || text.basis;
  const cache = cachedUntil * 1000 > now ? text.cached : text.expired;
  return [...share, fill(cache, { time: timeText(cachedUntil) })].join(" · ");
}
