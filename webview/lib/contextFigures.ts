import { addFigures, addRow, emptyFigures, type Figures } from "../../src/inspect/figures.js";
import { kindAt, OUTCOMES, type Outcome, outcomeCode, wouldSave } from "../../src/inspect/outcomes.js";
import type { SweepPoint } from "../../src/inspect/sweepFigures.js";
import { addSweepRow, emptySweep } from "../../src/inspect/sweepFigures.js";
import type { LiveContext } from "../../src/protocol/apply.js";

/** The figures that all views of a context share. */
export interface ContextFigures {
  readonly total: Figures;
  readonly partitions: readonly Figures[];
  readonly sweep: readonly SweepPoint[];
  /** What hints would not save, by outcome; the part of a result that does not repeat counts as new. */
  readonly rest: ReadonlyMap<Outcome, number>;
}

const NEW = outcomeCode("miss:new");

/**
 * The report's own sums, updated as rows come in: a live session must not be recounted for every new line. Only another
 * context or another ratio starts over.
 */
export class FigureKeeper {
  #context: LiveContext | undefined;
  #charsPerToken = 0;
  #rows = 0;
  #sweepRows = 0;
  #requests: number[] = [];
  #partitions: Figures[] = [];
  #sweep = emptySweep();
  /** By outcome code. */
  #restChars = new Float64Array(OUTCOMES.length);

  update(context: LiveContext): ContextFigures {
    const { charsPerToken } = context.calibration;
    if (context !== this.#context || charsPerToken !== this.#charsPerToken) this.#startOver(context);
    this.#addRequests(context.partitionRequests);
    this.#addRows(context);
    for (; this.#sweepRows < context.sweep.length; this.#sweepRows++) {
      const hit = context.sweep[this.#sweepRows];
      if (hit !== undefined) addSweepRow(this.#sweep, hit, charsPerToken);
    }
    const total = emptyFigures();
    for (const partition of this.#partitions) addFigures(total, partition);
    return {
      total,
      partitions: this.#partitions,
      sweep: this.#sweep,
      rest: new Map(OUTCOMES.map((outcome, code) => [outcome, (this.#restChars[code] ?? 0) / charsPerToken])),
    };
  }

  #startOver(context: LiveContext): void {
    this.#context = context;
    this.#charsPerToken = context.calibration.charsPerToken;
    this.#rows = 0;
    this.#sweepRows = 0;
    this.#requests = [];
    this.#partitions = [];
    this.#sweep = emptySweep();
    this.#restChars = new Float64Array(OUTCOMES.length);
  }

  /** Every new request carries its partition's earlier savings once more. */
  #addRequests(requests: readonly number[]): void {
    for (const [index, count] of requests.entries()) {
      const partition = this.#partition(index);
      partition.carriedTokens += partition.savedTokens * (count - (this.#requests[index] ?? 0));
    }
    this.#requests = [...requests];
  }

  #addRows({ rows }: LiveContext): void {
    for (; this.#rows < rows.length; this.#rows++) {
      const index = rows.get(this.#rows, "partition");
      const later = (this.#requests[index] ?? 0) - rows.get(this.#rows, "request");
      addRow(this.#partition(index), rows, this.#rows, this.#charsPerToken, later);
      const code = rows.get(this.#rows, "runs") > 0 ? NEW : rows.get(this.#rows, "outcome");
      const saved = wouldSave(kindAt(rows, this.#rows)) ? rows.get(this.#rows, "savedChars") : 0;
      this.#restChars[code] = (this.#restChars[code] ?? 0) + rows.get(this.#rows, "chars") - saved;
    }
  }

  #partition(index: number): Figures {
    while (this.#partitions.length <= index) this.#partitions.push(emptyFigures());
    return this.#partitions[index] as Figures;
  }
}
