/** A conversation as a model is given it: the list on which the passes of `dedup/passes` work. Plain data. */
import type { Usage } from "../usage.js";

export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** A tool call; `input` is its input as JSON. */
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: string }
  /** A tool result; `text` is null where it is not only text. */
  | { readonly kind: "result"; readonly id: string; readonly text: string | null }
  /** A picture, a document, anything whose size in tokens its bytes do not tell. */
  | { readonly kind: "other" };

export interface Message {
  /** All results of one answer's calls are one message of the role "tool". */
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly Part[];
}

/** What the API said about one answer's request. */
export interface RequestUsage extends Usage {
  readonly model: string;
  /** The part of `input` that came from the cache; null where the log does not say. */
  readonly cacheRead: number | null;
}

export interface LiveRequest extends RequestUsage {
  /** The index of the message that answered it; the request held all messages before. */
  readonly answer: number;
}

/** What is in the context at the end of the log. */
export interface LiveList {
  readonly messages: readonly Message[];
  /** The requests that were answered in these messages. */
  readonly requests: readonly LiveRequest[];
  /** The context once shrank without a line that says why: the list may hold more than the model still has. */
  readonly shrunk: boolean;
}
