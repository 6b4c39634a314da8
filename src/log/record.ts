/** One line of a log, parsed. It is untrusted: every member may be anything, or missing. */
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

/** The value where it is an object, else one without members. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : NONE;
}

function isObject(value: unknown): value is Members {
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

/** The line as an object, or undefined where it is not one. */
export function recordOf(line: string): LogRecord | undefined {
  if (!mayBeObject(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** To the parser, a line that is no JSON costs far more than one that is: a file of nothing else would take minutes. */
function mayBeObject(line: string): boolean {
  let [start, end] = [0, line.length - 1];
  while (line.charCodeAt(start) <= SPACE) start++;
  while (end > start && line.charCodeAt(end) <= SPACE) end--;
  return line[start] === "{" && line[end] === "}";
}

const SPACE = 0x20;
/** The context that a line belongs to; `agentOfFile`: the subagent whose own file it stands in. */
export function contextIdOf({ type, isSidechain, agentId }: LogRecord, agentOfFile: string | undefined): string {
  const agent = stringOf(agentId);
  // A replacement names its subagent without saying that it is on the side.
  const isAside = isSidechain === true || (type === "content-replacement" && agent !== undefined);
  return agentOfFile ?? (isAside ? (agent ?? "sidechain") : "main");
}

/** What a line says of its parent: a uuid, null, anything; undefined where it says nothing. */
export function parentOf(record: LogRecord): unknown {
  return isBoundary(record) && record.logicalParentUuid !== undefined ? record.logicalParentUuid : record.parentUuid;
}

/**
 * What a compaction goes on from is often a reminder that was never written down. What it kept is still there: these
 * uuids, newest first, stand in for a parent that is not.
 */
export function standInsOf(record: LogRecord): readonly string[] {
  return isBoundary(record) ? preservedBy(record).slice(-MAX_STAND_INS).reverse() : NO_STAND_INS;
}

const NO_STAND_INS: readonly string[] = [];
/** Far more than the reminders at the end of what is kept. */
const MAX_STAND_INS = 16;

/** The uuids of the lines that a compaction keeps as they are. */
export function preservedBy({ compactMetadata }: LogRecord): string[] {
  const { allUuids, uuids } = membersOf(membersOf(compactMetadata)["preservedMessages"]);
  return stringsOf(allUuids ?? uuids);
}

function isBoundary({ type, subtype }: LogRecord): boolean {
  return type === "system" && subtype === "compact_boundary";
}

/** The content blocks of the line's message. */
export function blocksOf(record: LogRecord): readonly Members[] {
  return listOf(membersOf(record.message)["content"]).filter(isObject);
}
