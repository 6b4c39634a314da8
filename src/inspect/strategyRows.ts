import type { DedupSettings } from "../dedup/settings.js";
import type { Run } from "../dedup/span/matcher.js";
import { isHit, kindAt } from "./outcomes.js";
import type { ResultRows, SweepRow } from "./rows.js";
import { needsOf, STRATEGY_IDS, type Strategy } from "./strategies.js";

/** What a strategy saves of one result. */
export interface Saving {
  readonly hints: number;
  readonly savedBytes: number;
  readonly savedChars: number;
}

const CELLS = 3;
const WIDTH = STRATEGY_IDS.length * CELLS;
const NOTHING: Saving = { hints: 0, savedBytes: 0, savedChars: 0 };

/** What every strategy saves of every result, packed into three numbers each. */
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

  /** A copy in which all other strategies save nothing. */
  only(strategies: readonly Strategy[]): StrategyRows {
    const copy = new StrategyRows(new Uint32Array(this.#length * WIDTH));
    for (let row = 0; row < this.#length; row++) {
      for (const strategy of strategies) copy.set(row, strategy, this.get(row, strategy));
    }
    return copy;
  }

  /** Adds a result of which nothing is saved yet. */
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

  /** Undefined if the strategy saves nothing of the result. */
  find(row: number, strategy: Strategy): Saving | undefined {
    const at = cellOf(row, strategy);
    const hints = this.#cells[at] ?? 0;
    if (hints === 0) return undefined;
    return { hints, savedBytes: this.#cells[at + 1] ?? 0, savedChars: this.#cells[at + 2] ?? 0 };
  }
}

function cellOf(row: number, strategy: Strategy): number {
  return row * WIDTH + STRATEGY_IDS.indexOf(strategy) * CELLS;
}

export function savingOfRuns(runs: readonly Run[]): Saving | undefined {
  if (runs.length === 0) return undefined;
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  return { hints: runs.length, savedBytes: sum(run => run.savedBytes), savedChars: sum(run => run.savedChars) };
}

/** What a strategy saves of a row; undefined if nothing. */
type SavingOf = (row: number) => Saving | undefined;

/** By strategy: all of them if they were replayed, else those that rows and sweep tell of. */
export function savingsOf(
  context: { readonly strategies?: Uint32Array<ArrayBuffer>; readonly sweep: readonly SweepRow[] },
  rows: ResultRows,
  settings: DedupSettings,
): ReadonlyMap<Strategy, SavingOf> {
  const savings = new Map<Strategy, SavingOf>();
  if (context.strategies !== undefined) {
    const replayed = new StrategyRows(context.strategies);
    for (const strategy of STRATEGY_IDS) savings.set(strategy, row => replayed.find(row, strategy));
    return savings;
  }
  const unlimited = new Map(context.sweep.filter(hit => hit.unbounded).map(hit => [hit.row, hit]));
  for (const strategy of STRATEGY_IDS) {
    const needs = needsOf(strategy, settings);
    if (needs === "rows") savings.set(strategy, row => hitOf(rows, row));
    else if (needs === "sweep") savings.set(strategy, row => withOneHint(unlimited.get(row)));
  }
  return savings;
}

function hitOf(rows: ResultRows, row: number): Saving | undefined {
  if (!isHit(kindAt(rows, row))) return undefined;
  return { hints: 1, savedBytes: rows.get(row, "savedBytes"), savedChars: rows.get(row, "savedChars") };
}

function withOneHint(hit: SweepRow | undefined): Saving | undefined {
  return hit && { hints: 1, savedBytes: hit.savedBytes, savedChars: hit.savedChars };
}
