import type { DedupSettings } from "../dedup/settings.js";
import type { Calibration } from "../log/calibration.js";
import type { Price } from "../settings/shapes.js";
import { CopyFilter } from "./copies.js";
import { type Cost, type CostPlace, CostPlaces, CostSum, UNSENT } from "./cost.js";
import { addFigures, addRow, emptyFigures, type Figures } from "./figures.js";
import { GateSums, type GatesReport } from "./gateFigures.js";
import { GateKeeper } from "./gates.js";
import type { ContextData } from "./logData.js";
import { kindAt, lostChars, type OutcomeKind } from "./outcomes.js";
import { ResultRows, ROW_WIDTH, sweepRows } from "./rows.js";
import { addRunSizes, emptyRunSizes, type RunSizePoint } from "./runSizes.js";
import { addSaving, emptyStrategySums, type StrategySums } from "./strategyFigures.js";
import { savingsOf } from "./strategyRows.js";
import { addSweepRow, emptySweep, type SweepPoint } from "./sweepFigures.js";

/** A context, and what its rows do not include. */
export interface SummedContext {
  readonly context: ContextData;
  /** The session's main file. */
  readonly mainFile: string;
  readonly project: string;
  readonly calibration: Calibration;
  /** Of its models: see `pricesOf`. */
  readonly prices: readonly (Price | undefined)[];
}

/** The sums over the rows of one context, by partition. */
export interface PartitionSums {
  readonly figures: readonly Figures[];
  /** Only if all strategies were requested. */
  readonly strategies?: readonly StrategySums[] | undefined;
}

/** The sums over the rows of all contexts. Token figures are not rounded. */
export interface RowTotals {
  readonly all: Figures;
  readonly copiedResults: number;
  /** In order of appearance; without those that have no results of their own. */
  readonly tools: ReadonlyMap<string, Figures>;
  readonly projects: ReadonlyMap<string, Figures>;
  readonly sweep: readonly SweepPoint[];
  readonly strategies: StrategySums;
  readonly runSizes: readonly RunSizePoint[];
  readonly costs: Readonly<Record<CostKind, Cost>>;
  readonly gates: GatesReport;
  /** The tokens of contexts whose estimates have a known error, and these tokens × that error. */
  readonly band: { readonly tokens: number; readonly error: number };
}

/** Sums rows, context by context: a copy of a row in a later one only counts for its own partition. */
export interface RowSums {
  add(one: SummedContext): PartitionSums;
  totals(): RowTotals;
}

/** Three separate claims that are never added up. */
export type CostKind = "hits" | "native" | "realised";

export class PlainSums implements RowSums {
  readonly #settings: DedupSettings;
  readonly #withStrategies: boolean;
  readonly #strategies: StrategySums;
  readonly #costs = { hits: new CostSum(), native: new CostSum(), realised: new CostSum() };
  readonly #gates = new GateSums();
  readonly #copies = new CopyFilter();
  readonly #all = emptyFigures();
  readonly #projects = new Map<string, Figures>();
  readonly #tools = new Map<string, Figures>();
  readonly #sweep = emptySweep();
  readonly #runSizes = emptyRunSizes();
  readonly #band = { tokens: 0, error: 0 };
  #copiedResults = 0;

  /** `withStrategies`: all of them were replayed. */
  constructor(settings: DedupSettings, withStrategies: boolean) {
    this.#settings = settings;
    this.#withStrategies = withStrategies;
    this.#strategies = this.#emptySums();
  }

  add({ context, mainFile, project, calibration, prices }: SummedContext): PartitionSums {
    const { charsPerToken, medianAbsError } = calibration;
    const rows = new ResultRows(context.rows, context.rows.length / ROW_WIDTH);
    const partitions = context.partitionRequests.map(emptyFigures);
    const strategies = this.#withStrategies ? context.partitionRequests.map(() => this.#emptySums()) : undefined;
    const savings = [...savingsOf(context, rows, this.#settings)];
    const places = context.requestCosts.map(requests => new CostPlaces(requests, prices));
    const keeper = new GateKeeper(rows, context);
    const tokensOf = (row: number) => rows.get(row, "chars") / charsPerToken;
    const copied = new Set<number>();
    const byTool = context.tools.map(emptyFigures);
    for (let row = 0; row < rows.length; row++) {
      const partition = rows.get(row, "partition");
      const place = places[partition]?.at(rows.get(row, "request")) ?? UNSENT;
      const { laterRequests } = place;
      const isFirst = this.#copies.isFirst(rows, row);
      for (const [strategy, savingOf] of savings) {
        const saving = savingOf(row);
        if (saving === undefined) continue;
        const ofPartition = strategies?.[partition];
        if (ofPartition !== undefined) addSaving(ofPartition, strategy, saving, charsPerToken, place);
        if (isFirst) addSaving(this.#strategies, strategy, saving, charsPerToken, place);
      }
      const { gate, use } = keeper.next(row);
      addRow(partitions[partition] ?? emptyFigures(), rows, row, charsPerToken, laterRequests);
      if (!isFirst) {
        copied.add(row);
        continue;
      }
      this.#addCost(rows, row, charsPerToken, place);
      const tool = context.tools[rows.get(row, "tool")] ?? "";
      const path = context.files[rows.get(row, "file") - 1];
      const [line, bytes, tokens] = [rows.get(row, "line"), rows.get(row, "bytes"), tokensOf(row)];
      this.#gates.add(
        { file: context.file ?? mainFile, context: context.id, line, tool, path, bytes, tokens },
        gate,
        use,
      );
      for (const stale of use.madeStale) this.#gates.addStale(path ?? "", tokensOf(stale));
      addRow(byTool[rows.get(row, "tool")] ?? emptyFigures(), rows, row, charsPerToken, laterRequests);
    }
    for (const [index, figures] of byTool.entries()) {
      if (figures.results === 0) continue;
      addFigures(sumsOf(context.tools[index] ?? "", this.#tools), figures);
      addFigures(sumsOf(project, this.#projects), figures);
      addFigures(this.#all, figures);
    }
    this.#copiedResults += copied.size;
    if (medianAbsError !== null) {
      const tokens = partitions.reduce((sum, figures) => sum + figures.tokens, 0);
      this.#band.tokens += tokens;
      this.#band.error += tokens * medianAbsError;
    }
    if (context.runSizes) addRunSizes(this.#runSizes, context.runSizes, charsPerToken, row => !copied.has(row));
    for (const hit of sweepRows(context.sweep)) if (!copied.has(hit.row)) addSweepRow(this.#sweep, hit, charsPerToken);
    return { figures: partitions, strategies };
  }

  totals(): RowTotals {
    const { hits, native, realised } = this.#costs;
    return {
      all: this.#all,
      copiedResults: this.#copiedResults,
      tools: this.#tools,
      projects: this.#projects,
      sweep: this.#sweep,
      strategies: this.#strategies,
      runSizes: this.#runSizes,
      costs: { hits: hits.cost, native: native.cost, realised: realised.cost },
      gates: this.#gates.report(),
      band: this.#band,
    };
  }

  #emptySums(): StrategySums {
    return emptyStrategySums(this.#settings, this.#withStrategies);
  }

  #addCost(rows: ResultRows, row: number, charsPerToken: number, place: CostPlace): void {
    const kind = COSTED[kindAt(rows, row)];
    if (kind !== undefined) this.#costs[kind].add(rows.get(row, "savedChars") / charsPerToken, place);
    const lost = lostChars(rows, row);
    if (lost > 0) this.#costs.realised.add(-lost / charsPerToken, place);
  }
}

const COSTED: { readonly [K in OutcomeKind]?: CostKind } = {
  hit: "hits",
  nearHit: "hits",
  partial: "hits",
  native: "native",
  realised: "realised",
};

function sumsOf(name: string, among: Map<string, Figures>): Figures {
  const known = among.get(name) ?? emptyFigures();
  among.set(name, known);
  return known;
}
