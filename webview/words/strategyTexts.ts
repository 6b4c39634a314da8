/** The ways to save and the passes, in words. */
import type { PassProjection } from "../../src/dedup/passes/projections.js";
import type { Strategy } from "../../src/inspect/strategies.js";
import type { StrategyReport } from "../../src/inspect/strategyFigures.js";
import { passName, strategyName } from "../../src/words/strategyNames.js";
import { counted, fill, grouped, moneyText, percent, short, strings } from "./text.js";

const text = strings.whatIf;

export interface StrategyText {
  readonly strategy: Strategy;
  readonly name: string;
  readonly results: string;
  readonly hints: string;
  readonly ofBytes: string;
  readonly saved: string;
  readonly carried: string;
  readonly worth: string;
  /** What it saves beside the one that saves most. */
  readonly weight: number;
  /** Everything but name and saving, on one line. */
  readonly brief: string;
}

/** Those that save something, most first. */
export function strategyTexts(reports: readonly StrategyReport[]): StrategyText[] {
  const saving = reports
    .filter(({ savedTokens }) => savedTokens > 0)
    .sort((one, other) => other.savedTokens - one.savedTokens);
  const most = Math.max(1, ...saving.map(({ savedTokens }) => savedTokens));
  return saving.map(report => {
    const { strategy, results, hints, share, savedTokens, carriedTokens, cost } = report;
    const ofBytes = share === null ? "–" : percent(share, 1);
    const [carried, worth] = [short(carriedTokens), moneyText(cost)];
    return {
      strategy,
      name: strategyName(strategy, report),
      results: grouped(results),
      hints: grouped(hints),
      ofBytes,
      saved: short(savedTokens),
      carried,
      worth,
      weight: savedTokens / most,
      brief: fill(text.brief, {
        hints: counted(strings.counts.hints, hints),
        results: counted(strings.counts.results, results),
        share: ofBytes,
        carried,
        worth,
      }),
    };
  });
}

/** One sentence about those that save nothing; "" where all save something. */
export function uselessStrategies(reports: readonly StrategyReport[]): string {
  const names = reports
    .filter(({ savedTokens }) => savedTokens === 0)
    .map(({ strategy }) => strings.strategies[strategy].name);
  return names.length === 0 ? "" : fill(text.savesNothing, { names: names.join(", ") });
}

export interface PassText {
  readonly name: string;
  readonly frees: string;
  readonly rewritten: string;
  readonly paysOff: string;
}

export function passText(projection: PassProjection): PassText {
  const { rewrittenTokens, breakEvenRequests, unpriced } = projection;
  const why = unpriced === null ? strings.app.unknown : text.unpricedWhy[unpriced];
  const unchanged = unpriced === "unchanged";
  return {
    name: passName(projection),
    frees: unchanged ? "–" : freedText(projection),
    rewritten: unchanged ? "–" : rewrittenTokens === null ? strings.app.unknown : short(rewrittenTokens),
    paysOff:
      breakEvenRequests === null
        ? why
        : breakEvenRequests === 0
          ? text.atOnce
          : counted(strings.counts.requests, breakEvenRequests),
  };
}

function freedText({ savedTokens, savesMore }: PassProjection): string {
  if (savedTokens < 0) return fill(text.adds, { tokens: short(-savedTokens) });
  if (!savesMore) return short(savedTokens);
  return savedTokens === 0 ? strings.app.unknown : fill(text.orMore, { tokens: short(savedTokens) });
}
