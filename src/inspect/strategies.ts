/**
 * The ways to save, one entry each. To add one: its name and its replay in `dedup/otherWays.ts`, its entry here, its words
 * in `words/strategyStrings.ts`, which does not compile without them, and its replay in `kernel/assembly/otherWays.ts`,
 * where `npm run manifests` assigns its number: `test/unit/kernel` fails without that.
 */

import type { Strategy } from "../dedup/otherWays.js";
import { BOUND_RUN_BYTES, type DedupSettings, SWEEP_CAPACITIES } from "../dedup/settings.js";

/** How a strategy decides what becomes a hint. */
export type StrategyReplay =
  /** Same as live hints: whole results in a cache, then runs of lines in the rest. */
  | { readonly kind: "live" }
  /** Whole results, compared with those in a cache. `nearRef`: also JSON objects that differ in a few values. */
  | { readonly kind: "cache"; readonly nearRef: boolean; readonly limited: boolean }
  /** Runs of lines in any result that also occur in an earlier one. `inputs`: or in an earlier call's input. */
  | { readonly kind: "span"; readonly inputs: boolean };

interface StrategyDescriptor {
  readonly replay: StrategyReplay;
  /** Shown for comparison: live hints cannot save that much. */
  readonly upperBound: boolean;
}

/** In display order. */
export const STRATEGIES = {
  live: { replay: { kind: "live" }, upperBound: false },
  whole: { replay: { kind: "cache", nearRef: false, limited: true }, upperBound: false },
  "whole-unbounded": { replay: { kind: "cache", nearRef: false, limited: false }, upperBound: true },
  near: { replay: { kind: "cache", nearRef: true, limited: true }, upperBound: false },
  "near-unbounded": { replay: { kind: "cache", nearRef: true, limited: false }, upperBound: true },
  span: { replay: { kind: "span", inputs: false }, upperBound: true },
  "span-inputs": { replay: { kind: "span", inputs: true }, upperBound: true },
} as const satisfies Readonly<Record<Strategy, StrategyDescriptor>>;

export type { Strategy };

/** The strategies that replace runs of lines. */
export type RunStrategy = {
  [S in Strategy]: (typeof STRATEGIES)[S]["replay"]["kind"] extends "cache" ? never : S;
}[Strategy];

/** Other names that `replay --strategy` accepts. */
export const STRATEGY_ALIASES: ReadonlyMap<string, Strategy> = new Map([
  ["lru", "whole"],
  ["exact", "whole"],
]);

export const STRATEGY_IDS = Object.keys(STRATEGIES).filter(isStrategy);

/** For any value: pages and links may contain any name. */
export function isStrategy(name: unknown): name is Strategy {
  return typeof name === "string" && Object.hasOwn(STRATEGIES, name);
}

export function isRunStrategy(name: unknown): name is RunStrategy {
  return isStrategy(name) && STRATEGIES[name].replay.kind !== "cache";
}

/** The settings that a report states with a strategy's figures. */
export interface StrategyParameters {
  /** For strategies with a cache; null: unlimited. */
  readonly capacity?: number | null;
  /** For strategies that replace runs of lines. */
  readonly spanMinBytes?: number;
}

export function parametersOf(strategy: Strategy, { capacity, spanMinBytes }: DedupSettings): StrategyParameters {
  const { replay } = STRATEGIES[strategy];
  switch (replay.kind) {
    case "live":
      return { capacity, spanMinBytes };
    case "cache":
      return { capacity: replay.limited ? capacity : null };
    case "span":
      return { spanMinBytes: BOUND_RUN_BYTES };
    default:
      return replay satisfies never;
  }
}

/** The strategy behind events, rows and totals. */
export function strategyInForce({ runs, nearRef }: Pick<DedupSettings, "runs" | "nearRef">): Strategy {
  if (runs) return "live";
  return nearRef ? "near" : "whole";
}

/**
 * Where a strategy's figures come from. Every replay produces rows, for the current strategy, and a sweep of whole
 * results over the capacities; anything else is replayed alongside on request.
 */
export function needsOf(strategy: Strategy, settings: DedupSettings): "rows" | "sweep" | "replay" {
  if (strategy === strategyInForce(settings)) return "rows";
  const { replay } = STRATEGIES[strategy];
  if (replay.kind !== "cache" || replay.nearRef !== settings.nearRef) return "replay";
  return replay.limited && !SWEEP_CAPACITIES.includes(settings.capacity) ? "replay" : "sweep";
}
