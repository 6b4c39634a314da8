import type { WaySaving } from "../dedup/otherWays.js";
import { type DedupSettings, SWEEP_RUN_BYTES } from "../dedup/settings.js";
import { kindAt, wouldSave } from "./outcomes.js";
import { type ResultRows, type SweepRow, sweepRows } from "./rows.js";
import { needsOf, parametersOf, STRATEGY_IDS, type Strategy, type StrategyParameters } from "./strategies.js";

/** The order in which savings are packed: adding a strategy or a size invalidates anything packed before. */
export const STRATEGY_LAYOUT = JSON.stringify([STRATEGY_IDS, SWEEP_RUN_BYTES]);

const CELLS = 3;
const WIDTH = STRATEGY_IDS.length * CELLS;

/** What every strategy saves in every result, packed into three numbers each. */
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

  /** Adds a result without any savings yet. */
  begin(): void {
    if (++this.#length * WIDTH <= this.#cells.length) return;
    const cells = new Uint32Array(Math.max(16, 2 * this.#length) * WIDTH);
    cells.set(this.#cells);
    this.#cells = cells;
  }

  set(row: number, strategy: Strategy, { hints, savedBytes, savedChars }: WaySaving): void {
    const at = cellOf(row, strategy);
    this.#cells[at] = hints;
    this.#cells[at + 1] = savedBytes;
    this.#cells[at + 2] = savedChars;
  }

  /** Whether any strategy saves anything of the result. */
  hasAny(row: number): boolean {
    for (let at = row * WIDTH; at < (row + 1) * WIDTH; at += CELLS) if (this.#cells[at] !== 0) return true;
    return false;
  }

  /** Undefined if the strategy saves nothing of the result. */
  find(row: number, strategy: Strategy): WaySaving | undefined {
    return this.#savingAt(cellOf(row, strategy));
  }

  /** The same for many rows: looks the strategy up once. */
  savingOf(strategy: Strategy): SavingOf {
    const first = cellOf(0, strategy);
    return row => this.#savingAt(row * WIDTH + first);
  }

  #savingAt(at: number): WaySaving | undefined {
    const hints = this.#cells[at] ?? 0;
    if (hints === 0) return undefined;
    return { hints, savedBytes: this.#cells[at + 1] ?? 0, savedChars: this.#cells[at + 2] ?? 0 };
  }
}

function cellOf(row: number, strategy: Strategy): number {
  return row * WIDTH + STRATEGY_IDS.indexOf(strategy) * CELLS;
}

/** What a strategy saves in a row; undefined if nothing. */
type SavingOf = (row: number) => WaySaving | undefined;

/** By strategy: all of them if they were replayed, otherwise those that rows and sweep cover. */
export function savingsOf(
  context: { readonly strategies?: Uint32Array<ArrayBuffer>; readonly sweep: Uint32Array },
  rows: ResultRows,
  settings: DedupSettings,
): ReadonlyMap<Strategy, SavingOf> {
  const savings = new Map<Strategy, SavingOf>();
  if (context.strategies !== undefined) {
    const replayed = new StrategyRows(context.strategies);
    for (const strategy of STRATEGY_IDS) savings.set(strategy, replayed.savingOf(strategy));
    return savings;
  }
  const sweep = sweepRows(context.sweep);
  for (const strategy of STRATEGY_IDS) {
    const needs = needsOf(strategy, settings);
    if (needs === "rows") savings.set(strategy, row => savingAt(rows, row));
    else if (needs === "sweep") savings.set(strategy, sweptSavings(sweep, parametersOf(strategy, settings)));
  }
  return savings;
}

function sweptSavings(sweep: readonly SweepRow[], { capacity }: StrategyParameters): SavingOf {
  const isHit = (hit: SweepRow) => (capacity == null ? hit.unbounded : ((hit.slots >>> (capacity - 1)) & 1) === 1);
  const hits = new Map(sweep.filter(isHit).map(hit => [hit.row, hit]));
  return row => {
    const hit = hits.get(row);
    return hit && { hints: 1, savedBytes: hit.savedBytes, savedChars: hit.savedChars };
  };
}

function savingAt(rows: ResultRows, row: number): WaySaving | undefined {
  if (!wouldSave(kindAt(rows, row))) return undefined;
  const [hints, savedBytes] = [rows.get(row, "runs") || 1, rows.get(row, "savedBytes")];
  return { hints, savedBytes, savedChars: rows.get(row, "savedChars") };
}
