/**
 * The rules of contexts: which context a line belongs to, what it continues from, and what it removes. Every reader of
 * logs follows these; docs/rules.md, "What ends reachability" and "Contexts and lines", gives the reasons.
 */
import type { BoundaryFact, ClearedBy } from "./facts.js";
import { type LogRecord, listOf, type Members, membersOf, stringOf, stringsOf } from "./record.js";

/** The context of a line: the main conversation or a subagent. `agentOfFile`: the subagent whose own file it is in. */
export function contextIdOf({ type, isSidechain, agentId }: LogRecord, agentOfFile: string | undefined): string {
  const agent = stringOf(agentId);
  // A replacement names its subagent but is not marked as a sidechain line.
  const isAside = isSidechain === true || (type === "content-replacement" && agent !== undefined);
  return agentOfFile ?? (isAside ? (agent ?? "sidechain") : "main");
}

/** The line's parent as written: a uuid, null, anything; undefined if missing. */
export function parentOf(record: LogRecord): unknown {
  return isBoundary(record) && record.logicalParentUuid !== undefined ? record.logicalParentUuid : record.parentUuid;
}

/**
 * A compaction often continues from a reminder that was never logged. What it kept is still there: these uuids, newest
 * first, stand in for the missing parent.
 */
export function standInsOf(record: LogRecord): readonly string[] {
  return isBoundary(record) ? preservedBy(record).slice(-MAX_STAND_INS).reverse() : NO_STAND_INS;
}

const NO_STAND_INS: readonly string[] = [];
/** Far more than the reminders at the end of what is kept. */
const MAX_STAND_INS = 16;

/** Made locally, such as an API error: never from or for a model. */
export function isSynthetic({ model }: { readonly model?: unknown }): boolean {
  return model === "<synthetic>";
}

/** A context that shrinks by more than a tenth has lost something that the log does not mention. */
export function hasShrunk(input: number, inputBefore: number): boolean {
  return input < inputBefore * 0.9;
}

/** What a line changes about its context before it adds anything. */
export type ContextChange =
  /**
   * The conversation continues from the line with this uuid, or from nothing. It goes back if the model has answered
   * since: whatever came after that line is gone. (From nothing: since the last compaction, which replaces the start.)
   */
  | { readonly change: "continue"; readonly from: string | null }
  /** Only the preserved lines remain, after a summary. */
  | ({ readonly change: "compaction" } & Compaction)
  /** Results were cleared or replaced; "all": the log does not say which. */
  | { readonly change: "clear"; readonly by: ClearedBy; readonly results: readonly ClearedResult[] | "all" };

export type Compaction = Pick<BoundaryFact, "preserved" | "trigger" | "preTokens" | "postTokens">;

export interface ClearedResult {
  /** The call's id. */
  readonly id: string;
  /** What the model sees instead; undefined for Claude Code's standard text. */
  readonly text?: string | undefined;
}

const NO_CHANGES: readonly ContextChange[] = [];

/** In order. */
export function changesOf(record: LogRecord): readonly ContextChange[] {
  switch (record.type) {
    case "user":
      return isPrompt(record) ? continuing(record.parentUuid, record.parentUuid === null) : NO_CHANGES;
    case "assistant":
      return clearsUses(membersOf(record.message)) ? CLEARED_BY_API : NO_CHANGES;
    case "system":
      return [...continuing(record.parentUuid, false), ...systemChanges(record)];
    case "attachment": {
      const { type, callIds } = membersOf(record.attachment);
      return type === "tool_results_cut" ? [cleared("cut", callIds)] : NO_CHANGES;
    }
    case "content-replacement":
      return Array.isArray(record.replacements) ? [replaced(record.replacements)] : NO_CHANGES;
    default:
      return NO_CHANGES;
  }
}

/** A prompt by the user, or by Claude Code on the user's behalf: no result, and not a compaction's summary. */
function isPrompt({ message, isCompactSummary }: LogRecord): boolean {
  if (isCompactSummary === true) return false;
  return !listOf(membersOf(message)["content"]).some(block => membersOf(block)["type"] === "tool_result");
}

function continuing(parent: unknown, fromNothing: boolean): readonly ContextChange[] {
  if (fromNothing) return [{ change: "continue", from: null }];
  return typeof parent === "string" ? [{ change: "continue", from: parent }] : NO_CHANGES;
}

function systemChanges(record: LogRecord): readonly ContextChange[] {
  switch (record.subtype) {
    case "compact_boundary":
      return [compaction(record)];
    case "microcompact_boundary":
      return [cleared("microcompact", membersOf(record.microcompactMetadata)["compactedToolIds"])];
    default:
      return NO_CHANGES;
  }
}

function compaction(record: LogRecord): ContextChange {
  const { trigger, preTokens, postTokens } = membersOf(record.compactMetadata);
  return {
    change: "compaction",
    preserved: preservedBy(record),
    trigger: stringOf(trigger),
    preTokens: typeof preTokens === "number" ? preTokens : undefined,
    postTokens: typeof postTokens === "number" ? postTokens : undefined,
  };
}

function cleared(by: ClearedBy, ids: unknown): ContextChange {
  return { change: "clear", by, results: stringsOf(ids).map(id => ({ id })) };
}

function replaced(replacements: readonly unknown[]): ContextChange {
  const results = replacements.flatMap(one => {
    const { toolUseId: id, replacement } = membersOf(one);
    return typeof id === "string" ? { id, text: stringOf(replacement) } : [];
  });
  return { change: "clear", by: "replacement", results };
}

const CLEARED_BY_API: readonly ContextChange[] = [{ change: "clear", by: "edits", results: "all" }];

/** Whether the API itself cleared results before it answered: it says how many, but not which. */
function clearsUses(message: Members): boolean {
  if (isSynthetic(message)) return false;
  return listOf(membersOf(message["context_management"])["applied_edits"]).some(edit => {
    const { type, cleared_tool_uses: uses } = membersOf(edit);
    return typeof type === "string" && type.startsWith("clear_tool_uses_") && typeof uses === "number" && uses > 0;
  });
}

/** The uuids of the lines that a compaction keeps verbatim. */
export function preservedBy({ compactMetadata }: LogRecord): string[] {
  const { allUuids, uuids } = membersOf(membersOf(compactMetadata)["preservedMessages"]);
  return stringsOf(allUuids ?? uuids);
}

export function isBoundary({ type, subtype }: LogRecord): boolean {
  return type === "system" && subtype === "compact_boundary";
}
