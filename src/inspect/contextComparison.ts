/** Compares the strategies on one conversation: the same figures that a report has for it. */
import type { DedupSettings } from "../dedup/settings.js";
import type { FigureSettings } from "../settings/table.js";
import { CopyFilter } from "./copies.js";
import { CostPlaces, UNSENT } from "./cost.js";
import { pricesOf, unpricedOf, withListPrices } from "./prices.js";
import type { ResultRows } from "./rows.js";
import { addRunSizes, emptyRunSizes, type RunSizePoint, roundedRunSizes } from "./runSizes.js";
import { STRATEGY_IDS } from "./strategies.js";
import {
  addSaving,
  emptyStrategySums,
  type FiguresByStrategy,
  figuresByStrategy,
  type StrategyReport,
  strategyReports,
} from "./strategyFigures.js";
import type { StrategyRows } from "./strategyRows.js";

/** A conversation whose strategies have been replayed. */
export interface ComparedContext {
  readonly model: {
    /** Only the columns that no setting changes are used. */
    readonly rows: ResultRows;
    readonly partitionRequests: readonly number[];
    readonly requestCosts: readonly (readonly number[])[];
    /** The models that answered them. */
    readonly models: readonly string[];
  };
  readonly strategies: StrategyRows;
  /** Packed: see runSizes.ts. */
  readonly sizes: Uint32Array;
}

export interface ContextComparisonOptions {
  readonly settings: DedupSettings;
  readonly prices?: FigureSettings["prices"];
  readonly charsPerToken: number;
}

export interface ComparedStrategies {
  readonly strategies: readonly StrategyReport[];
  readonly cost: { readonly prices: string; readonly unpricedModels: readonly string[] };
  readonly runSizes: readonly RunSizePoint[];
  readonly results: number;
  readonly bytes: number;
  readonly partitions: readonly FiguresByStrategy[];
}

export function compareContext(
  { model, strategies, sizes }: ComparedContext,
  { settings, prices: own, charsPerToken }: ContextComparisonOptions,
): ComparedStrategies {
  const { rows, partitionRequests, requestCosts, models } = model;
  const table = withListPrices(own);
  const prices = pricesOf(models, table);
  const places = requestCosts.map(requests => new CostPlaces(requests, prices));
  const copies = new CopyFilter();
  const all = emptyStrategySums(settings, true);
  const byPartition = partitionRequests.map(() => emptyStrategySums(settings, true));
  const runSizes = emptyRunSizes();
  const copied = new Set<number>();
  let [results, bytes] = [0, 0];
  for (let row = 0; row < rows.length; row++) {
    const isFirst = copies.isFirst(rows, row);
    if (isFirst) {
      results++;
      bytes += rows.get(row, "bytes");
    } else copied.add(row);
    if (!strategies.hasAny(row)) continue;
    const partition = rows.get(row, "partition");
    const place = places[partition]?.at(rows.get(row, "request")) ?? UNSENT;
    const ofPartition = byPartition[partition];
    for (const strategy of STRATEGY_IDS) {
      const saving = strategies.find(row, strategy);
      if (saving === undefined) continue;
      if (ofPartition !== undefined) addSaving(ofPartition, strategy, saving, charsPerToken, place);
      if (isFirst) addSaving(all, strategy, saving, charsPerToken, place);
    }
  }
  addRunSizes(runSizes, sizes, charsPerToken, row => !copied.has(row));
  return {
    strategies: strategyReports(all, bytes, settings),
    cost: { prices: table.source, unpricedModels: unpricedOf(models, prices).sort() },
    runSizes: roundedRunSizes(runSizes),
    results,
    bytes,
    partitions: byPartition.map(figuresByStrategy),
  };
}
