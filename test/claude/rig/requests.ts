/** What requests contain: the results, the hints among them, and whether each hint is valid. */
import type { Request, Text, ToolResult, ToolUse } from "./api.js";
import { CUT } from "./longPause.js";

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

/** The call that a text refers to, if it is a hint. */
export function hintedIn(text: string): string | undefined {
  return HINT.exec(text)?.[1];
}

/** The calls' outcomes in a conversation's last request: "full", "gone", or which of them a hint names, from 1 on. */
export function outcomesOf(requests: readonly Request[], calls: readonly ToolUse[], conversation = "main"): string[] {
  const last = requests.findLast(request => request.conversation === conversation);
  const results = last ? resultsIn(last) : new Map<string, string>();
  return calls.map(({ id }) => {
    const text = results.get(id);
    if (text === undefined) return "gone";
    const ref = hintedIn(text);
    return ref === undefined ? "full" : `= ${calls.findIndex(call => call.id === ref) + 1}`;
  });
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

/** A hint line, for a whole result or for some of its lines; Read puts a number before it. */
const HINT_LINE = /^(?:\d+\t)?> \[(?:near-)?ref: ([^\s,\]]+)(?: lines (\d+)-(\d+))?(?:,.*)?\]$/;

/** The results of a request with every hint expanded from the same request; undefined where that is impossible. */
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
  if (results.get(id) === CUT) return undefined;
  const lines = results.get(id)?.split("\n") ?? [];
  const named = from === undefined ? lines : lines.slice(Number(from) - 1, Number(to));
  const isThere = named.length > 0 && (to === undefined || Number(to) <= lines.length);
  return isThere && !named.some(line => HINT_LINE.test(line)) ? named.join("\n") : undefined;
}

/** What a request says apart from calls and their results. */
export function saidIn({ messages }: Request): string {
  return messages
    .filter(({ role }) => role !== "assistant")
    .flatMap(({ content }) => (typeof content === "string" ? content : content.filter(isText).map(({ text }) => text)))
    .join("\n");
}

function isText(block: { readonly type: string }): block is Text {
  return block.type === "text";
}

/** Results with a hint whose text is not in the same request, and which the request does not explain either. */
export function dangling(requests: readonly Request[]): string[] {
  return requests.flatMap((request, index) => {
    const results = resultsIn(request);
    const said = saidIn(request);
    const lost = [...expandedIn(request)].filter(([, text]) => text === undefined);
    const texts = lost.map(([id]) => [id, results.get(id) ?? ""] as const);
    return texts.flatMap(([id, text]) => {
      const isThere = (ref: string) => results.has(ref) && results.get(ref) !== CUT;
      const isExplained = referredTo(text).every(ref => isThere(ref) || said.includes(ref));
      return isExplained ? [] : `request ${index + 1}: ${id} says ${text}`;
    });
  });
}

/** The calls that the hints of a result name. */
function referredTo(text: string): string[] {
  return text.split("\n").flatMap(line => HINT_LINE.exec(line)?.[1] ?? []);
}

export function bytesOf(requests: readonly Request[]): number {
  return requests.reduce((sum, { bytes }) => sum + bytes, 0);
}
