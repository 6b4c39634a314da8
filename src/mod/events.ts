/** What Claude Code tells a mod, as far as live hints look at it. It comes from outside: any member may be missing. */
import { isObject, listOf, type Members, membersOf, stringOf } from "../log/record.js";

/** A row that the conversation is about to keep. */
export interface Row {
  readonly message?: unknown;
  /** How it came in: "response", "tool-result", "prompt", "attachment", "hook-context" and others. */
  readonly door?: unknown;
  /** The subagent whose row it is; undefined in the main conversation. */
  readonly agentId?: unknown;
}

/** One message as `$.session.messages()` and a compaction give it. */
export interface KnownMessage {
  readonly isAnswer: boolean;
  readonly calls: readonly KnownCall[];
}

export interface KnownCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Members;
  /** What the model has as its result; undefined where there is none, or not as text. */
  readonly text: string | undefined;
  readonly isError: boolean;
}

/** The main conversation's context has this name, as in the log. */
export const MAIN = "main";

export function contextOf({ agentId }: { readonly agentId?: unknown }): string {
  return stringOf(agentId) ?? MAIN;
}

export function blocksIn({ message }: Row): readonly Members[] {
  return listOf(membersOf(message)["content"]).filter(isObject);
}

export function messagesOf(list: unknown): KnownMessage[] {
  return listOf(list)
    .filter(isObject)
    .map(({ role, toolUses }) => ({ isAnswer: role === "assistant", calls: callsOf(toolUses) }));
}

function callsOf(list: unknown): KnownCall[] {
  return listOf(list)
    .filter(isObject)
    .flatMap(({ tool_use_id, tool, input, text, isError }) =>
      typeof tool_use_id !== "string" || typeof tool !== "string"
        ? []
        : [{ id: tool_use_id, tool, input: membersOf(input), text: stringOf(text), isError: isError === true }],
    );
}
