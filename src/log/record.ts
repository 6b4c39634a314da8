import { HeldResponse, HeldText, type LogText } from "./heldText.js";

/**
 * One parsed line of a log. It is untrusted: any member may be anything, or missing. What `LogReader` needs of it, the
 * scanner must look for, too (src/scanner/assembly); test/unit/scanner finds what it does not.
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

/** A record that always has the same members, in the same order: what reads them is compiled for one kind of object. */
export class LineRecord implements LogRecord {
  type: unknown;
  subtype: unknown;
  uuid: unknown;
  parentUuid: unknown;
  logicalParentUuid: unknown;
  timestamp: unknown;
  isSidechain: unknown;
  isMeta: unknown;
  isCompactSummary: unknown;
  agentId: unknown;
  sessionId: unknown;
  cwd: unknown;
  version: unknown;
  message: unknown;
  toolUseResult: unknown;
  compactMetadata: unknown;
  microcompactMetadata: unknown;
  replacements: unknown;
  attachment: unknown;
  customTitle: unknown;
  aiTitle: unknown;
  summary: unknown;

  constructor(parsed: LogRecord) {
    this.type = parsed.type;
    this.subtype = parsed.subtype;
    this.uuid = parsed.uuid;
    this.parentUuid = parsed.parentUuid;
    this.logicalParentUuid = parsed.logicalParentUuid;
    this.timestamp = parsed.timestamp;
    this.isSidechain = parsed.isSidechain;
    this.isMeta = parsed.isMeta;
    this.isCompactSummary = parsed.isCompactSummary;
    this.agentId = parsed.agentId;
    this.sessionId = parsed.sessionId;
    this.cwd = parsed.cwd;
    this.version = parsed.version;
    this.message = parsed.message;
    this.toolUseResult = parsed.toolUseResult;
    this.compactMetadata = parsed.compactMetadata;
    this.microcompactMetadata = parsed.microcompactMetadata;
    this.replacements = parsed.replacements;
    this.attachment = parsed.attachment;
    this.customTitle = parsed.customTitle;
    this.aiTitle = parsed.aiTitle;
    this.summary = parsed.summary;
  }
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

/** Parsing a line that is not JSON costs far more than one that is: a file of nothing else would take minutes. */
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

/** The same as `bodyOf`, for records whose texts may be held. */
export function heldBodyOf(content: unknown): LogText | null {
  return content instanceof HeldText ? content : bodyOf(content);
}

/** What a tool result's `content` gives the model: its text, or null if it is not only text. */
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
