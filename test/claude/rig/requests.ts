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

/** A line of ours, for a whole result or for some lines of it; Read puts a number before it. */
const HINT_LINE = /^(?:\d+\t)?> \[(?:near-)?ref: ([^\s,\]]+)(?: lines (\d+)-(\d+))?(?:,.*)?\]$/;

/** The results of a request with every hint expanded from what the same request holds; undefined where it does not. */
export function expandedIn(request: Request): Map<string, string | undefined> {
  const results = resultsIn(request);
  return new Map([...results].map(([id, text]) => [id, expanded(text, results)]));
}

function expanded(text: string, results: ReadonlyMap<string, string>): string | undefined {
  const pieces = text.split("\n").map(line => {
    const hint = HINT_LINE.exec(line);
    return hint === null ? line : namedBy(hint, results);
  });
  return pieces.includes(undefined) ? undefined : pieces.join("\n");
}

function namedBy([, id = "", from, to]: readonly string[], results: ReadonlyMap<string, string>): string | undefined {
  const lines = results.get(id)?.split("\n") ?? [];
  const named = from === undefined ? lines : lines.slice(Number(from) - 1, Number(to));
  const isThere = named.length > 0 && (to === undefined || Number(to) <= lines.length);
  return isThere && !named.some(line => HINT_LINE.test(line)) ? named.join("\n") : undefined;
}

/** Results with a hint whose text the same request does not hold. */
export function dangling(requests: readonly Request[]): string[] {
  return requests.flatMap((request, index) => {
    const lost = [...expandedIn(request)].filter(([, text]) => text === undefined);
    return lost.map(([id]) => `request ${index + 1}: ${id} says ${resultsIn(request).get(id)}`);
  });
}

export function bytesOf(requests: readonly Request[]): number {
  return requests.reduce((sum, { bytes }) => sum + bytes, 0);
}
