import type { Gate } from "../../src/inspect/gates.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { type CompiledFilter, compileFilter, type EventFilter } from "./filter.js";

/** One line of the event list: a result, by its row, or a mark. */
export type EventItem = { readonly row: number } | { readonly mark: number };

/** The events that pass a filter, in order. */
export interface EventList {
  readonly length: number;
  /** The number of events without the filter. */
  readonly all: number;
  at(index: number): EventItem | undefined;
  /** The index of an event, or, if it is not `found`, halfway between those of its neighbours. */
  find(item: EventItem): { readonly index: number; readonly found: boolean };
}

/** Marks are stored as negative numbers, so that 100,000 lines fit a plain array of numbers. */
const codeOf = (item: EventItem): number => ("row" in item ? item.row : -1 - item.mark);
const itemOf = (code: number): EventItem => (code >= 0 ? { row: code } : { mark: -1 - code });

/** Keeps the filtered list up to date: new rows are appended, only another filter or context starts over. */
export class EventIndex {
  readonly #gateOf: (row: number) => Gate | undefined;
  #context: LiveContext | undefined;
  #filter: EventFilter | undefined;
  #test: CompiledFilter | undefined;
  #codes: number[] = [];
  /** Per row: 1 if it passes. */
  #passing = new Uint8Array(0);
  #rows = 0;
  #marks = 0;

  /** `gateOf`: the gate of a row, in the context last passed to `update`. */
  constructor(gateOf: (row: number) => Gate | undefined) {
    this.#gateOf = gateOf;
  }

  /** Whether a row passes the filter of the last update. */
  passes(row: number): boolean {
    return this.#passing[row] === 1;
  }

  update(context: LiveContext, filter: EventFilter): EventList {
    if (context !== this.#context || filter !== this.#filter || this.#test === undefined) {
      this.#context = context;
      this.#filter = filter;
      this.#test = compileFilter(filter, this.#gateOf);
      this.#codes = [];
      this.#rows = 0;
      this.#marks = 0;
    }
    this.#grow(context, this.#test);
    return listOf(this.#codes, this.#codes.length, context);
  }

  #grow(context: LiveContext, test: CompiledFilter): void {
    if (context.rows.length > this.#passing.length) {
      const passing = new Uint8Array(context.rows.length * 2);
      passing.set(this.#passing.subarray(0, this.#rows));
      this.#passing = passing;
    }
    for (; this.#rows < context.rows.length; this.#rows++) {
      this.#addMarks(context, test, this.#rows);
      const passes = test.row(context, this.#rows);
      this.#passing[this.#rows] = passes ? 1 : 0;
      if (passes) this.#codes.push(this.#rows);
    }
    this.#addMarks(context, test, this.#rows);
  }

  /** Adds the marks before a row. */
  #addMarks(context: LiveContext, test: CompiledFilter, row: number): void {
    for (; this.#marks < context.marks.length; this.#marks++) {
      const mark = context.marks[this.#marks];
      if (mark === undefined || mark.position > row) return;
      if (test.mark(context, this.#marks)) this.#codes.push(-1 - this.#marks);
    }
  }
}

function listOf(codes: readonly number[], length: number, context: LiveContext): EventList {
  /** Rows and marks both ascend; a mark comes before the row at its position. */
  const place = (code: number): number => (code >= 0 ? code + 0.5 : (context.marks[-1 - code]?.position ?? 0));
  return {
    length,
    all: context.rows.length + context.marks.length,
    at: index => {
      const code = codes[index];
      return code === undefined || index >= length ? undefined : itemOf(code);
    },
    find: item => {
      const code = codeOf(item);
      const wanted = place(code);
      let low = 0;
      let high = length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (place(codes[middle] ?? 0) < wanted) low = middle + 1;
        else high = middle;
      }
      // Several marks may share a position.
      let index = low;
      while (index < length && codes[index] !== code && place(codes[index] ?? 0) === wanted) index++;
      const found = index < length && codes[index] === code;
      return { index: found ? index : low - 0.5, found };
    },
  };
}
