import { Chain, type SavedChain } from "../log/chain.js";
import { isShell } from "../log/tools.js";
import type { Digest } from "./digest.js";
import type { Objection } from "./events.js";
import type { HeldResult } from "./replay.js";

/** As plain data. */
export interface SavedReach {
  readonly chain: SavedChain;
  readonly results: number;
  readonly lastEdit: number;
  readonly messageLine: number;
}

/** What the answer to a call may refer to. */
export class Reach {
  readonly chain: Chain;
  /** How many results there were. */
  #results: number;
  /** The order of the newest edit among the results; -1 before the first. */
  #lastEdit: number;
  /** The first line of the newest request: results after it answer the same message. */
  #messageLine: number;

  constructor(saved: SavedReach | undefined) {
    this.chain = new Chain(saved?.chain);
    this.#results = saved?.results ?? 0;
    this.#lastEdit = saved?.lastEdit ?? -1;
    this.#messageLine = saved?.messageLine ?? 0;
  }

  get state(): SavedReach {
    const [results, lastEdit, messageLine] = [this.#results, this.#lastEdit, this.#messageLine];
    return { chain: this.chain.state, results, lastEdit, messageLine };
  }

  /** The order of the present result. */
  get order(): number {
    return this.#results;
  }

  beginMessage(line: number): void {
    this.#messageLine = line;
  }

  /** The present result has been decided on. */
  endResult({ kind, error }: Digest): void {
    if (kind === "mutate" && !error) this.#lastEdit = this.#results;
    this.#results++;
  }

  /** Why a result may not be replaced by a hint to one that the cache holds; undefined where it may. */
  objection(entry: HeldResult, { tool, callLine }: Pick<HeldResult, "tool" | "callLine">): Objection | undefined {
    if (entry.line > this.#messageLine && this.#messageLine > 0) return "parallel";
    if (!this.chain.leads(callLine, entry.callLine)) return "rewound";
    // A command that is run again after an edit is run to see what has changed: its answer is shown in full.
    return entry.order < this.#lastEdit && isShell(tool) && isShell(entry.tool) ? "afterEdit" : undefined;
  }
}
