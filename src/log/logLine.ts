import { isCall } from "./calls.js";
import { isBoundary, parentOf, standInsOf } from "./contextRules.js";
import type { Place } from "./facts.js";
import type { LogText } from "./heldText.js";
import { hash64 } from "./lineIndex.js";
import type { Link, ParentKind } from "./parentLinks.js";
import { blocksOf, bodyOf, type LogRecord, type Members, membersOf, stringOf } from "./record.js";
import { timestampOf } from "./times.js";
import { pathIn, subjectIn } from "./tools.js";
import { readUsage } from "./usage.js";

export type LineType = "user" | "assistant" | "system" | "attachment" | "progress" | "content-replacement" | "other";

/** A tool result in a line. */
export interface LineResult {
  readonly id: string | undefined;
  /** Null if it is not only text. */
  readonly body: LogText | null;
  readonly isError: boolean;
}

/** A tool call in a line. */
export interface LineCall {
  readonly id: string;
  readonly tool: string;
  /** The path and subject as given (by precedence if there are several); the subject is at least as long as shown. */
  readonly path: string | undefined;
  readonly subject: string | undefined;
  readonly offset: unknown;
  readonly limit: unknown;
  /** The string members of its input, in order. */
  readonly strings: readonly (readonly [key: string, text: LogText])[];
}

/** Details of a line that are rarely needed, available until the next line is read. */
export interface LineSource {
  uuid(): string;
  parentUuid(): string;
  /** The user's prompt; null if it was not only text, "" if there is none. */
  prompt(): string | null;
}

const NO_RESULTS: readonly LineResult[] = [];
const NO_CALLS: readonly LineCall[] = [];

/**
 * What `LogReader` needs from one line, validated. This is the hot path of reading a log, so every line is an object of
 * the same shape, whichever parser made it.
 */
export class LogLine implements Place, Link {
  line = 0;
  offset = 0;
  at: string | null = null;
  type: LineType = "other";
  isSidechain = false;
  isMeta = false;
  isCompactSummary = false;
  agentId: string | undefined = undefined;
  sessionId: string | undefined = undefined;
  cwd: string | undefined = undefined;
  version: string | undefined = undefined;
  title: string | undefined = undefined;
  hasUuid = false;
  uuidHigh = 0;
  uuidLow = 0;
  parent: ParentKind = "unspecified";
  parentHigh = 0;
  parentLow = 0;
  standIns: readonly string[] | undefined = undefined;
  isBoundary = false;
  /** The number of content blocks. */
  blocks = 0;
  results = NO_RESULTS;
  calls = NO_CALLS;
  /** Only for an answer. */
  messageId: string | undefined = undefined;
  model: string | undefined = undefined;
  input = 0;
  output = 0;
  written5m = 0;
  written1h = 0;
  cacheRead = 0;
  /** What the tool returned. */
  response: unknown = undefined;
  /** The parsed line; undefined if the line can only change what its context continues from. */
  record: LogRecord | undefined = undefined;
  readonly source: LineSource;

  constructor(source: LineSource) {
    this.source = source;
  }

  get isCall(): boolean {
    return this.calls.length > 0;
  }

  uuid(): string {
    return this.hasUuid ? this.source.uuid() : "";
  }

  parentUuid(): string {
    return this.source.parentUuid();
  }
}

/** Extracts the members of a parsed line. */
export function lineOf(record: LogRecord): LogLine {
  const { uuid, message } = record;
  const parent = parentOf(record);
  const line = new LogLine({
    uuid: () => stringOf(uuid) ?? "",
    parentUuid: () => stringOf(parent) ?? "",
    prompt: () => promptIn(membersOf(message)["content"]),
  });
  line.record = record;
  line.type = typeOf(record.type);
  line.at = timestampOf(record.timestamp);
  line.isSidechain = record.isSidechain === true;
  line.isMeta = record.isMeta === true;
  line.isCompactSummary = record.isCompactSummary === true;
  line.agentId = stringOf(record.agentId);
  line.sessionId = stringOf(record.sessionId);
  line.cwd = stringOf(record.cwd);
  line.version = stringOf(record.version);
  line.title = stringOf(record.customTitle) ?? stringOf(record.aiTitle) ?? stringOf(record.summary);
  line.hasUuid = typeof uuid === "string";
  if (typeof uuid === "string") [line.uuidHigh, line.uuidLow] = signed(hash64(uuid));
  line.parent = typeof parent === "string" ? "uuid" : parent === undefined ? "unspecified" : "none";
  if (typeof parent === "string") [line.parentHigh, line.parentLow] = signed(hash64(parent));
  line.standIns = standInsOf(record);
  line.isBoundary = isBoundary(record);
  if (line.type === "user") takeResults(record, line);
  else if (line.type === "assistant") takeAnswer(record, line);
  return line;
}

/** V8 has a fast representation for signed 32-bit integers. */
function signed([high, low]: readonly [number, number]): [number, number] {
  return [high | 0, low | 0];
}

function promptIn(content: unknown): string | null {
  return typeof content === "string" || Array.isArray(content) ? bodyOf(content) : "";
}

function typeOf(type: unknown): LineType {
  switch (type) {
    case "user":
    case "assistant":
    case "system":
    case "attachment":
    case "progress":
    case "content-replacement":
      return type;
    default:
      return "other";
  }
}

function takeResults(record: LogRecord, line: LogLine): void {
  const blocks = blocksOf(record);
  line.blocks = blocks.length;
  line.response = record.toolUseResult;
  line.results = blocks
    .filter(({ type }) => type === "tool_result")
    .map(({ tool_use_id: id, content, is_error: isError }) => {
      return { id: stringOf(id), body: bodyOf(content), isError: isError === true };
    });
}

function takeAnswer(record: LogRecord, line: LogLine): void {
  const message = membersOf(record.message);
  line.messageId = stringOf(message["id"]);
  line.model = stringOf(message["model"]);
  const { input, output, written5m, written1h, cacheRead } = readUsage(message["usage"]);
  line.input = input;
  line.output = output;
  line.written5m = written5m;
  line.written1h = written1h;
  line.cacheRead = cacheRead;
  line.calls = blocksOf(record).filter(isCall).map(callIn);
}

/** `block`: a call. */
function callIn(block: Members): LineCall {
  const input = membersOf(block["input"]);
  const strings: [string, string][] = [];
  for (const [key, text] of Object.entries(input)) if (typeof text === "string") strings.push([key, text]);
  return {
    id: stringOf(block["id"]) ?? "",
    tool: stringOf(block["name"]) ?? "",
    path: pathIn(input),
    subject: subjectIn(input),
    offset: input["offset"],
    limit: input["limit"],
    strings,
  };
}
