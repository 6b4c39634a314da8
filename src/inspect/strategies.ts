/**
 * The ways to save, one entry each. To add one: its entry here, its words in `words/strategyStrings.ts`, and, if it is
 * replayed in a way of its own, a new kind of replay, hooked up in `pipeline/strategyReplays.ts`. What is missing anywhere
 * does not compile.
 */

import type { DedupSettings } from "../dedup/settings.js";
import type { FigureSettings } from "../settings/table.js";

/** How a strategy decides what becomes a hint. */
export type StrategyReplay =
  /** Whole results, compared with those in a cache. `nearRef`: JSON objects that differ in a few values count as well. */
  | { readonly kind: "cache"; readonly nearRef: boolean; readonly limited: boolean }
  /** Runs of lines that an earlier result contains. `inputs`: or an earlier call's input. */
  | { readonly kind: "span"; readonly inputs: boolean };

interface StrategyDescriptor {
  readonly replay: StrategyReplay;
  /** Shown to compare with: live hints cannot save that much. */
  readonly upperBound: boolean;
}

/** In the order in which they are shown. */
export const STRATEGIES = {
  exact: { replay: { kind: "cache", nearRef: false, limited: true }, upperBound: false },
  "exact-unbounded": { replay: { kind: "cache", nearRef: false, limited: false }, upperBound: true },
  near: { replay: { kind: "cache", nearRef: true, limited: true }, upperBound: false },
  "near-unbounded": { replay: { kind: "cache", nearRef: true, limited: false }, upperBound: true },
  span: { replay: { kind: "span", inputs: false }, upperBound: true },
  "span-inputs": { replay: { kind: "span", inputs: true }, upperBound: true },
} as const satisfies Readonly<Record<string, StrategyDescriptor>>;

export type Strategy = keyof typeof STRATEGIES;
export type ReplayKind = StrategyReplay["kind"];
/** The strategies that replace runs of lines. */
export type SpanStrategy = {
  [S in Strategy]: (typeof STRATEGIES)[S]["replay"]["kind"] extends "span" ? S : never;
}[Strategy];

/** Other names that `replay --strategy` accepts. */
export const STRATEGY_ALIASES: ReadonlyMap<string, Strategy> = new Map([
  ["lru", "exact"],
  ["whole", "exact"],
]);

export const STRATEGY_IDS = Object.keys(STRATEGIES).filter(isStrategy);
export const SPAN_STRATEGIES = STRATEGY_IDS.filter(isSpanStrategy);
/** Shown where somebody asks for runs of lines without saying which. */
export const DEFAULT_SPAN_STRATEGY: SpanStrategy = "span";

/** For any value: what a page or a link names may be anything. */
export function isStrategy(name: unknown): name is Strategy {
  return typeof name === "string" && Object.hasOwn(STRATEGIES, name);
}

export function isSpanStrategy(name: unknown): name is SpanStrategy {
  return isStrategy(name) && STRATEGIES[name].replay.kind === "span";
}

export type StrategyOptions = Pick<FigureSettings, "spanMinBytes">;

/** The settings that a report states with a strategy's figures. */
export interface StrategyParameters {
  /** Of the strategies with a cache; null: no limit. */
  readonly capacity?: number | null;
  /** Of the strategies that replace runs of lines. */
  readonly spanMinBytes?: number;
}

export function parametersOf(
  strategy: Strategy,
  { capacity }: Pick<DedupSettings, "capacity">,
  { spanMinBytes }: StrategyOptions,
): StrategyParameters {
  const { replay } = STRATEGIES[strategy];
  switch (replay.kind) {
    case "cache":
      return { capacity: replay.limited ? capacity : null };
    case "span":
      return { spanMinBytes };
    default:
      return replay satisfies never;
  }
}

/** The strategy that events, rows and totals are about. */
export function strategyInForce({ nearRef }: Pick<DedupSettings, "nearRef">): Strategy {
  return nearRef ? "near" : "exact";
}

/**
 * What a strategy's figures are made from. Every replay leaves rows, about the strategy in force, and a sweep over the
 * capacities; anything else needs the texts, and therefore the whole log.
 */
export function needsOf(strategy: Strategy, settings: Pick<DedupSettings, "nearRef">): "rows" | "sweep" | "texts" {
  if (strategy === strategyInForce(settings)) return "rows";
  const { replay } = STRATEGIES[strategy];
  switch (replay.kind) {
    case "cache":
      return !replay.limited && replay.nearRef === settings.nearRef ? "sweep" : "texts";
    case "span":
      return "texts";
    default:
      return replay satisfies never;
  }
}
