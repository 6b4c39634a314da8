import type { Mark } from "../../src/inspect/logData.js";
import type { ResultRows } from "../../src/inspect/rows.js";
import type { Key } from "./element/gestures.js";

/** What the timeline shows: the data of one context, as the page keeps it. */
export interface TimelineInput {
  readonly rows: ResultRows;
  readonly tools: readonly string[];
  readonly targets: readonly string[];
  readonly marks: readonly Mark[];
  readonly partitionRequests: readonly number[];
  /** Packed: see src/inspect/contextUse.ts. */
  readonly requests: ArrayLike<number>;
  readonly charsPerToken: number;
  /** For each row that repeats in part: the calls that have its lines, the ones with the most lines first. */
  readonly sources: ReadonlyMap<number, readonly number[]>;
  /** Of another strategy, shown instead of the current one. */
  readonly savings?: Savings | undefined;
  /** Grows when data is appended in place. */
  readonly version: number;
}

/** What a strategy would leave out of results. */
export interface Savings {
  readonly name: string;
  /** By row; rows that are not in it are unchanged. */
  readonly chars: ReadonlyMap<number, number>;
}

export type AxisName = "order" | "time";

/**
 * What the timeline shows, in a form that stays right when there are more results: one partition, or fractional rows,
 * whatever the axis. In place of it, null is everything.
 */
export type TimelineView =
  | { readonly partition: number }
  | { readonly from: number; readonly to: number; readonly atEnd: boolean };

/** What the page's own buttons can do with the timeline. */
export interface TimelineHandle {
  zoomIn(): void;
  zoomOut(): void;
  fitAll(): void;
  showPartition(partition: number): void;
  focus(): void;
  /** Handles a key as if the timeline had the focus. */
  press(event: Key & { preventDefault(): void }): void;
}

export interface TimelineProps {
  readonly input: TimelineInput;
  readonly axis: AxisName;
  readonly selected: number | null;
  onSelect(row: number | null): void;
  /** Enter or double click. */
  onOpen(row: number): void;
  /**
   * Results for which it returns false are dimmed, and skipped by the keyboard. Pass the same function as long as the
   * filter is unchanged.
   */
  readonly filter?: ((row: number) => boolean) | undefined;
  /** The page's one live region. */
  announce(text: string): void;
  /** Called whenever the view has changed; what it is given can be stored and passed as `initialView`. */
  onView?: ((view: TimelineView | null) => void) | undefined;
  readonly initialView?: TimelineView | null;
  /** Set while the timeline is mounted. */
  readonly handle?: { current: TimelineHandle | null } | undefined;
}
