import { type Door, REPLACEABLE } from "../dedup/door.js";
import type { DedupEvent } from "../dedup/events.js";
import type { DedupSettings } from "../dedup/settings.js";
import { type Calibration, type Calibrations, calibrate, calibrationsOf, type Ratios } from "../log/calibration.js";
import { groupSessions } from "../log/sessionFiles.js";
import type { Trial } from "../settings/liveSettings.js";
import type { PriceTable } from "../settings/shapes.js";
import type { FigureSettings } from "../settings/table.js";
import { CopyFilter } from "./copies.js";
import { type Cost, type CostPlace, CostSum, costPlaces, UNSENT } from "./cost.js";
import { addFigures, addRow, emptyFigures, type Figures, rounded } from "./figures.js";
import { GateSums, type GatesReport } from "./gateFigures.js";
import { GateKeeper } from "./gates.js";
import type { ContextData, LogData } from "./logData.js";
import { kindAt, type OutcomeKind } from "./outcomes.js";
import { type PartitionPasses, type PassesReport, PassSums, projectPartition } from "./passFigures.js";
import { priceOf, ratesOf, readShare, withListPrices } from "./prices.js";
import { ResultRows, ROW_WIDTH } from "./rows.js";
import { addRunSizes, emptyRunSizes, type RunSizePoint, roundedRunSizes } from "./runSizes.js";
import {
  addSaving,
  emptyStrategySums,
  type FiguresByStrategy,
  figuresByStrategy,
  type StrategyReport,
  type StrategySums,
  strategyReports,
} from "./strategyFigures.js";
import { savingsOf } from "./strategyRows.js";
import { type Advice, addSweepRow, advise, emptySweep, type SweepPoint } from "./sweepFigures.js";
import { type TrialReport, trialReport } from "./trialReport.js";

/** What `report --json` prints; its shape is a contract: docs/json.md "Report". */
export interface Report {
  readonly schema: 2;
  readonly settings: DedupSettings;
  readonly door: Door;
  /** The tools whose results that door can replace, as patterns. */
  readonly replaceable: readonly string[];
  readonly sessions: readonly SessionReport[];
  readonly projects: readonly ({ readonly project: string; readonly sessions: number } & Figures)[];
  readonly tools: readonly ({ readonly tool: string } & Figures)[];
  readonly sweep: readonly SweepPoint[];
  readonly advice: Advice;
  /** What each strategy would save: all of them if asked for, else those that need no replay of their own. */
  readonly strategies: readonly StrategyReport[];
  /** What live hints would save with other smallest runs; only if all strategies were asked for. */
  readonly runSizes?: readonly RunSizePoint[];
  readonly cost: CostReport;
  /** What other systems would do; only if asked for. */
  readonly passes?: PassesReport;
  /** What hints do to sessions; only if asked for. */
  readonly trial?: TrialReport;
  /** Why nothing hit, and where the tokens went. */
  readonly gates: GatesReport;
  /** How far off the token estimates are: the contexts' median errors, weighted by their tokens. */
  readonly estimate: {
    readonly samples: number;
    readonly medianAbsError: number | null;
    /** Set by the user in place of everything measured. */
    readonly charsPerToken?: number;
  };
  readonly totals: Figures & { readonly sessions: number; readonly copiedResults: number };
}

/** What a session's logs say of it. */
export interface SessionDescription {
  readonly file: string;
  readonly sessionId: string;
  readonly project: string | null;
  readonly badLines: number;
  /** Lines beyond what is told apart in one log: see `log/logHeader.ts`. */
  readonly leftOutLines: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly models: readonly string[];
  readonly versions: readonly string[];
}

export interface SessionReport extends SessionDescription {
  readonly calibration: Calibration;
  readonly contexts: readonly ContextReport[];
}

export interface ContextReport {
  readonly id: string;
  /** A subagent's own file, to which the line numbers of its events refer. */
  readonly file?: string;
  readonly model: string;
  readonly requests: number;
  readonly partitions: readonly PartitionReport[];
  readonly events?: readonly DedupEvent[];
}

export interface PartitionReport extends Figures {
  readonly index: number;
  /** Only if all strategies were asked for. */
  readonly strategies?: FiguresByStrategy;
  /** Only if passes were asked for; null where the context held nothing. */
  readonly passes?: PartitionPasses | null;
}

/** What saved tokens would have cost. Three claims that are never added up. */
export interface CostReport {
  /** Where the prices are from. */
  readonly prices: string;
  /** Models of these sessions that have no price. */
  readonly unpricedModels: readonly string[];
  /** What hints would save. */
  readonly hits: Cost;
  /** What Claude Code's own stubs saved. */
  readonly native: Cost;
  /** What live hints saved. */
  readonly realised: Cost;
}

/** How to make figures of what was replayed. */
export interface ReportOptions extends Partial<FigureSettings> {
  /** All strategies were replayed. */
  readonly strategies?: boolean | undefined;
  /** Other systems' passes were measured. */
  readonly passes?: boolean | undefined;
  /** The groups of a trial are to be compared; null if there was none. */
  readonly trial?: Trial | null | undefined;
  /** The ratios over all sessions, where the report is about a few of them. */
  readonly everywhere?: Calibrations | undefined;
}

/** Which sessions to show. Everything is replayed all the same: a hidden session may calibrate a shown one. */
export type SessionFilter = (session: Pick<SessionDescription, "project" | "lastAt">) => boolean;

export function buildReport(
  logs: readonly LogData[],
  settings: DedupSettings,
  shows: SessionFilter,
  options: ReportOptions = {},
): Report {
  return new ReportBuilder(logs, settings, options).build(shows);
}

class ReportBuilder {
  readonly #logs: readonly LogData[];
  readonly #settings: DedupSettings;
  readonly #options: ReportOptions;
  readonly #prices: PriceTable;
  readonly #strategies: StrategySums;
  readonly #costs = { hits: new CostSum(), native: new CostSum(), realised: new CostSum() };
  readonly #unpricedModels = new Set<string>();
  readonly #passes = new PassSums();
  readonly #gates = new GateSums();
  readonly #ratios: Ratios;
  readonly #samples: number;
  readonly #copies = new CopyFilter();
  readonly #totals = emptyFigures();
  readonly #projects = new Map<string, Figures & { sessions: number }>();
  readonly #tools = new Map<string, Figures>();
  readonly #sweep = emptySweep();
  readonly #runSizes = emptyRunSizes();
  readonly #band = { tokens: 0, error: 0 };
  #copiedResults = 0;

  constructor(logs: readonly LogData[], settings: DedupSettings, options: ReportOptions) {
    this.#logs = logs;
    this.#settings = settings;
    this.#options = options;
    this.#prices = withListPrices(options.prices);
    this.#strategies = this.#emptySums();
    const samples = logs.flatMap(log => log.samples);
    this.#samples = samples.length;
    this.#ratios = { everywhere: options.everywhere ?? calibrationsOf(samples), set: options.charsPerToken };
  }

  build(shows: SessionFilter): Report {
    const { trial } = this.#options;
    const sessions: SessionReport[] = [];
    for (const { main, agents } of groupSessions(this.#logs)) {
      const session = this.#session(main, agents, shows);
      if (session !== undefined) sessions.push(session);
    }
    return {
      schema: 2,
      settings: this.#settings,
      door: this.#settings.door,
      replaceable: REPLACEABLE[this.#settings.door],
      sessions,
      projects: byTokens(
        [...this.#projects].map(([project, { sessions: count, ...figures }]) => ({
          project,
          sessions: count,
          ...rounded(figures),
        })),
      ),
      tools: byTokens([...this.#tools].map(([tool, figures]) => ({ tool, ...rounded(figures) }))),
      sweep: this.#sweep.map(point => ({ ...point, savedTokens: Math.round(point.savedTokens) })),
      advice: advise(this.#sweep),
      strategies: strategyReports(this.#strategies, this.#totals.bytes, this.#settings),
      ...(this.#options.strategies && { runSizes: roundedRunSizes(this.#runSizes) }),
      cost: {
        prices: this.#prices.source,
        unpricedModels: [...this.#unpricedModels].sort(),
        hits: this.#costs.hits.cost,
        native: this.#costs.native.cost,
        realised: this.#costs.realised.cost,
      },
      ...(this.#options.passes && { passes: this.#passes.report }),
      ...(trial !== undefined && { trial: trialReport(this.#logs, trial ?? undefined, shows) }),
      gates: this.#gates.report(),
      estimate: this.#estimate(),
      totals: { sessions: sessions.length, ...rounded(this.#totals), copiedResults: this.#copiedResults },
    };
  }

  #session(main: LogData, agents: readonly LogData[], shows: SessionFilter): SessionReport | undefined {
    const logs = [main, ...agents];
    const description = describeSession(main, agents);
    if (!shows(description)) return undefined;
    const ofProject = this.#ofProject(description.project ?? "");
    ofProject.sessions++;
    const own = calibrationsOf(logs.flatMap(log => log.samples));
    const calibrationOf = (model: string) => calibrate(model, own, this.#ratios);
    const contexts = logs.flatMap(log => log.contexts);
    return {
      ...description,
      calibration: calibrationOf(contexts[0]?.model ?? ""),
      contexts: contexts.map(context => this.#context(context, main.path, calibrationOf(context.model), ofProject)),
    };
  }

  #context(context: ContextData, mainFile: string, calibration: Calibration, ofProject: Figures): ContextReport {
    const { charsPerToken, medianAbsError } = calibration;
    const rows = new ResultRows(context.rows, context.rows.length / ROW_WIDTH);
    const partitions = context.partitionRequests.map(emptyFigures);
    const partitionSums = this.#options.strategies ? context.partitionRequests.map(() => this.#emptySums()) : undefined;
    const savings = [...savingsOf(context, rows, this.#settings)];
    const price = priceOf(context.model, this.#prices);
    if (price === undefined && context.requests > 0) this.#unpricedModels.add(context.model);
    const places = context.requestCosts.map(requests => costPlaces(requests, price));
    // What it would cost from now on, at today's rates.
    const rates = price && ratesOf(price, 0, 0);
    const passes = context.passes?.map(
      one => one && projectPartition(one, { charsPerToken, readShare: readShare(rates) }),
    );
    for (const one of passes ?? []) if (one !== null) this.#passes.add(one, rates?.input);
    const keeper = new GateKeeper(rows, context);
    const tokensOf = (row: number) => rows.get(row, "chars") / charsPerToken;
    const copied = new Set<number>();
    const byTool = context.tools.map(emptyFigures);
    for (let row = 0; row < rows.length; row++) {
      const partition = rows.get(row, "partition");
      const place = places[partition]?.[rows.get(row, "request")] ?? UNSENT;
      const { laterRequests } = place;
      const isFirst = this.#copies.isFirst(rows, row);
      for (const [strategy, savingOf] of savings) {
        const saving = savingOf(row);
        if (saving === undefined) continue;
        const ofPartition = partitionSums?.[partition];
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
      for (const to of [this.#ofTool(context.tools[index] ?? ""), ofProject, this.#totals]) addFigures(to, figures);
    }
    this.#copiedResults += copied.size;
    if (medianAbsError !== null) {
      const tokens = partitions.reduce((sum, figures) => sum + figures.tokens, 0);
      this.#band.tokens += tokens;
      this.#band.error += tokens * medianAbsError;
    }
    if (context.runSizes) addRunSizes(this.#runSizes, context.runSizes, charsPerToken, row => !copied.has(row));
    for (const hit of context.sweep) if (!copied.has(hit.row)) addSweepRow(this.#sweep, hit, charsPerToken);
    return {
      id: context.id,
      ...(context.file !== undefined && { file: context.file }),
      model: context.model,
      requests: context.requests,
      partitions: partitions.map((figures, index) => ({
        index,
        ...rounded(figures),
        ...(passes && { passes: passes[index] ?? null }),
        ...(partitionSums && { strategies: figuresByStrategy(partitionSums[index] ?? this.#emptySums()) }),
      })),
      ...(context.events && { events: context.events }),
    };
  }

  #emptySums(): StrategySums {
    return emptyStrategySums(this.#settings, this.#options.strategies === true);
  }

  #addCost(rows: ResultRows, row: number, charsPerToken: number, place: CostPlace): void {
    const kind = COSTED[kindAt(rows, row)];
    if (kind !== undefined) this.#costs[kind].add(rows.get(row, "savedChars") / charsPerToken, place);
  }

  #estimate(): Report["estimate"] {
    const { tokens, error } = this.#band;
    const { charsPerToken } = this.#options;
    return {
      samples: this.#samples,
      medianAbsError: tokens === 0 ? null : error / tokens,
      ...(charsPerToken !== undefined && { charsPerToken }),
    };
  }

  #ofTool(tool: string): Figures {
    const known = this.#tools.get(tool) ?? emptyFigures();
    this.#tools.set(tool, known);
    return known;
  }

  #ofProject(project: string): Figures & { sessions: number } {
    const known = this.#projects.get(project) ?? { sessions: 0, ...emptyFigures() };
    this.#projects.set(project, known);
    return known;
  }
}

const COSTED: { readonly [K in OutcomeKind]?: "hits" | "native" | "realised" } = {
  hit: "hits",
  nearHit: "hits",
  partial: "hits",
  native: "native",
  realised: "realised",
};

export function describeSession(main: LogData, agents: readonly LogData[]): SessionDescription {
  const logs = [main, ...agents];
  return {
    file: main.path,
    sessionId: main.sessionId ?? main.path.replace(/^.*[\\/]|\.jsonl$/g, ""),
    project: logs.find(log => log.project !== undefined)?.project ?? null,
    badLines: logs.reduce((sum, log) => sum + log.badLines, 0),
    leftOutLines: logs.reduce((sum, log) => sum + log.leftOutLines, 0),
    firstAt: earliest(logs.map(log => log.firstAt)) ?? null,
    lastAt: latest(logs.map(log => log.lastAt)) ?? null,
    models: [...new Set(logs.flatMap(log => log.models))],
    versions: [...new Set(logs.flatMap(log => log.versions))],
  };
}

/** A session's figures over all its contexts. */
export function sessionFigures(session: SessionReport): Figures {
  const sum = emptyFigures();
  for (const context of session.contexts) for (const partition of context.partitions) addFigures(sum, partition);
  return sum;
}

function byTokens<T extends Figures>(figures: T[]): T[] {
  return figures.sort((left, right) => right.tokens - left.tokens);
}

function latest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter(time => time !== undefined).reduce<string | undefined>((a, b) => (a && a > b ? a : b), undefined);
}

function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter(time => time !== undefined).reduce<string | undefined>((a, b) => (a && a < b ? a : b), undefined);
}
