import { bodyOf } from "./body.js";
import { type Bytes, bytesOf } from "./bytes.js";
import { type Sample, SYNTHETIC_MODEL } from "./calibration.js";
import { type Call, readCall, UNKNOWN_CALL } from "./calls.js";
import { LogContext, type SavedContext } from "./context.js";
import type { BoundaryFact, Fact, Place } from "./facts.js";
import { type BlockSpans, isStringAt, isTrueAt, LogLine } from "./line.js";
import { type LineSink, LineSplitter } from "./splitter.js";
import { oneLine } from "./tools.js";
import { readUsage } from "./usage.js";
import { parsedOf, stringOf } from "./values.js";

const FILE_UNCHANGED = bytesOf('"file_unchanged"');
const TYPE_FIRST = bytesOf('{"type":');
/** A prompt longer than this holds pasted files or pictures and is not worth parsing for a title. */
const MAX_TITLE_SOURCE = 20_000;

/** What a file says about itself. */
export interface LogHeader {
  sessionId: string | undefined;
  project: string | undefined;
  /** The newest title, else the first prompt. */
  title: string | undefined;
  firstAt: string | undefined;
  lastAt: string | undefined;
  readonly models: Set<string>;
  readonly versions: Set<string>;
  badLines: number;
  overlongLines: number;
}

/** Everything a reader knows at the end of a line, as plain data: reading can go on from `offset` another day. */
export interface SavedReader {
  readonly offset: number;
  readonly lines: number;
  readonly header: LogHeader;
  readonly calls: ReadonlyMap<string, Call>;
  readonly contexts: readonly SavedContext[];
}

export type FactSink = (context: LogContext, fact: Fact) => void;

export interface ReaderOptions {
  /** The subagent whose own file this is; all its lines are that context's. */
  readonly agentOfFile?: string | undefined;
  readonly maxLineBytes?: number;
  /** Tell calls' inputs too: only span references need them. */
  readonly tellCalls?: boolean;
  /** Go on where another reader stopped. */
  readonly resume?: SavedReader | undefined;
}

/**
 * Turns the bytes of one log file, pushed in pieces of any size, into facts. Each line is looked at once; only the
 * parts that the engine needs are parsed (a result's text and a call's subject), and no line is kept.
 */
export class LogReader implements LineSink {
  readonly header: LogHeader;
  readonly contexts = new Map<string, LogContext>();
  readonly #splitter: LineSplitter;
  readonly #sink: FactSink;
  readonly #agentOfFile: string | undefined;
  readonly #tellCalls: boolean;
  readonly #calls: Map<string, Call>;
  readonly #line = new LogLine();
  #lineNumber = 0;
  #version = "";

  constructor(sink: FactSink, options: ReaderOptions = {}) {
    const { resume, maxLineBytes } = options;
    this.#sink = sink;
    this.#agentOfFile = options.agentOfFile;
    this.#tellCalls = options.tellCalls ?? false;
    this.#splitter = new LineSplitter(this, {
      offset: resume?.offset ?? 0,
      ...(maxLineBytes !== undefined && { maxLineBytes }),
    });
    this.header = copyHeader(resume?.header ?? EMPTY_HEADER);
    this.#calls = new Map(resume?.calls);
    this.#lineNumber = resume?.lines ?? 0;
    for (const state of resume?.contexts ?? []) this.contexts.set(state.id, new LogContext(state.id, state));
  }

  get state(): SavedReader {
    return {
      offset: this.consumed,
      lines: this.#lineNumber,
      header: this.header,
      calls: this.#calls,
      contexts: [...this.contexts.values()].map(context => context.state),
    };
  }

  push(chunk: Bytes): void {
    this.#splitter.push(chunk);
  }

  /** Forgets the bytes of an unfinished line. */
  dropUnfinished(): void {
    this.#splitter.dropUnfinished();
  }

  /** The position up to which all bytes are understood; an unfinished last line stands after it. */
  get consumed(): number {
    return this.#splitter.consumed;
  }

  /** Finished lines so far, bad ones included. */
  get lines(): number {
    return this.#lineNumber;
  }

  get samples(): Sample[] {
    return [...this.contexts.values()].flatMap(context => context.calibrator.samples);
  }

  overlong(): void {
    this.#lineNumber++;
    this.header.badLines++;
    this.header.overlongLines++;
  }

  line(bytes: Bytes, start: number, end: number, offset: number): void {
    this.#lineNumber++;
    try {
      if (this.#line.read(bytes, start, end)) this.#take(this.#line, offset);
      else this.header.badLines++;
    } catch (error) {
      // A value inside the line is not JSON although its brackets match: as bad as a torn line.
      if (!(error instanceof SyntaxError)) throw error;
      this.header.badLines++;
    }
  }

  #take(line: LogLine, offset: number): void {
    const at = line.text("timestamp") ?? null;
    this.#readHeader(line, at);
    const place: Place = { line: this.#lineNumber, offset, at };
    if (line.is("type", "user")) this.#takeUser(line, this.#contextOf(line), place);
    else if (line.is("type", "assistant")) this.#takeAssistant(line, this.#contextOf(line), place);
    else if (line.is("type", "system")) this.#takeSystem(line, this.#contextOf(line), place);
    else if (line.is("type", "attachment")) this.#contextOf(line).calibrator.spoil();
    else if (line.is("type", "content-replacement")) this.#takeReplacement(line, place);
    else if (!line.is("type", "progress")) this.#takeTitle(line);
    const start = line.start("uuid");
    if (start >= 0) this.#contextOf(line).lineOfUuid.set(line.bytes, start, line.end("uuid"), place.line);
  }

  #readHeader(line: LogLine, at: string | null): void {
    const header = this.header;
    header.sessionId ??= line.text("sessionId");
    header.project ??= line.text("cwd");
    if (!line.is("version", this.#version)) {
      this.#version = line.text("version") ?? "";
      if (this.#version !== "") header.versions.add(this.#version);
    }
    if (at === null) return;
    if (header.firstAt === undefined || at < header.firstAt) header.firstAt = at;
    if (header.lastAt === undefined || at > header.lastAt) header.lastAt = at;
  }

  /** Titles are written again and again; the last one holds. */
  #takeTitle(line: LogLine): void {
    const title = line.text("customTitle") ?? line.text("aiTitle") ?? line.text("summary");
    if (title !== undefined) this.header.title = oneLine(title);
  }

  /** Until a title comes, the first thing the user asked serves as one. */
  #titleFromPrompt(line: LogLine): void {
    if (this.header.title !== undefined || line.raw("message").length > MAX_TITLE_SOURCE) return;
    const content = bodyOf(parsedOf(line.bytes, line.message, "content"));
    // Command echoes and reminders are wrapped in tags.
    if (content && !content.startsWith("<")) this.header.title = oneLine(content);
  }

  #contextId(line: LogLine): string {
    return this.#agentOfFile ?? (line.isTrue("isSidechain") ? (line.text("agentId") ?? "sidechain") : "main");
  }

  #contextOf(line: LogLine): LogContext {
    const id = this.#contextId(line);
    const known = this.contexts.get(id);
    if (known !== undefined) return known;
    const context = new LogContext(id);
    this.contexts.set(id, context);
    return context;
  }

  #takeUser(line: LogLine, context: LogContext, place: Place): void {
    let results = 0;
    for (let index = 0; index < line.blockCount; index++) {
      const block = line.blocks[index] as BlockSpans;
      if (isStringAt(line.bytes, block.start("type"), block.end("type"), "tool_result")) {
        results++;
        this.#takeResult(block, line, context, place);
      }
    }
    if (results === 0) this.#takePrompt(line, context, place);
    else if (results < line.blockCount) context.calibrator.spoil();
  }

  #takeResult(block: BlockSpans, line: LogLine, context: LogContext, place: Place): void {
    const id = stringOf(line.bytes, block, "tool_use_id");
    if (id === undefined || context.results.has(id)) return;
    const body = bodyOf(stringOf(line.bytes, block, "content") ?? parsedOf(line.bytes, block, "content"));
    context.results.add(id);
    context.calibrator.result(body === null ? null : body.length);
    const { tool, kind, path, target, callOffset } = this.#calls.get(id) ?? UNKNOWN_CALL;
    this.#sink(context, {
      fact: "result",
      line: place.line,
      offset: place.offset,
      at: place.at,
      id,
      uuid: line.text("uuid") ?? "",
      tool,
      kind,
      path,
      target,
      callOffset,
      body,
      error: isTrueAt(line.bytes, block.start("is_error")),
      native: isFileUnchanged(line),
    });
  }

  #takePrompt(line: LogLine, context: LogContext, place: Place): void {
    context.calibrator.spoil();
    if (line.isTrue("isMeta") || line.isTrue("isCompactSummary")) return;
    this.#titleFromPrompt(line);
    if (line.start("parentUuid") < 0) return;
    const parent = context.lineOfUuid.get(line.bytes, line.start("parentUuid"), line.end("parentUuid"));
    if (parent === undefined || context.lastAssistantLine <= parent) return;
    this.#sink(context, { fact: "rewind", ...place, toLine: parent });
  }

  #takeAssistant(line: LogLine, context: LogContext, place: Place): void {
    for (let index = 0; index < line.blockCount; index++) {
      const found = readCall(line.bytes, line.blocks[index] as BlockSpans, place.offset, () => line.text("cwd"));
      if (found === undefined) continue;
      this.#calls.set(found.id, found.call);
      if (this.#tellCalls) this.#tellCall(found.id, index, line, context, place);
    }
    this.#takeRequest(line, context, place);
    context.lastAssistantLine = place.line;
  }

  #tellCall(id: string, index: number, line: LogLine, context: LogContext, place: Place): void {
    const input = parsedOf(line.bytes, line.blocks[index] as BlockSpans, "input");
    const members = typeof input === "object" && input !== null ? Object.entries(input) : [];
    const strings = members.filter((member): member is [string, string] => typeof member[1] === "string");
    this.#sink(context, { fact: "call", ...place, id, uuid: line.text("uuid") ?? "", strings });
  }

  #takeRequest(line: LogLine, context: LogContext, place: Place): void {
    const { bytes, message } = line;
    if (isStringAt(bytes, message.start("model"), message.end("model"), SYNTHETIC_MODEL))
      return context.calibrator.spoil();
    const { input, output, written5m, written1h } = readUsage(bytes, message.start("usage"), message.end("usage"));
    const known = context.messageId;
    const continued = known !== undefined && isStringAt(bytes, message.start("id"), message.end("id"), known);
    if (continued && (context.usageKnown || input === 0)) return context.calibrator.raiseOutput(output);
    context.messageId = stringOf(bytes, message, "id");
    context.usageKnown = input > 0;
    const model = stringOf(bytes, message, "model") ?? "";
    if (model !== "") this.header.models.add(model);
    context.calibrator.request(model, input, output);
    this.#sink(context, { fact: "request", ...place, continued, model, input, written5m, written1h });
  }

  #takeSystem(line: LogLine, context: LogContext, place: Place): void {
    if (line.is("subtype", "compact_boundary")) {
      context.calibrator.spoil();
      this.#sink(context, { fact: "boundary", ...place, ...compaction(line.parse("compactMetadata")) });
    } else if (line.is("subtype", "microcompact_boundary")) {
      context.calibrator.spoil();
      const metadata = line.parse("microcompactMetadata") as { compactedToolIds?: unknown } | null | undefined;
      this.#sink(context, { fact: "clear", ...place, ids: strings(metadata?.compactedToolIds), by: "microcompact" });
    }
  }

  #takeReplacement(line: LogLine, place: Place): void {
    // Such a line names its subagent without saying that it is on the side.
    const context = this.contexts.get(this.#agentOfFile ?? line.text("agentId") ?? this.#contextId(line));
    const replacements = line.parse("replacements");
    if (context === undefined || !Array.isArray(replacements)) return;
    context.calibrator.spoil();
    const ids = strings((replacements as ({ toolUseId?: unknown } | null)[]).map(one => one?.toolUseId));
    this.#sink(context, { fact: "clear", ...place, ids, by: "replacement" });
  }
}

const EMPTY_HEADER: LogHeader = {
  sessionId: undefined,
  project: undefined,
  title: undefined,
  firstAt: undefined,
  lastAt: undefined,
  models: new Set(),
  versions: new Set(),
  badLines: 0,
  overlongLines: 0,
};

function copyHeader(header: LogHeader): LogHeader {
  return { ...header, models: new Set(header.models), versions: new Set(header.versions) };
}

interface CompactMetadata {
  preservedMessages?: { allUuids?: unknown; uuids?: unknown } | null;
  trigger?: unknown;
  preTokens?: unknown;
  postTokens?: unknown;
}

function compaction(metadata: unknown): Pick<BoundaryFact, "preserved" | "trigger" | "preTokens" | "postTokens"> {
  const { preservedMessages, trigger, preTokens, postTokens } = (metadata ?? {}) as CompactMetadata;
  return {
    preserved: strings(preservedMessages?.allUuids ?? preservedMessages?.uuids),
    trigger: typeof trigger === "string" ? trigger : undefined,
    preTokens: typeof preTokens === "number" ? preTokens : undefined,
    postTokens: typeof postTokens === "number" ? postTokens : undefined,
  };
}

/**
 * `toolUseResult` may hold megabytes of file copies. Its type, where it has one, stands first in every version known;
 * elsewhere it is parsed only where the tell-tale word stands in it.
 */
function isFileUnchanged(line: LogLine): boolean {
  const raw = line.raw("toolUseResult");
  if (raw.length < FILE_UNCHANGED.length) return false;
  if (startsWith(raw, TYPE_FIRST)) return startsWith(raw.subarray(TYPE_FIRST.length), FILE_UNCHANGED);
  if (!raw.includes(FILE_UNCHANGED)) return false;
  return (line.parse("toolUseResult") as { type?: unknown } | null)?.type === "file_unchanged";
}

function startsWith(bytes: Bytes, beginning: Bytes): boolean {
  for (let at = 0; at < beginning.length; at++) if (bytes[at] !== beginning[at]) return false;
  return true;
}

function strings(values: unknown): string[] {
  return Array.isArray(values) ? (values as unknown[]).filter(value => typeof value === "string") : [];
}
