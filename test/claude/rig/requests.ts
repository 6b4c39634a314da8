/** What requests say: the results in them, the hints among those, and whether each hint holds. */
import type { Request, ToolResult } from "./api.js";

const HINT = /^(?:\d+\t)?> \[(?:near-)?ref: ([^\s,\]]+)[^\n]*\]$/;

/** The results of a request by the call's id, as text. */
export function resultsIn({ messages }: Request): Map<string, string> {
  const results = new Map<string, string>();
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const block of content) if (block.type === "tool_result") results.set(block.tool_use_id, textOf(block));
  }
  return results;
}

function textOf({ content }: ToolResult): string {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("\n");
}

/** The call a text refers to, where it is a hint. */
export function hintedIn(text: string): string | undefined {
  return HINT.exec(text)?.[1];
}

/** By call, the call that its hint names: every hint of every request of a conversation. */
export function hintsIn(requests: readonly Request[]): Map<string, string> {
  const hints = new Map<string, string>();
  for (const request of requests) {
    for (const [id, text] of resultsIn(request)) {
      const ref = hintedIn(text);
      if (ref !== undefined) hints.set(id, ref);
    }
  }
  return hints;
}

/** Hints that name something which the same request does not hold in full. */
export function dangling(requests: readonly Request[]): string[] {
  return requests.flatMap((request, index) => {
    const results = resultsIn(request);
    return [...results].flatMap(([id, text]) => {
      const ref = hintedIn(text);
      if (ref === undefined) return [];
      const named = results.get(ref);
      const holds = named !== undefined && hintedIn(named) === undefined && named.length > text.length;
      return holds ? [] : [`request ${index + 1}: ${id} refers to ${ref}`];
    });
  });
}

export function bytesOf(requests: readonly Request[]): number {
  return requests.reduce((sum, { bytes }) => sum + bytes, 0);
}
