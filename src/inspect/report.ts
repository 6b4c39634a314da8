import { type Door, REPLACEABLE } from "../dedup/door.js";
import type { DedupEvent } from "../dedup/events.js";
import type { DedupSettings } from "../dedup/settings.js";
import { type Calibration, type Calibrations, calibrate, calibrationsOf, type Ratios } from "../log/calibration.js";
import { groupSessions } from "../log/sessionFiles.js";
import type { Trial } from "../settings/liveSettings.js";
import type { PriceTable } from "../settings/shapes.js";
import type { FigureSettings } from "../settings/table.js";
import { type Cost, modelAtEnd } from "./cost.js";
import { addFigures, emptyFigures, type Figures, rounded } from "./figures.js";
import type { GatesReport } from "./gateFigures.js";
import type { LogData } from "./logData.js";
import { type PartitionPasses, type PassesReport, PassSums, projectPartition } from "./passFigures.js";
import { currentRates, pricesOf, readShare, unpricedOf, withListPrices } from "./prices.js";
import { PlainSums, type RowSums, type RowTotals, type SummedContext } from "./rowSums.js";
import { type RunSizePoint, roundedRunSizes } from "./runSizes.js";
import { describeSession, type SessionDescription, type SessionFilter } from "./sessionDescription.js";
import { type FiguresByStrategy, figuresByStrategy, type StrategyReport, strategyReports } from "./strategyFigures.js";
import { type Advice, advise, type SweepPoint } from "./sweepFigures.js";
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
  /** What each strategy would save: all of them if requested, otherwise those that need no separate replay. */
  readonly strategies: readonly StrategyReport[];
  /** What live hints would save with other minimum runs; only if all strategies were requested. */
  readonly runSizes?: readonly RunSizePoint[];
  readonly cost: CostReport;
  /** What other systems would do; only if requested. */
  readonly passes?: PassesReport;
  /** What hints do to sessions; only if requested. */
  readonly trial?: TrialReport;
  /** Why nothing hit, and where the tokens went. */
  readonly gates: GatesReport;
  /** How far off the token estimates are: the contexts' median errors, weighted by their tokens. */
  readonly estimate: {
    readonly samples: number;
    readonly medianAbsError: number | null;
    /** Set by the user; overrides everything measured. */
    readonly charsPerToken?: number;
  };
  readonly totals: Figures & { readonly sessions: number; readonly copiedResults: number };
}

export interface SessionReport extends SessionDescription {
  readonly calibration: Calibration;
  readonly contexts: readonly ContextReport[];
}

export interface ContextReport {
  readonly id: string;
  /** A subagent's own file, which the line numbers of its events refer to. */
  readonly file?: string;
  readonly model: string;
  readonly requests: number;
  readonly partitions: readonly PartitionReport[];
  readonly events?: readonly DedupEvent[];
}

export interface PartitionReport extends Figures {
  readonly index: number;
  /** Only if all strategies were requested. */
  readonly strategies?: FiguresByStrategy;
  /** Only if passes were requested; null if the context held nothing. */
  readonly passes?: PartitionPasses | null;
}

/** What saved tokens would have cost. Three separate claims that are never added up. */
export interface CostReport {
  /** The source of the prices. */
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

/** How to turn the replay into figures. */
export interface ReportOptions extends Partial<FigureSettings> {
  /** All strategies were replayed. */
  readonly strategies?: boolean | undefined;
  /** Other systems' passes were measured. */
  readonly passes?: boolean | undefined;
  /** Compare the groups of a trial; null if there was none. */
  readonly trial?: Trial | null | undefined;
  /** The ratios over all sessions, if the report covers only some of them. */
  readonly everywhere?: Calibrations | undefined;
}

export function buildReport(
  logs: readonly LogData[],
  settings: DedupSettings,
  shows: SessionFilter,
  options: ReportOptions = {},
  sums: RowSums = new PlainSums(settings, options.strategies === true),
): Report {
  return new ReportBuilder(logs, settings, options, sums).build(shows);
}

class ReportBuilder {
  readonly #logs: readonly LogData[];
  readonly #settings: DedupSettings;
  readonly #options: ReportOptions;
  readonly #sums: RowSums;
  readonly #prices: PriceTable;
  readonly #unpricedModels = new Set<string>();
  readonly #passes = new PassSums();
  readonly #ratios: Ratios;
  readonly #samples: number;
  /** The number of shown sessions of each. */
  readonly #projects = new Map<string, number>();

  constructor(logs: readonly LogData[], settings: DedupSettings, options: ReportOptions, sums: RowSums) {
    this.#logs = logs;
    this.#settings = settings;
    this.#options = options;
    this.#sums = sums;
    this.#prices = withListPrices(options.prices);
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
    const totals = this.#sums.totals();
    return {
      schema: 2,
      settings: this.#settings,
      door: this.#settings.door,
      replaceable: REPLACEABLE[this.#settings.door],
      sessions,
      projects: byTokens(
        [...this.#projects].map(([project, count]) => ({
          project,
          sessions: count,
          ...rounded(totals.projects.get(project) ?? emptyFigures()),
        })),
      ),
      tools: byTokens([...totals.tools].map(([tool, figures]) => ({ tool, ...rounded(figures) }))),
      sweep: totals.sweep.map(point => ({ ...point, savedTokens: Math.round(point.savedTokens) })),
      advice: advise(totals.sweep),
      strategies: strategyReports(totals.strategies, totals.all.bytes, this.#settings),
      ...(this.#options.strategies && { runSizes: roundedRunSizes(totals.runSizes) }),
      cost: {
        prices: this.#prices.source,
        unpricedModels: [...this.#unpricedModels].sort(),
        hits: totals.costs.hits,
        native: totals.costs.native,
        realised: totals.costs.realised,
      },
      ...(this.#options.passes && { passes: this.#passes.report }),
      ...(trial !== undefined && { trial: trialReport(this.#logs, trial ?? undefined, shows) }),
      gates: totals.gates,
      estimate: this.#estimate(totals),
      totals: { sessions: sessions.length, ...rounded(totals.all), copiedResults: totals.copiedResults },
    };
  }

  #session(main: LogData, agents: readonly LogData[], shows: SessionFilter): SessionReport | undefined {
    const logs = [main, ...agents];
    const description = describeSession(main, agents);
    if (!shows(description)) return undefined;
    const project = description.project ?? "";
    this.#projects.set(project, (this.#projects.get(project) ?? 0) + 1);
    const own = calibrationsOf(logs.flatMap(log => log.samples));
    const calibrationOf = (model: string) => calibrate(model, own, this.#ratios);
    const contexts = logs.flatMap(log => log.contexts);
    return {
      ...description,
      calibration: calibrationOf(contexts[0]?.model ?? ""),
      contexts: contexts.map(context => {
        const [calibration, prices] = [calibrationOf(context.model), pricesOf(context.models, this.#prices)];
        return this.#context({ context, mainFile: main.path, project, calibration, prices });
      }),
    };
  }

  #context(one: SummedContext): ContextReport {
    const { context, prices } = one;
    const { charsPerToken } = one.calibration;
    for (const model of unpricedOf(context.models, prices)) this.#unpricedModels.add(model);
    const passes = context.passes?.map((one, partition) => {
      if (one === null) return null;
      // The next request would probably go to the model that answered the newest one.
      const rates = currentRates(modelAtEnd(context, partition), this.#prices);
      const projected = projectPartition(one, { charsPerToken, readShare: readShare(rates) });
      this.#passes.add(projected, rates?.input);
      return projected;
    });
    const { figures, strategies } = this.#sums.add(one);
    return {
      id: context.id,
      ...(context.file !== undefined && { file: context.file }),
      model: context.model,
      requests: context.requests,
      partitions: figures.map((of, index) => {
        const sums = strategies?.[index];
        return {
          index,
          ...rounded(of),
          ...(passes && { passes: passes[index] ?? null }),
          ...(sums && { strategies: figuresByStrategy(sums) }),
        };
      }),
      ...(context.events && { events: context.events }),
    };
  }

  #estimate({ band: { tokens, error } }: RowTotals): Report["estimate"] {
    const { charsPerToken } = this.#options;
    return {
      samples: this.#samples,
      medianAbsError: tokens === 0 ? null : error / tokens,
      ...(charsPerToken !== undefined && { charsPerToken }),
    };
  }
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
