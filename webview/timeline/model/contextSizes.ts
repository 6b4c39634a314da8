import { SENT_WIDTH, sent } from "../../../src/inspect/contextUse.js";
import type { ResultRows } from "../../../src/inspect/rows.js";
import { withRoom } from "./arrays.js";

/** How far the requests have been processed: requests, results, partition, requests in it, and the tokens reached. */
interface Reached {
  readonly requests: number;
  readonly rows: number;
  readonly partition: number;
  readonly inPartition: number;
  readonly tokens: number;
  readonly largest: number;
}

const START: Reached = { requests: 0, rows: 0, partition: 0, inPartition: 0, tokens: 0, largest: 0 };

/** The tokens in the context after each result: what the newest request before the next result sent. */
export class ContextSizes {
  #after = new Float64Array(1);
  #reached = START;
  /** Without the newest request: its usage may come in later. */
  #settled = START;

  /** After that many results; 0 if no request has reported it yet. */
  after(rows: number): number {
    return this.#after[rows] ?? 0;
  }

  get largest(): number {
    return this.#reached.largest;
  }

  append(rows: ResultRows, requests: ArrayLike<number>): void {
    this.#after = withRoom(this.#after, rows.length + 1);
    const count = requests.length / SENT_WIDTH;
    let reached = this.#settled;
    while (reached.requests < count) {
      this.#settled = reached;
      reached = this.#next(reached, rows, requests);
    }
    this.#reached = reached;
    this.#after.fill(reached.tokens, reached.rows, rows.length + 1);
  }

  #next(before: Reached, rows: ResultRows, all: ArrayLike<number>): Reached {
    const partition = sent(all, before.requests, "partition");
    const inPartition = partition === before.partition ? before.inPartition : 0;
    let row = before.rows;
    for (; row < rows.length && isBefore(rows, row, partition, inPartition); row++) this.#after[row] = before.tokens;
    const tokens = sent(all, before.requests, "tokens") || before.tokens;
    return {
      requests: before.requests + 1,
      rows: row,
      partition,
      inPartition: inPartition + 1,
      tokens,
      largest: Math.max(before.largest, tokens),
    };
  }
}

/** Whether a result came before a request: its row has the number of requests of the partition before it. */
function isBefore(rows: ResultRows, row: number, partition: number, request: number): boolean {
  const own = rows.get(row, "partition");
  return own < partition || (own === partition && rows.get(row, "request") <= request);
}
