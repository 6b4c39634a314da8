import { HeldResponse } from "./heldText.js";

/**
 * One parsed line of a log. It is untrusted: any member may be anything, or missing. The scanner (src/scanner/assembly)
 * must also look for everything that `LogReader` needs; test/unit/scanner finds what it misses.
 */
export interface LogRecord {
  readonly type?: unknown;
  readonly subtype?: unknown;
  readonly uuid?: unknown;
  readonly parentUuid?: unknown;
  readonly logicalParentUuid?: unknown;
  readonly timestamp?: unknown;
  readonly isSidechain?: unknown;
  readonly isMeta?: unknown;
  readonly isCompactSummary?: unknown;
  readonly agentId?: unknown;
  readonly sessionId?: unknown;
  readonly cwd?: unknown;
  readonly version?: unknown;
  readonly message?: unknown;
  readonly toolUseResult?: unknown;
  readonly compactMetadata?: unknown;
  readonly microcompactMetadata?: unknown;
  readonly replacements?: unknown;
  readonly attachment?: unknown;
  readonly customTitle?: unknown;
  readonly aiTitle?: unknown;
  readonly summary?: unknown;
}

/** A JSON object of unknown members. */
export type Members = Readonly<Record<string, unknown>>;

const NONE: Members = {};

/** The value if it is an object, otherwise an empty one. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : NONE;
}

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringsOf(value: unknown): string[] {
  return listOf(value).filter(item => typeof item === "string");
}

/** The line as an object; undefined if it is not one. */
export function recordOf(line: string): LogRecord | undefined {
  if (!mayBeObject(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parsing a line that is not JSON costs far more than one that is: a file full of them would take minutes. */
function mayBeObject(line: string): boolean {
  let [start, end] = [0, line.length - 1];
  while (line.charCodeAt(start) <= SPACE) start++;
  while (end > start && line.charCodeAt(end) <= SPACE) end--;
  return line[start] === "{" && line[end] === "}";
}

const SPACE = 0x20;

/** The content blocks of the line's message. */
export function blocksOf(record: LogRecord): readonly Members[] {
  return listOf(membersOf(record.message)["content"]).filter(isObject);
}

/** What the model gets from a tool result's `content`: its text, or null if it is not only text. */
export function bodyOf(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts: string[] = [];
  for (const block of content as unknown[]) {
    const part = block as { type?: unknown; text?: unknown } | null;
    if (part?.type !== "text" || typeof part.text !== "string") return null;
    texts.push(part.text);
  }
  return texts.join("\n");
}

/** Whether Claude Code itself answered a re-read of an unchanged file with a stub. */
export function isUnchanged(toolUseResult: unknown): boolean {
  if (toolUseResult instanceof HeldResponse) return toolUseResult.isUnchanged;
  return membersOf(toolUseResult)["type"] === "file_unchanged";
}
