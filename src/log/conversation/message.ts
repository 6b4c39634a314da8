/** A conversation as the model gets it, as plain data: the list that the passes in `dedup/passes` work on. */
import type { Usage } from "../usage.js";

export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  /** A tool call; `input` is its input as JSON. */
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: string }
  /** A tool result; `text` is null if it is not only text. */
  | { readonly kind: "result"; readonly id: string; readonly text: string | null }
  /** An image, a document: anything with a token count that cannot be estimated from its bytes. */
  | { readonly kind: "other" };

export interface Message {
  /** The results of one answer's calls are one message with the role "tool". */
  readonly role: "user" | "assistant" | "tool";
  readonly parts: readonly Part[];
}

/** What the API reported for an answer's request. */
export interface RequestUsage extends Omit<Usage, "cacheRead"> {
  readonly model: string;
  /** The part of `input` that was read from the cache; null if the log does not say. */
  readonly cacheRead: number | null;
}

export interface LiveRequest extends RequestUsage {
  /** The index of the message that answered it; the request contained all messages before. */
  readonly answer: number;
}

/** What is in the context at the end of the log. */
export interface LiveList {
  readonly messages: readonly Message[];
  /** The requests that were answered in these messages. */
  readonly requests: readonly LiveRequest[];
  /** The context shrank for no logged reason: the list may hold more than the model still has. */
  readonly shrunk: boolean;
}
