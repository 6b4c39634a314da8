import type { Decision } from "../dedup/replay.js";
import { outcomeCode, outcomeOf } from "./outcomes.js";

/** The numbers of one result, in the order in which a row stores them. */
const FIELDS = [
  "line",
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
  "invalidations",
  "evictions",
  /** 64 bits of the line's uuid, to recognise copies of a line in other files. */
  "uuidHigh",
  "uuidLow",
] as const;

export type RowField = (typeof FIELDS)[number];

const WIDTH = FIELDS.length;
const COLUMN = Object.fromEntries(FIELDS.map((name, column) => [name, column])) as Record<RowField, number>;

/** A result that hits at some capacities of the sweep. */
export interface SweepRow {
  readonly row: number;
  readonly slots: number;
  readonly unbounded: boolean;
  readonly savedBytes: number;
  readonly savedChars: number;
}

/**
 * One row of numbers per result, packed: all figures of all views are sums over rows, so they cannot disagree. A year
 * of sessions has millions of results, and rows travel between threads without being copied.
 */
export class ResultRows {
  #cells: Uint32Array<ArrayBuffer>;
  #length: number;

  constructor(cells: Uint32Array<ArrayBuffer> = new Uint32Array(WIDTH * 16), length = 0) {
    this.#cells = cells;
    this.#length = length;
  }

  get length(): number {
    return this.#length;
  }

  /** The packed cells, for another thread or a file; `new ResultRows(cells, length)` gives the rows back. */
  get cells(): Uint32Array<ArrayBuffer> {
    return this.#cells.slice(0, this.#length * WIDTH);
  }

  get(row: number, field: RowField): number {
    return this.#cells[row * WIDTH + COLUMN[field]] ?? 0;
  }

  /** One more of what the newest result caused. */
  count(field: "invalidations" | "evictions"): void {
    const cell = (this.#length - 1) * WIDTH + COLUMN[field];
    this.#cells[cell] = (this.#cells[cell] ?? 0) + 1;
  }

  add(decision: Decision, request: number, tool: number): void {
    if ((this.#length + 1) * WIDTH > this.#cells.length) this.#grow();
    const { event, result } = decision;
    const [high, low] = hash64(result.uuid);
    const cells = this.#cells;
    const row = this.#length * WIDTH;
    cells[row + COLUMN.line] = event.line;
    cells[row + COLUMN.partition] = event.partition;
    cells[row + COLUMN.outcome] = outcomeCode(outcomeOf(event));
    cells[row + COLUMN.bytes] = event.bytes;
    cells[row + COLUMN.chars] = result.chars;
    cells[row + COLUMN.savedBytes] = "savedBytes" in event ? event.savedBytes : 0;
    cells[row + COLUMN.savedChars] = decision.savedChars;
    cells[row + COLUMN.request] = request;
    cells[row + COLUMN.tool] = tool;
    cells[row + COLUMN.invalidations] = 0;
    cells[row + COLUMN.evictions] = 0;
    cells[row + COLUMN.uuidHigh] = high;
    cells[row + COLUMN.uuidLow] = low;
    this.#length++;
  }

  #grow(): void {
    const cells = new Uint32Array(this.#cells.length * 2);
    cells.set(this.#cells);
    this.#cells = cells;
  }
}

/** Two independent 32-bit FNV-1a style sums over the text. An empty uuid gives 0, 0: it is no copy of anything. */
function hash64(text: string): [number, number] {
  if (text === "") return [0, 0];
  let high = 0x811c9dc5;
  let low = 0x9e3779b1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ (code + i), 0x85ebca6b);
    low ^= low >>> 13;
  }
  return [high >>> 0, low >>> 0];
}
