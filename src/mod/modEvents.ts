/** Claude Code's events for a mod, as far as live hints need them. External input: any member may be missing. */
import { isCall } from "../log/calls.js";
import { type ContextChange, changesOf, contextIdOf } from "../log/contextRules.js";
import { bodyOf, isObject, listOf, type Members, membersOf, recordOf, stringOf } from "../log/record.js";

/** A row that the conversation is about to keep. */
export interface Row {
  readonly message?: unknown;
  /** Its origin: "response", "tool-result", "prompt", "attachment", "hook-context" and others. */
  readonly door?: unknown;
  /** The subagent whose row it is; undefined in the main conversation. */
  readonly agentId?: unknown;
}

/** A message of a conversation, reduced to its calls. */
export interface KnownMessage {
  readonly isAnswer: boolean;
  readonly calls: readonly KnownCall[];
  /** What Claude Code itself added to it; undefined if the list does not have that. */
  readonly added: readonly string[] | undefined;
}

export interface KnownCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Members;
  /** The result that the model has; undefined if there is none, or not as text. */
  readonly text: string | undefined;
  readonly isError: boolean;
}

/** The name of the main conversation's context, as in the log. */
export const MAIN = "main";

export function contextOf({ agentId }: { readonly agentId?: unknown }): string {
  return stringOf(agentId) ?? MAIN;
}

export function blocksIn({ message }: Row): readonly Members[] {
  return listOf(membersOf(message)["content"]).filter(isObject);
}

/** Handles both formats of Claude Code: its own, and that of the API, which newer versions have as well. */
export function messagesOf(list: unknown): KnownMessage[] {
  const messages = listOf(list).filter(isObject);
  const results = resultsIn(messages.flatMap(({ content }) => listOf(content)));
  return messages.map(({ role, toolUses, content }) => ({
    isAnswer: role === "assistant",
    calls: [
      ...listOf(toolUses).flatMap(use => callOf(membersOf(use))),
      ...listOf(content).flatMap(block => callInBlock(membersOf(block), results)),
    ],
    added: content === undefined ? undefined : remindersIn(content),
  }));
}

/** What a log says was cleared from its main conversation: the mod is at most told that something was. */
export interface ClearedResults {
  readonly named: ReadonlySet<string>;
  /** The API only says how many it cleared: any of these. */
  readonly possible: ReadonlySet<string>;
}

export function clearedIn(log: string): ClearedResults {
  const named = new Set<string>();
  let [at, possibleBefore] = [0, 0];
  for (const line of log.split("\n")) {
    for (const change of CLEARING.some(mark => line.includes(mark)) ? mainChangesOf(line) : []) {
      if (change.change !== "clear") continue;
      if (change.results === "all") possibleBefore = at;
      else for (const { id } of change.results) named.add(id);
    }
    at += line.length + 1;
  }
  const possible = Array.from(log.slice(0, possibleBefore).matchAll(RESULT_ID), ([, id]) => id ?? "");
  return { named, possible: new Set(possible) };
}

/** In every line that clears results. */
const CLEARING = ['"tool_results_cut"', '"content-replacement"', '"microcompact_boundary"', '"applied_edits"'];
const RESULT_ID = /"tool_use_id":"([^"]+)"/g;

function mainChangesOf(line: string): readonly ContextChange[] {
  const record = recordOf(line);
  return record !== undefined && contextIdOf(record, undefined) === MAIN ? changesOf(record) : [];
}

/** Also those at the end of a result. */
function remindersIn(content: unknown): string[] {
  const blocks = typeof content === "string" ? [{ text: content }] : listOf(content).map(membersOf);
  return blocks.flatMap(({ text, content: result }) => {
    const said = stringOf(text) ?? bodyOf(result) ?? "";
    const from = said.indexOf("<system-reminder>");
    return from < 0 ? [] : said.slice(from);
  });
}

function callOf({ tool_use_id: id, tool, input, text, isError }: Members): KnownCall[] {
  if (typeof id !== "string" || typeof tool !== "string") return [];
  return [{ id, tool, input: membersOf(input), text: withoutReminder(stringOf(text)), isError: isError === true }];
}

type KnownResult = Pick<KnownCall, "text" | "isError">;

function callInBlock(block: Members, results: ReadonlyMap<string, KnownResult>): KnownCall[] {
  const { id, name: tool, input } = block;
  if (!isCall(block) || typeof id !== "string" || typeof tool !== "string") return [];
  return [{ id, tool, input: membersOf(input), ...(results.get(id) ?? { text: undefined, isError: false }) }];
}

function resultsIn(blocks: readonly unknown[]): Map<string, KnownResult> {
  const results = new Map<string, KnownResult>();
  for (const block of blocks) {
    const { type, tool_use_id: id, content, is_error } = membersOf(block);
    if (type !== "tool_result" || typeof id !== "string") continue;
    results.set(id, { text: withoutReminder(bodyOf(content) ?? undefined), isError: is_error === true });
  }
  return results;
}

/** Without the reminder that Claude Code may append to a listed result, on a line of its own. */
function withoutReminder(text: string | undefined): string | undefined {
  if (!text?.trimEnd().endsWith("</system-reminder>")) return text;
  const begin = text.lastIndexOf("<system-reminder>");
  let end = begin;
  while (text[end - 1] === "\n") end--;
  return end < begin ? text.slice(0, end) : text;
}
