import type { Message } from "../../log/conversation/message.js";

/** The tools whose results are considered final once they are old. */
export const COMPACTABLE_TOOLS: readonly string[] = [
  "read_file",
  "Read",
  "bash",
  "Bash",
  "grep",
  "Grep",
  "glob",
  "Glob",
  "web_search",
  "WebSearch",
  "web_fetch",
  "WebFetch",
  "edit_file",
  "Edit",
  "write_file",
  "Write",
];

export interface BreakpointOptions {
  readonly enabled?: boolean;
  /** How many of the newest messages with results stay outside the marked part. */
  readonly liveThreshold?: number;
  /** The names of the tools whose results count. */
  readonly tools?: readonly string[];
  /** If known, it must be Anthropic: no other provider supports the marks. */
  readonly provider?: string | undefined;
  /** A subagent shares state with its parent and is never marked. */
  readonly subagent?: boolean;
}

export interface Breakpoints {
  /** Indices of the messages up to which the prompt cache could be kept, ascending. */
  readonly breakpoints: readonly number[];
  /** All results of such tools, including the newest. */
  readonly eligibleIds: readonly string[];
  readonly applied: boolean;
}

const NONE: Breakpoints = { breakpoints: [], eligibleIds: [], applied: false };

/** Where PilotDeck's cached micro-compaction would put its marks. Messages are never changed. */
export function cacheBreakpoints(messages: readonly Message[], options: BreakpointOptions = {}): Breakpoints {
  const { enabled = false, liveThreshold = 4, tools = COMPACTABLE_TOOLS, provider, subagent = false } = options;
  if (!enabled || subagent) return NONE;
  if (provider !== undefined && !provider.toLowerCase().includes("anthropic")) return NONE;
  const compactable = compactableCalls(messages, new Set(tools));
  const eligibleIds: string[] = [];
  const holders: number[] = [];
  for (const [index, { role, parts }] of messages.entries()) {
    if (role === "assistant") continue;
    const ids = parts.flatMap(part => (part.kind === "result" && compactable.has(part.id) ? [part.id] : []));
    for (const id of ids) eligibleIds.push(id);
    if (ids.length > 0) holders.push(index);
  }
  if (holders.length <= liveThreshold) return NONE;
  const aged = holders.slice(0, holders.length - liveThreshold);
  const breakpoints = aged.map(index => index - 1).filter(index => index >= 0);
  return { breakpoints, eligibleIds, applied: breakpoints.length > 0 };
}

function compactableCalls(messages: readonly Message[], tools: ReadonlySet<string>): Set<string> {
  const ids = new Set<string>();
  for (const { role, parts } of messages) {
    if (role !== "assistant") continue;
    for (const part of parts) if (part.kind === "call" && tools.has(part.name)) ids.add(part.id);
  }
  return ids;
}

/** The breakpoints that are sent: the API allows four, one of them for the system prompt. Undefined if none. */
export function wireMarks(breakpoints: readonly number[] | undefined): {
  readonly system: boolean;
  readonly messages: readonly number[];
} {
  return { system: breakpoints !== undefined, messages: breakpoints?.slice(-3) ?? [] };
}

/** Whether a request read anything from the cache. */
export function validateCacheHit(usage: { readonly cacheRead?: number | null } | undefined): boolean {
  return (usage?.cacheRead ?? 0) > 0;
}
