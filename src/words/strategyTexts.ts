/** The ways to save, in words: the same in the page and in a terminal. */
import { STRATEGIES, type Strategy } from "../inspect/strategies.js";
import type { StrategyReport } from "../inspect/strategyFigures.js";
import { grouped, percent, short } from "./numbers.js";
import { strategyName } from "./strategyNames.js";
import { strings } from "./strings.js";
import { counted, fill, moneyText } from "./text.js";

export interface StrategyText {
  readonly strategy: Strategy;
  readonly name: string;
  /** More than live hints can save. */
  readonly upperBound: boolean;
  readonly results: string;
  readonly hints: string;
  readonly ofBytes: string;
  readonly saved: string;
  readonly carried: string;
  readonly worth: string;
  /** What it saves relative to the one that saves most. */
  readonly weight: number;
  /** Everything except name and saving, on one line. */
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
      upperBound: STRATEGIES[strategy].upperBound,
      results: grouped(results),
      hints: grouped(hints),
      ofBytes,
      saved: short(savedTokens),
      carried,
      worth,
      weight: savedTokens / most,
      brief: fill(strings.whatIf.brief, {
        hints: counted(strings.counts.hints, hints),
        results: counted(strings.counts.results, results),
        share: ofBytes,
        carried,
        worth,
      }),
    };
  });
}

/** One sentence about those that save nothing; "" if all save something. */
export function uselessStrategies(reports: readonly StrategyReport[]): string {
  const names = reports
    .filter(({ savedTokens }) => savedTokens === 0)
    .map(({ strategy }) => strings.strategies[strategy].name);
  return names.length === 0 ? "" : fill(strings.whatIf.savesNothing, { names: names.join(", ") });
}
