import { addFigures, addRow, emptyFigures, type Figures } from "../../src/inspect/figures.js";
import type { SweepPoint } from "../../src/inspect/sweepFigures.js";
import { addSweepRow, emptySweep } from "../../src/inspect/sweepFigures.js";
import type { LiveContext } from "../../src/protocol/apply.js";

/** What all views of one context count with. */
export interface ContextFigures {
  readonly total: Figures;
  readonly partitions: readonly Figures[];
  readonly sweep: readonly SweepPoint[];
  readonly requests: number;
}

/**
 * The report's own sums, kept up to date as rows come in: a live session must not be counted from its beginning for
 * every new line. Only another context or another ratio starts over.
 */
export class FigureKeeper {
  #context: LiveContext | undefined;
  #charsPerToken = 0;
  #rows = 0;
  #sweepRows = 0;
  #requests: number[] = [];
  #partitions: Figures[] = [];
  #sweep = emptySweep();

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
      requests: this.#requests.reduce((sum, requests) => sum + requests, 0),
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
  }

  /** Every new request carries what its partition had saved before it once more. */
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
    }
  }

  #partition(index: number): Figures {
    while (this.#partitions.length <= index) this.#partitions.push(emptyFigures());
    return this.#partitions[index] as Figures;
  }
}
