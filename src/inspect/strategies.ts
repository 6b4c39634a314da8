import type { DedupSettings } from "../dedup/settings.js";
import type { Run } from "../dedup/span/matcher.js";
import type { FigureSettings } from "../settings/table.js";
import { isHit, kindAt } from "./outcomes.js";
import type { ResultRows, SweepRow } from "./rows.js";

/** The ways to save what repeats, side by side. All of them leave out what a hint could not honestly point at. */
export const STRATEGIES = ["exact", "exact-unbounded", "near", "near-unbounded", "span", "span-inputs"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Runs of lines, without and with the inputs of calls. */
export const SPAN_STRATEGIES = ["span", "span-inputs"] as const satisfies readonly Strategy[];
export type SpanStrategy = (typeof SPAN_STRATEGIES)[number];

export type StrategyOptions = Pick<FigureSettings, "spanMinBytes">;

/** What a strategy does to one result. */
export interface Saving {
  readonly hints: number;
  readonly savedBytes: number;
  readonly savedChars: number;
}

const CELLS = 3;
const WIDTH = STRATEGIES.length * CELLS;

/** What every strategy saves of every result, packed: so many numbers per result. */
export class StrategyRows {
  #cells: Uint32Array<ArrayBuffer>;
  #length: number;

  constructor(cells: Uint32Array<ArrayBuffer> = new Uint32Array(0)) {
    this.#cells = cells;
    this.#length = cells.length / WIDTH;
  }

  get length(): number {
    return this.#length;
  }

  cells(): Uint32Array<ArrayBuffer> {
    return this.#cells.slice(0, this.#length * WIDTH);
  }

  /** The same results with what runs of lines save of them, and nothing else. */
  withSpansOnly(): StrategyRows {
    const cells = this.cells();
    for (let at = 0; at < cells.length; at += WIDTH) cells.fill(0, at, at + FIRST_SPAN_CELL);
    return new StrategyRows(cells);
  }

  /** Begins the next result: nothing is saved of it yet. */
  begin(): void {
    if (++this.#length * WIDTH <= this.#cells.length) return;
    const cells = new Uint32Array(Math.max(16, 2 * this.#length) * WIDTH);
    cells.set(this.#cells);
    this.#cells = cells;
  }

  set(row: number, strategy: Strategy, { hints, savedBytes, savedChars }: Saving): void {
    const at = cellOf(row, strategy);
    this.#cells[at] = hints;
    this.#cells[at + 1] = savedBytes;
    this.#cells[at + 2] = savedChars;
  }

  get(row: number, strategy: Strategy): Saving {
    return this.find(row, strategy) ?? NOTHING;
  }

  /** Whether any strategy saves anything of the result. */
  hasAny(row: number): boolean {
    for (let at = row * WIDTH; at < (row + 1) * WIDTH; at += CELLS) if (this.#cells[at] !== 0) return true;
    return false;
  }

  /** Undefined where the strategy leaves the result alone. */
  find(row: number, strategy: Strategy): Saving | undefined {
    const at = cellOf(row, strategy);
    const hints = this.#cells[at] ?? 0;
    if (hints === 0) return undefined;
    return { hints, savedBytes: this.#cells[at + 1] ?? 0, savedChars: this.#cells[at + 2] ?? 0 };
  }
}

const NOTHING: Saving = { hints: 0, savedBytes: 0, savedChars: 0 };
const FIRST_SPAN_CELL = cellOf(0, "span");

function cellOf(row: number, strategy: Strategy): number {
  return row * WIDTH + STRATEGIES.indexOf(strategy) * CELLS;
}

export function savingOfRuns(runs: readonly Run[]): Saving | undefined {
  if (runs.length === 0) return undefined;
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  return { hints: runs.length, savedBytes: sum(run => run.savedBytes), savedChars: sum(run => run.savedChars) };
}

/** The strategies of a cache, with the set capacity and without a limit. */
export function cacheStrategies(nearRef: boolean): { bounded: Strategy; unbounded: Strategy } {
  return nearRef
    ? { bounded: "near", unbounded: "near-unbounded" }
    : { bounded: "exact", unbounded: "exact-unbounded" };
}

/** What is known of a context's savings: by strategy, what it does to a row. */
export type SavingsOf = ReadonlyMap<Strategy, (row: number) => Saving | undefined>;

/** What the rows and the sweep tell, and everything else where the strategies were replayed. */
export function savingsOf(
  context: { readonly strategies?: Uint32Array<ArrayBuffer>; readonly sweep: readonly SweepRow[] },
  rows: ResultRows,
  { nearRef }: DedupSettings,
): SavingsOf {
  const savings = new Map<Strategy, (row: number) => Saving | undefined>();
  if (context.strategies !== undefined) {
    const all = new StrategyRows(context.strategies);
    for (const strategy of STRATEGIES) savings.set(strategy, row => all.find(row, strategy));
    return savings;
  }
  const { bounded, unbounded } = cacheStrategies(nearRef);
  savings.set(bounded, row => hitOf(rows, row));
  const endless = new Map<number, SweepRow>();
  for (const hit of context.sweep) if (hit.unbounded) endless.set(hit.row, hit);
  return savings.set(unbounded, row => withOneHint(endless.get(row)));
}

function hitOf(rows: ResultRows, row: number): Saving | undefined {
  if (!isHit(kindAt(rows, row))) return undefined;
  return { hints: 1, savedBytes: rows.get(row, "savedBytes"), savedChars: rows.get(row, "savedChars") };
}

function withOneHint(hit: SweepRow | undefined): Saving | undefined {
  return hit && { hints: 1, savedBytes: hit.savedBytes, savedChars: hit.savedChars };
}
