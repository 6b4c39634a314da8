/**
 * What a log says, in file order, one context at a time: the only thing the engine ever sees. Facts carry everything a
 * replay needs under any settings, so changed settings never need the bytes again.
 */
import type { LineRange, ToolKind } from "./tools.js";

/** Where a fact stands: `line` counts from 1, `offset` is the byte at which the line begins. */
export interface Place {
  readonly line: number;
  readonly offset: number;
  /** The line's timestamp as written, or null. */
  readonly at: string | null;
}

/** One tool result, joined to its call. */
export interface ResultFact extends Place {
  readonly fact: "result";
  /** The tool call's id (`toolu_…`). */
  readonly id: string;
  /** The line's uuid; copies of a line in other files carry the same one. */
  readonly uuid: string;
  /** The tool's name, "" where the call is not in the file. */
  readonly tool: string;
  readonly kind: ToolKind;
  readonly path: string | undefined;
  /** The call's subject for people: a path, a command, a query. */
  readonly target: string;
  /** The lines that a Read asked for. */
  readonly range?: LineRange | undefined;
  /** The byte at which the call's own line begins; -1 where the call is not in the file. */
  readonly callOffset: number;
  /** The call's place on the chain of parents, for `Chain`; 0 where the call is not in the file. */
  readonly callLine: number;
  /** The text the model got; null where it was not only text. */
  readonly body: string | null;
  readonly error: boolean;
  /** Claude Code itself answered an unchanged re-read with a stub. */
  readonly native: boolean;
}

/** One API request, at the first line of its answer. */
export interface RequestFact extends Place {
  readonly fact: "request";
  /** The same request once more: its usage only came with a later line of the answer. */
  readonly continued: boolean;
  readonly model: string;
  /** Everything the model read: fresh, written to and read from the cache. 0 where the log does not say. */
  readonly input: number;
  /** The parts of `input` that were written to the prompt cache, by their time to live. */
  readonly written5m: number;
  readonly written1h: number;
}

export interface BoundaryFact extends Place {
  readonly fact: "boundary";
  /** Uuids of the lines that stay in the context verbatim. */
  readonly preserved: readonly string[];
  /** "auto" or "manual", and the context's tokens before and after, where the log says. */
  readonly trigger: string | undefined;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
}

/** Who cleared results: Claude Code in three ways, or the API itself. */
export type ClearedBy = "microcompact" | "replacement" | "cut" | "edits";

/** Results were cleared from the context. */
export interface ClearFact extends Place {
  readonly fact: "clear";
  /** "all" where the log does not say which. */
  readonly ids: readonly string[] | "all";
  readonly by: ClearedBy;
}

/** The conversation went back to an earlier line; what came after it is gone. */
export interface RewindFact extends Place {
  readonly fact: "rewind";
  /** 0 where it went back to before the first one. */
  readonly toLine: number;
}

/** A call does not go on from the call before it in the file, or that has only now become known: see `Chain`. */
export interface BranchFact extends Place {
  readonly fact: "branch";
  readonly call: number;
  /** The newest call that it comes from; 0 where none is known. */
  readonly from: number;
}

/** The model was told what live hints are. */
export interface ExplanationFact extends Place {
  readonly fact: "explanation";
  readonly chars: number;
}

/** A call's input, for those who ask for it: its strings can be referred to. Comes before the call's result. */
export interface CallFact extends Place {
  readonly fact: "call";
  readonly id: string;
  readonly tool: string;
  /** The call's subject for people. */
  readonly target: string;
  readonly uuid: string;
  /** See `ResultFact`. */
  readonly callLine: number;
  /** The input's members that are strings. */
  readonly strings: readonly (readonly [key: string, text: string])[];
}

export type Fact =
  | CallFact
  | ResultFact
  | RequestFact
  | BoundaryFact
  | ClearFact
  | RewindFact
  | BranchFact
  | ExplanationFact;
