import type { Decision } from "../dedup/decision.js";
import type { ResultEvent } from "../dedup/events.js";
import { OUTCOMES, outcomeCode, outcomeOf } from "./outcomes.js";

/** The numbers of one result, in the order they are stored in. */
export const ROW_FIELDS = [
  "line",
  /** Seconds since 1970; 0 if the line has no timestamp. */
  "at",
  "partition",
  /** Index into OUTCOMES. */
  "outcome",
  "bytes",
  "chars",
  "savedBytes",
  "savedChars",
  /** How many requests of the partition came before the result. */
  "request",
  /** Index into the context's tool names. */
  "tool",
  /** The row of the call that a hint, stub or live hint points at, or the hint for the longest run, plus 1. */
  "ref",
  /** A miss: the row of the call that invalidated the earlier copy; a hit: of the rejected live hint. Plus 1. */
  "cause",
  /** The row of the result that this one evicted from the cache, plus 1. */
  "evicted",
  /** How many entries this result invalidated. */
  "invalidations",
  /** A 64-bit hash that is the same in every copy of the result, in any file. */
  "copyHigh",
  "copyLow",
  /** The row of the earlier copy of a miss, plus 1, and the characters that a hint would have saved. */
  "earlier",
  "forgoneChars",
  /** Index into the context's files, plus 1. */
  "file",
  /** The lines that a Read asked for: the first one, and how many; 0 for all. */
  "rangeFrom",
  "rangeLines",
  /** A miss: how many runs of its lines become hints. */
  "runs",
] as const;

export type RowField = (typeof ROW_FIELDS)[number];

export const ROW_WIDTH = ROW_FIELDS.length;
/** The meaning of a row's numbers: rows stored under another layout cannot be read. */
export const ROW_LAYOUT = [...ROW_FIELDS, ...OUTCOMES].join();
const COLUMN = Object.fromEntries(ROW_FIELDS.map((name, column) => [name, column])) as Record<RowField, number>;

/** A result that hits at some capacities of the sweep. */
export interface SweepRow {
  readonly row: number;
  readonly slots: number;
  readonly unbounded: boolean;
  readonly savedBytes: number;
  readonly savedChars: number;
}

/** Packed in the order of their members: creating an object for each takes longer than replaying it. */
const SWEEP_WIDTH = 5;

export function packSweep(hits: readonly SweepRow[]): Uint32Array<ArrayBuffer> {
  const cells = new Uint32Array(hits.length * SWEEP_WIDTH);
  for (const [index, { row, slots, unbounded, savedBytes, savedChars }] of hits.entries()) {
    cells.set([row, slots, unbounded ? 1 : 0, savedBytes, savedChars], index * SWEEP_WIDTH);
  }
  return cells;
}

export function sweepRows(cells: Uint32Array): SweepRow[] {
  const hits: SweepRow[] = [];
  for (let at = 0; at < cells.length; at += SWEEP_WIDTH) {
    hits.push({
      row: cells[at] as number,
      slots: cells[at + 1] as number,
      unbounded: cells[at + 2] === 1,
      savedBytes: cells[at + 3] as number,
      savedChars: cells[at + 4] as number,
    });
  }
  return hits;
}

/** What a decision does not include: its place in the context. */
export interface RowPlace {
  readonly request: number;
  readonly tool: number;
  /** The index of the result's file, or -1. */
  readonly file: number;
  /** The row of a call id, or -1. */
  readonly rowOf: (id: string | undefined) => number;
}

/**
 * One row of numbers per result, packed: all figures of all views are sums over rows, so they cannot disagree. A year
 * of sessions has millions of results, and rows are sent between threads without copying.
 */
export class ResultRows {
  #cells: Uint32Array<ArrayBuffer>;
  #length: number;

  constructor(cells: Uint32Array<ArrayBuffer> = new Uint32Array(0), length = 0) {
    this.#cells = cells;
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  /** The packed cells of some rows, for another thread, a file or a page; `append` restores them. */
  cells(fromRow = 0, toRow = this.#length): Uint32Array<ArrayBuffer> {
    return this.#cells.slice(fromRow * ROW_WIDTH, toRow * ROW_WIDTH);
  }

  /** Adds rows packed by another ResultRows. */
  append(cells: ArrayLike<number>): void {
    const length = this.#length + cells.length / ROW_WIDTH;
    this.#reserve(length);
    this.#cells.set(cells, this.#length * ROW_WIDTH);
    this.#length = length;
  }

  get(row: number, field: RowField): number {
    return this.#cells[row * ROW_WIDTH + COLUMN[field]] ?? 0;
  }

  /** Completes the newest row with the effects of its result. */
  set(field: "invalidations" | "evicted" | "cause", value: number): void {
    this.#cells[(this.#length - 1) * ROW_WIDTH + COLUMN[field]] = value;
  }

  add({ event, result, savedChars, forgone, runs = [] }: Decision, { request, tool, file, rowOf }: RowPlace): void {
    this.#reserve(this.#length + 1);
    const cells = this.#cells;
    const first = this.#length * ROW_WIDTH;
    cells[first + COLUMN.line] = event.line;
    cells[first + COLUMN.at] = event.at === null ? 0 : Math.max(0, Math.floor(Date.parse(event.at) / 1000)) || 0;
    cells[first + COLUMN.partition] = event.partition;
    cells[first + COLUMN.outcome] = outcomeCode(outcomeOf(event));
    cells[first + COLUMN.bytes] = event.bytes;
    cells[first + COLUMN.chars] = result.chars;
    cells[first + COLUMN.savedBytes] = ("savedBytes" in event && event.savedBytes) || 0;
    cells[first + COLUMN.savedChars] = savedChars;
    cells[first + COLUMN.request] = request;
    cells[first + COLUMN.tool] = tool;
    cells[first + COLUMN.ref] = rowOf(refOf(event)) + 1;
    cells[first + COLUMN.cause] = "cause" in event ? rowOf(event.cause) + 1 : 0;
    cells[first + COLUMN.copyHigh] = result.copyHash[0];
    cells[first + COLUMN.copyLow] = result.copyHash[1];
    cells[first + COLUMN.earlier] = rowOf(forgone?.ref) + 1;
    cells[first + COLUMN.forgoneChars] = forgone?.chars ?? 0;
    cells[first + COLUMN.file] = file + 1;
    cells[first + COLUMN.rangeFrom] = result.range?.[0] ?? 0;
    cells[first + COLUMN.rangeLines] = result.range?.[1] ?? 0;
    cells[first + COLUMN.runs] = runs.length;
    this.#length++;
  }

  #reserve(rows: number): void {
    if (rows * ROW_WIDTH <= this.#cells.length) return;
    const cells = new Uint32Array(Math.max(this.#cells.length * 2, rows * ROW_WIDTH));
    cells.set(this.#cells);
    this.#cells = cells;
  }
}

/** The call that a hint for the result names; if there are several, the one with most of its lines. */
function refOf(event: ResultEvent): string | undefined {
  if (event.kind !== "miss") return event.ref;
  const longest = event.runs?.reduce((best, run) => (run.bytes > best.bytes ? run : best));
  return longest?.ref;
}
