/**
 * What a log says, in file order, by context: the only input of the replay. Facts hold everything that a replay needs
 * under any settings, so changed settings never need the bytes again.
 */
import { type LogText, responseOf } from "./heldText.js";
import type { LineRange, ToolKind } from "./tools.js";

/** Where a fact is in the file: `line` counts from 1, `offset` is the byte offset of the line. */
export interface Place {
  readonly line: number;
  readonly offset: number;
  /** The line's timestamp as written; null if it has no valid one. */
  readonly at: string | null;
}

/** One tool result, joined to its call. */
export interface ResultFact<Text extends LogText = string> extends Place {
  readonly fact: "result";
  /** The tool call's id (`toolu_…`). */
  readonly id: string;
  /** The line's uuid; copies of the line in other files have the same one. */
  readonly uuid: string;
  /** The tool's name; "" if the call is not in the file. */
  readonly tool: string;
  readonly kind: ToolKind;
  readonly path: string | undefined;
  /** What the call was about, for display: a path, a command, a query. */
  readonly target: string;
  /** The lines that a Read asked for. */
  readonly range?: LineRange | undefined;
  /** The byte offset of the call's line; -1 if the call is not in the file. */
  readonly callOffset: number;
  /** The call's place in the `Chain` of calls; 0 if the call is not in the file. */
  readonly callLine: number;
  /** The text that the model got; null if it was not only text. */
  readonly body: Text | null;
  /** What the tool returned, in its own shape or held (see `responseOf`); undefined if the log does not say. */
  readonly response?: unknown;
  readonly error: boolean;
  /** Claude Code itself answered a re-read of an unchanged file with a stub. */
  readonly native: boolean;
}

/** One API request, at the first line of its answer. */
export interface RequestFact extends Place {
  readonly fact: "request";
  /** The same request again: its usage came only with a later line of the answer. */
  readonly continued: boolean;
  readonly model: string;
  /** All input tokens: uncached, written to and read from the cache. 0 if the log does not say. */
  readonly input: number;
  /** The parts of `input` that were written to the prompt cache, by time to live. */
  readonly written5m: number;
  readonly written1h: number;
  /** The part of `input` that was read from the prompt cache. */
  readonly cacheRead: number;
  /** The answer's tokens as of this line: see `AnswerFact`. */
  readonly output: number;
}

/** The newest request's answer has grown: only its last line has the final token count. */
export interface AnswerFact extends Place {
  readonly fact: "answer";
  /** All of its tokens so far. */
  readonly output: number;
}

/** The context was compacted. */
export interface BoundaryFact extends Place {
  readonly fact: "boundary";
  /** The uuids of the lines that were kept verbatim. */
  readonly preserved: readonly string[];
  /** "auto" or "manual", and the context's tokens before and after, if the log says. */
  readonly trigger: string | undefined;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
}

/** How results were cleared: by Claude Code in one of three ways, or by the API. */
export const CLEARED_BY = ["microcompact", "replacement", "cut", "edits"] as const;
export type ClearedBy = (typeof CLEARED_BY)[number];

/** Results were cleared from the context. */
export interface ClearFact extends Place {
  readonly fact: "clear";
  /** "all" if the log does not say which. */
  readonly ids: readonly string[] | "all";
  readonly by: ClearedBy;
}

/** The conversation went back to an earlier line: everything after it is gone. */
export interface RewindFact extends Place {
  readonly fact: "rewind";
  /** 0 if it started over. */
  readonly toLine: number;
}

/** A call does not continue from the call before it in the file, or its origin became known only now: see `Chain`. */
export interface BranchFact extends Place {
  readonly fact: "branch";
  readonly call: number;
  /** The newest call that it descends from; 0 if unknown. */
  readonly from: number;
}

/** Live hints were explained to the model. */
export interface ExplanationFact extends Place {
  readonly fact: "explanation";
  readonly chars: number;
}

/** A call's input, which runs of lines may refer to; only read on request. Comes before the call's result. */
export interface CallFact<Text extends LogText = string> extends Place {
  readonly fact: "call";
  readonly id: string;
  readonly tool: string;
  /** The call's subject, for display. */
  readonly target: string;
  readonly uuid: string;
  /** See `ResultFact`. */
  readonly callLine: number;
  /** The input's string members. */
  readonly strings: readonly (readonly [key: string, text: Text])[];
}

/** `Text`: a reader may hold texts in its own memory, see `HeldText`. */
export type Fact<Text extends LogText = string> =
  | CallFact<Text>
  | ResultFact<Text>
  | RequestFact
  | AnswerFact
  | BoundaryFact
  | ClearFact
  | RewindFact
  | BranchFact
  | ExplanationFact;

/** The same fact with texts that outlive the line. */
export function withStrings(fact: Fact<LogText>): Fact {
  if (fact.fact === "result") {
    return { ...fact, body: fact.body?.toString() ?? null, response: responseOf(fact.response) };
  }
  if (fact.fact !== "call") return fact;
  return { ...fact, strings: fact.strings.map(([key, text]) => [key, text.toString()]) };
}
