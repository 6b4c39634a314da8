import type { DedupSettings } from "../dedup/settings.js";
import { type Cost, type CostPlace, CostSum } from "./cost.js";
import { type Saving, STRATEGIES, type Strategy, type StrategyOptions } from "./strategies.js";

/** What one strategy would save. Tokens are estimates: characters ÷ the ratio. */
export interface StrategyFigures {
  /** Results that are replaced, in whole or in part. */
  results: number;
  hints: number;
  savedBytes: number;
  savedTokens: number;
  /** Saved tokens × the requests that really followed in the same partition. */
  carriedTokens: number;
}

/** One line of the comparison. */
export interface StrategyReport extends StrategyFigures {
  readonly strategy: Strategy;
  /** Of the strategies with a cache; null: without a limit. */
  readonly capacity?: number | null;
  /** Of the span references. */
  readonly spanMinBytes?: number;
  /** Saved bytes ÷ the bytes of all results; null where there are none. */
  readonly share: number | null;
  readonly cost: Cost;
}

export type StrategySums = ReadonlyMap<Strategy, { readonly figures: StrategyFigures; readonly cost: CostSum }>;

/** Sums for every strategy that is known: all of them, or those that cost nothing. */
export function emptyStrategySums({ nearRef }: DedupSettings, all: boolean): StrategySums {
  const known = STRATEGIES.filter(strategy => all || strategy.startsWith(nearRef ? "near" : "exact"));
  return new Map(known.map(strategy => [strategy, { figures: emptyStrategyFigures(), cost: new CostSum() }]));
}

function emptyStrategyFigures(): StrategyFigures {
  return { results: 0, hints: 0, savedBytes: 0, savedTokens: 0, carriedTokens: 0 };
}

export function addSaving(
  sums: StrategySums,
  strategy: Strategy,
  { hints, savedBytes, savedChars }: Saving,
  charsPerToken: number,
  place: CostPlace,
): void {
  const sum = sums.get(strategy);
  if (sum === undefined || hints === 0) return;
  const { figures, cost } = sum;
  const tokens = savedChars / charsPerToken;
  figures.results++;
  figures.hints += hints;
  figures.savedBytes += savedBytes;
  figures.savedTokens += tokens;
  figures.carriedTokens += tokens * place.laterRequests;
  cost.add(tokens, place);
}

export function strategyReports(
  sums: StrategySums,
  bytes: number,
  { capacity }: DedupSettings,
  { spanMinBytes }: StrategyOptions,
): StrategyReport[] {
  return [...sums].map(([strategy, { figures, cost }]) => ({
    strategy,
    ...(strategy.startsWith("span")
      ? { spanMinBytes }
      : { capacity: strategy.endsWith("unbounded") ? null : capacity }),
    ...roundedSaving(figures),
    share: bytes === 0 ? null : figures.savedBytes / bytes,
    cost: cost.cost,
  }));
}

/** The figures of one partition by strategy. */
export function strategyFigures(sums: StrategySums): Record<string, StrategyFigures> {
  return Object.fromEntries([...sums].map(([strategy, { figures }]) => [strategy, roundedSaving(figures)]));
}

function roundedSaving(figures: StrategyFigures): StrategyFigures {
  return {
    ...figures,
    savedTokens: Math.round(figures.savedTokens),
    carriedTokens: Math.round(figures.carriedTokens),
  };
}
