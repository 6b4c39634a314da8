/** Comparisons of strategies: their input, and what a page gets, in the report's own figures. */
import type { Emission } from "../dedup/emission.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { CostReport, Report } from "../inspect/report.js";
import type { RunSizePoint } from "../inspect/runSizes.js";
import type { FiguresByStrategy, StrategyReport } from "../inspect/strategyFigures.js";
import type { TrialReport } from "../inspect/trialReport.js";
import type { Calibrations } from "../log/calibration.js";
import type { FigureSettings } from "../settings/table.js";
import type { Progress } from "./messages.js";
import type { EmittedHint } from "./requests.js";

interface ComparedUnder {
  readonly settings: DedupSettings;
  readonly figures: FigureSettings;
}

/** One context of a session, by the session's files. */
export interface ComparedSession extends ComparedUnder {
  readonly files: readonly string[];
  readonly context: string;
  readonly everywhere: Calibrations;
}

/** All logs below these roots. */
export interface ComparedLogs extends ComparedUnder {
  readonly roots: readonly string[];
  readonly sample?: string | undefined;
  readonly useCache: boolean;
}

/** The call and the lines that a hint refers to. */
export type HintSource = Omit<EmittedHint, "line">;

/** What replaces a text, with the source of each of its hints. */
export interface PlacedEmission {
  readonly emission: Emission;
  readonly sources: readonly HintSource[];
}

export interface StrategyComparison {
  readonly strategies: readonly StrategyReport[];
  /** What live hints would save with other minimum runs. */
  readonly runSizes: readonly RunSizePoint[];
  readonly cost: Pick<CostReport, "prices" | "unpricedModels">;
  /** Of everything that was compared. */
  readonly results: number;
  readonly bytes: number;
}

export function comparisonOf({ strategies, runSizes = [], cost, totals }: Report): StrategyComparison {
  const { prices, unpricedModels } = cost;
  return { strategies, runSizes, cost: { prices, unpricedModels }, results: totals.results, bytes: totals.bytes };
}

/** Of one conversation. */
export interface ContextComparison extends StrategyComparison {
  readonly partitions: readonly FiguresByStrategy[];
}

export interface AllSessionsReport extends StrategyComparison, Pick<Report, "gates" | "sweep"> {
  readonly sessions: number;
  /** What a trial of live hints shows, and which hints were asked for again. */
  readonly trial: TrialReport | null;
  /** The capacity it was made with. The report stays visible when another one is applied. */
  readonly capacity: number;
}

/** For all sessions, on request. */
export interface AllSessions {
  /** Null if none is in progress. */
  readonly progress: Progress | null;
  /** Null until it is complete, and again once settings other than the capacity change. */
  readonly report: AllSessionsReport | null;
  /** Why it could not be made. */
  readonly problem: string | null;
}

export const NO_SESSIONS_COMPARED: AllSessions = { progress: null, report: null, problem: null };
