import { Chain, type SavedChain } from "../log/chain.js";
import { isShell } from "../log/tools.js";
import type { Digest } from "./digest.js";
import type { Objection } from "./events.js";
import type { HeldResult } from "./replay.js";
import type { RunSource } from "./runs/sources.js";

/** As plain data. */
export interface SavedReach {
  readonly chain: SavedChain;
  readonly results: number;
  readonly lastEdit: number;
  readonly messageLine: number;
  readonly boundaryLine: number;
}

/** The call being answered. */
export type PresentCall = Pick<HeldResult, "tool" | "callLine">;

/** An earlier text that a hint could point at. */
export type Earlier = Pick<HeldResult, "tool" | "offset"> & Partial<Pick<HeldResult, "kind" | "path">>;

/** Whether something not in the log yet bars hints from pointing at a text: at all of it, or at lines of it. */
export type Bar = (earlier: Earlier, part: "whole" | "lines") => boolean;

/** What the answer to a call may refer to. */
export class Reach {
  readonly chain: Chain;
  /** The number of results so far. */
  #results: number;
  /** The order of the newest edit among the results; -1 before the first. */
  #lastEdit: number;
  /** The first line of the newest request: results after it answer the same message. */
  #messageLine: number;
  /** The line of the last compaction. */
  #boundaryLine: number;
  #isBarred: Bar = () => false;

  constructor(saved: SavedReach | undefined) {
    this.chain = new Chain(saved?.chain);
    this.#results = saved?.results ?? 0;
    this.#lastEdit = saved?.lastEdit ?? -1;
    this.#messageLine = saved?.messageLine ?? 0;
    this.#boundaryLine = saved?.boundaryLine ?? 0;
  }

  get state(): SavedReach {
    const [results, lastEdit] = [this.#results, this.#lastEdit];
    const [messageLine, boundaryLine] = [this.#messageLine, this.#boundaryLine];
    return { chain: this.chain.state, results, lastEdit, messageLine, boundaryLine };
  }

  /** The order of the current result. */
  get order(): number {
    return this.#results;
  }

  /** The first line of the message being answered. */
  get messageLine(): number {
    return this.#messageLine;
  }

  bar(isBarred: Bar): void {
    this.#isBarred = isBarred;
  }

  beginMessage(line: number): void {
    this.#messageLine = line;
  }

  /** The context was compacted. */
  beginPartition(line: number): void {
    this.#boundaryLine = line;
  }

  /** The current result has been decided on. */
  endResult({ kind, error }: Digest): void {
    if (kind === "mutate" && !error) this.#lastEdit = this.#results;
    this.#results++;
  }

  /** Why a result may not be replaced by a hint to a cached one; undefined if it may. */
  objection(entry: HeldResult, { tool, callLine }: PresentCall): Objection | undefined {
    if (entry.line > this.#messageLine && this.#messageLine > 0) return "parallel";
    if (this.#isFromBefore(entry.line, entry.callLine)) return "rewound";
    if (!this.chain.leads(callLine, entry.callLine) || this.#isBarred(entry, "whole")) return "rewound";
    return this.#isOutdated(entry, tool) ? "afterEdit" : undefined;
  }

  /**
   * Whether runs of lines may refer to a text. Edits only rule out shell output: lines are compared byte for byte,
   * whatever the file contains now.
   */
  mayQuote(source: RunSource, { tool, callLine }: PresentCall): boolean {
    const isInput = source.input !== undefined;
    const isOfThisMessage = isInput ? source.logLine >= this.#messageLine : source.logLine > this.#messageLine;
    if (isOfThisMessage || this.#isFromBefore(source.logLine, source.callLine)) return false;
    if (!this.chain.leads(callLine, source.callLine)) return false;
    if (this.#isBarred(source, "lines")) return false;
    return isInput || !this.#isOutdated(source, tool);
  }

  /** Whether a line after the compaction belongs to a call before it: written late, or again, and not in the context. */
  #isFromBefore(line: number, callLine: number): boolean {
    return line > this.#boundaryLine && callLine <= this.#boundaryLine;
  }

  /** A command that is repeated after an edit is run to see what changed: its output is shown in full. */
  #isOutdated(earlier: { readonly tool: string; readonly order: number }, tool: string): boolean {
    return earlier.order < this.#lastEdit && isShell(tool) && isShell(earlier.tool);
  }
}
