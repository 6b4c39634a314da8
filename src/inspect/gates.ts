import { BYPASS_REASONS, FORGONE_REASONS } from "../dedup/events.js";
import { kindOfTool } from "../log/tools.js";
import { OUTCOMES, type Outcome, outcomeAt } from "./outcomes.js";
import type { ResultRows } from "./rows.js";

/**
 * New text of a file that was read before: other lines of it, or the same lines with different text. Neither was ever
 * in the context.
 */
export const READ_GATES = ["otherRange", "changed"] as const;
export type ReadGate = (typeof READ_GATES)[number];

/**
 * Where a result went: the outcomes of the engine, with new text of files split up. "partial": a miss with some lines
 * that become hints, whatever else it is.
 */
export const GATES = [
  "hit",
  "nearHit",
  "partial",
  ...BYPASS_REASONS,
  "new",
  ...READ_GATES,
  ...FORGONE_REASONS,
] as const;
export type Gate = (typeof GATES)[number];

/** How a result relates to its file. */
export interface FileUse {
  /** A Read that returned text, and one of a file that was read before in the context. */
  readonly read: boolean;
  readonly reread: boolean;
  /** A Read that includes lines read before in the partition. */
  readonly overlapping: boolean;
  /** Rows of this partition that the model read and that this result's change made stale. */
  readonly madeStale: readonly number[];
}

interface EarlierRead {
  readonly partition: number;
  readonly from: number;
  readonly lines: number;
}

/** The reads of one file. */
interface FileReads {
  readonly all: EarlierRead[];
  /** By partition, the rows that the model read and that are not stale. */
  readonly fresh: Map<number, number[]>;
}

const NO_USE: FileUse = { read: false, reread: false, overlapping: false, madeStale: [] };

/** Walks through the rows of one context in order and returns each one's gate and relation to its file. */
export class GateKeeper {
  readonly #rows: ResultRows;
  readonly #context: { readonly tools: readonly string[] };
  readonly #reads = new Map<number, FileReads>();

  /** `context`: read on each use, because its list of tools may be replaced as it grows. */
  constructor(rows: ResultRows, context: { readonly tools: readonly string[] }) {
    this.#rows = rows;
    this.#context = context;
  }

  next(row: number): { readonly gate: Gate; readonly use: FileUse } {
    const outcome = outcomeAt(this.#rows, row);
    const ordinary =
      this.#rows.get(row, "runs") > 0 ? "partial" : (GATE_OF_CODE[this.#rows.get(row, "outcome")] ?? "new");
    const file = this.#rows.get(row, "file");
    const failed = outcome === "bypass:error" || outcome === "bypass:nonText";
    if (file === 0 || failed) return { gate: ordinary, use: NO_USE };
    const { all: earlier, fresh } = this.#readsOf(file);
    const partition = this.#rows.get(row, "partition");
    const tool = this.#context.tools[this.#rows.get(row, "tool")] ?? "";
    if (kindOfTool(tool) === "mutate") {
      const madeStale = fresh.get(partition) ?? [];
      fresh.delete(partition);
      return { gate: ordinary, use: { ...NO_USE, madeStale } };
    }
    const from = this.#rows.get(row, "rangeFrom");
    if (from === 0) return { gate: ordinary, use: NO_USE };
    const read = { partition, from, lines: this.#rows.get(row, "rangeLines") };
    const use = {
      read: true,
      reread: earlier.length > 0,
      overlapping: earlier.some(one => one.partition === partition && overlap(one, read)),
      madeStale: [],
    };
    const gate = ordinary === "new" ? gateOfNew(read, earlier) : ordinary;
    earlier.push(read);
    const freshHere = fresh.get(partition);
    if (freshHere === undefined) fresh.set(partition, [row]);
    else freshHere.push(row);
    return { gate, use };
  }

  #readsOf(file: number): FileReads {
    const known = this.#reads.get(file);
    if (known !== undefined) return known;
    const none: FileReads = { all: [], fresh: new Map() };
    this.#reads.set(file, none);
    return none;
  }
}

/** The names are the ones in GATES: sliced names are slow to look up. */
export const GATE_OF = Object.fromEntries(
  OUTCOMES.map(outcome => [outcome, GATES.find(gate => gate === outcome.slice(outcome.indexOf(":") + 1))]),
) as Readonly<Record<Outcome, Gate>>;

/** By the code in a row: there are millions of rows. */
const GATE_OF_CODE: readonly Gate[] = OUTCOMES.map(outcome => GATE_OF[outcome]);

function gateOfNew(read: EarlierRead, earlier: readonly EarlierRead[]): Gate {
  if (earlier.length === 0) return "new";
  return earlier.some(one => one.from === read.from && one.lines === read.lines) ? "changed" : "otherRange";
}

function overlap(one: EarlierRead, other: EarlierRead): boolean {
  return one.from < endOf(other) && other.from < endOf(one);
}

/** Without a limit, a Read is assumed to extend to the end of the file. */
function endOf({ from, lines }: EarlierRead): number {
  return lines === 0 ? Number.POSITIVE_INFINITY : from + lines;
}
