import type { WaySaving } from "../dedup/otherWays.js";
import type { DedupSettings } from "../dedup/settings.js";
import { type Cost, type CostPlace, CostSum } from "./cost.js";
import { needsOf, parametersOf, STRATEGY_IDS, type Strategy, type StrategyParameters } from "./strategies.js";

/** What one strategy would save. Tokens are estimates: characters ÷ the ratio. */
export interface StrategyFigures {
  /** Results that are replaced, in whole or in part. */
  results: number;
  hints: number;
  savedBytes: number;
  savedTokens: number;
  /** Saved tokens × the requests that followed in the same partition. */
  carriedTokens: number;
}

/** One row of the comparison. */
export interface StrategyReport extends StrategyParameters, StrategyFigures {
  readonly strategy: Strategy;
  /** Saved bytes ÷ the bytes of all results; null if there are none. */
  readonly share: number | null;
  readonly cost: Cost;
}

export type StrategySums = ReadonlyMap<Strategy, { readonly figures: StrategyFigures; readonly cost: CostSum }>;

/** Sums for all strategies, or only for those that need no separate replay. */
export function emptyStrategySums(settings: DedupSettings, all: boolean): StrategySums {
  const known = STRATEGY_IDS.filter(strategy => all || needsOf(strategy, settings) !== "replay");
  return new Map(known.map(strategy => [strategy, { figures: emptyStrategyFigures(), cost: new CostSum() }]));
}

function emptyStrategyFigures(): StrategyFigures {
  return { results: 0, hints: 0, savedBytes: 0, savedTokens: 0, carriedTokens: 0 };
}

export function addSaving(
  sums: StrategySums,
  strategy: Strategy,
  { hints, savedBytes, savedChars }: WaySaving,
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

export function strategyReports(sums: StrategySums, bytes: number, settings: DedupSettings): StrategyReport[] {
  return [...sums].map(([strategy, { figures, cost }]) => ({
    strategy,
    ...parametersOf(strategy, settings),
    ...roundedSaving(figures),
    share: bytes === 0 ? null : figures.savedBytes / bytes,
    cost: cost.cost,
  }));
}

/** One partition's figures, without strategies that were not replayed. */
export type FiguresByStrategy = Readonly<Partial<Record<Strategy, StrategyFigures>>>;

export function figuresByStrategy(sums: StrategySums): FiguresByStrategy {
  return Object.fromEntries([...sums].map(([strategy, { figures }]) => [strategy, roundedSaving(figures)]));
}

function roundedSaving(figures: StrategyFigures): StrategyFigures {
  return {
    ...figures,
    savedTokens: Math.round(figures.savedTokens),
    carriedTokens: Math.round(figures.carriedTokens),
  };
}
