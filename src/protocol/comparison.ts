/** The strategies side by side, as a page gets them: the figures are those of a report. */
import type { CacheProjection } from "../dedup/passes/cacheProjection.js";
import type { PassProjection } from "../dedup/passes/projections.js";
import type { CostReport, Report } from "../inspect/report.js";
import type { FiguresByStrategy, StrategyReport } from "../inspect/strategyFigures.js";
import type { Progress } from "./messages.js";

export interface StrategyComparison {
  readonly strategies: readonly StrategyReport[];
  readonly cost: Pick<CostReport, "prices" | "unpricedModels">;
  /** Of everything that was compared. */
  readonly results: number;
  readonly bytes: number;
}

export function comparisonOf({ strategies, cost, totals }: Report): StrategyComparison {
  const { prices, unpricedModels } = cost;
  return { strategies, cost: { prices, unpricedModels }, results: totals.results, bytes: totals.bytes };
}

/** For one conversation: the answer to `strategies`. */
export interface ContextComparison extends StrategyComparison {
  readonly partitions: readonly FiguresByStrategy[];
}

/** What other systems would do to the messages that the model has now: the answer to `passes`. */
export interface ContextPasses {
  readonly messages: number;
  readonly passes: readonly PassProjection[];
  readonly cacheMarks: CacheProjection;
}

/** For all sessions: made on request. */
export interface AllSessions {
  /** Null unless it is being made. */
  readonly progress: Progress | null;
  /** Null until it is made, and again after a change of settings. */
  readonly report: (StrategyComparison & { readonly sessions: number } & Pick<Report, "gates" | "sweep">) | null;
  /** Why it could not be made. */
  readonly problem: string | null;
}

export const NO_SESSIONS_COMPARED: AllSessions = { progress: null, report: null, problem: null };
