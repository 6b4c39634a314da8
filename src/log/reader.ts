import { bodyOf } from "./body.js";
import { type Bytes, bytesOf, includes, textOf } from "./bytes.js";
import { Calibrator, type Sample, SYNTHETIC_MODEL } from "./calibration.js";
import type { BoundaryFact, Fact, Place } from "./facts.js";
import { LogLine } from "./line.js";
import { type LineSink, LineSplitter } from "./splitter.js";
import { kindOfTool, oneLine, pathOfCall, type ToolInput, type ToolKind, targetOfCall } from "./tools.js";
import { type MessageHead, readMessageHead } from "./usage.js";

const TOOL_USE = bytesOf('"tool_use"');
const TOOL_RESULT = bytesOf('"tool_result"');
const FILE_UNCHANGED = bytesOf('"file_unchanged"');
/** A prompt longer than this holds pasted files or pictures and is not worth parsing for a title. */
const MAX_TITLE_SOURCE = 20_000;
const CHAIN_TYPES = ["user", "assistant", "system", "attachment", "progress"] as const;

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

interface Call {
  readonly tool: string;
  readonly kind: ToolKind;
  readonly path: string | undefined;
  readonly target: string;
}

const UNKNOWN_CALL: Call = { tool: "", kind: "other", path: undefined, target: "" };

/** What one model instance sees of the file: the main conversation or one subagent. */
export class LogContext {
  readonly id: string;
  readonly calibrator = new Calibrator();
  readonly results = new Set<string>();
  readonly lineOfUuid = new Map<string, number>();
  lastAssistantLine = 0;
  messageId: string | undefined;
  usageKnown = false;

  constructor(id: string) {
    this.id = id;
  }
}

export type FactSink = (context: LogContext, fact: Fact) => void;

/**
 * Turns the bytes of one log file, pushed in pieces of any size, into facts. Each line is looked at once; only the
 * parts that the engine needs are parsed (a result's content and a call's input), and no line is kept.
 */
export class LogReader implements LineSink {
  readonly header: LogHeader = {
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
  readonly contexts = new Map<string, LogContext>();
  readonly #splitter: LineSplitter;
  readonly #sink: FactSink;
  readonly #agentOfFile: string | undefined;
  readonly #calls = new Map<string, Call>();
  readonly #line = new LogLine();
  #lineNumber = 0;

  /** `agentOfFile`: the subagent whose own file this is; all its lines are that context's. */
  constructor(sink: FactSink, options: { agentOfFile?: string; maxLineBytes?: number } = {}) {
    this.#sink = sink;
    this.#agentOfFile = options.agentOfFile;
    this.#splitter = new LineSplitter(this, options);
  }

  push(chunk: Bytes): void {
    this.#splitter.push(chunk);
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
    const line = this.#line;
    try {
      if (!line.read(bytes, start, end)) this.header.badLines++;
      else this.#take(line, offset);
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
    if (line.is("type", "content-replacement")) return this.#takeReplacement(line, place);
    const type = CHAIN_TYPES.find(name => line.is("type", name));
    if (type === undefined) return this.#takeTitle(line);
    const context = this.#contextOf(line);
    if (type === "user") this.#takeUser(line, context, place);
    else if (type === "assistant") this.#takeAssistant(line, context, place);
    else if (type === "system") this.#takeSystem(line, context, place);
    else if (type === "attachment") context.calibrator.spoil();
    const uuid = line.text("uuid");
    if (uuid !== undefined) context.lineOfUuid.set(uuid, place.line);
  }

  #readHeader(line: LogLine, at: string | null): void {
    const header = this.header;
    header.sessionId ??= line.text("sessionId");
    header.project ??= line.text("cwd");
    const version = line.text("version");
    if (version !== undefined) header.versions.add(version);
    if (at === null) return;
    if (header.firstAt === undefined || at < header.firstAt) header.firstAt = at;
    if (header.lastAt === undefined || at > header.lastAt) header.lastAt = at;
  }

  /** Titles are written again and again; the last one holds. */
  #takeTitle(line: LogLine): void {
    const title = line.text("customTitle") ?? line.text("aiTitle") ?? line.text("summary");
    if (title === undefined) return;
    this.header.title = oneLine(title);
  }

  /** Until a title comes, the first thing the user asked serves as one. */
  #titleFromPrompt(line: LogLine): void {
    if (this.header.title !== undefined || line.end("message") - line.start("message") > MAX_TITLE_SOURCE) return;
    const content = (line.parse("message") as { content?: unknown } | null)?.content;
    const text = typeof content === "string" ? content : bodyOf(content);
    // Command echoes and reminders are wrapped in tags.
    if (text && !text.startsWith("<")) this.header.title = oneLine(text);
  }

  #contextOf(line: LogLine): LogContext {
    const id = this.#agentOfFile ?? (line.isTrue("isSidechain") ? (line.text("agentId") ?? "sidechain") : "main");
    const known = this.contexts.get(id);
    if (known !== undefined) return known;
    const context = new LogContext(id);
    this.contexts.set(id, context);
    return context;
  }

  #takeUser(line: LogLine, context: LogContext, place: Place): void {
    const start = line.start("message");
    if (start < 0 || !includes(line.bytes, TOOL_RESULT, start, line.end("message"))) {
      return this.#takePrompt(line, context, place);
    }
    const content = (line.parse("message") as { content?: unknown } | null)?.content;
    const blocks: unknown[] = Array.isArray(content) ? content : [];
    const results = blocks.filter(isToolResult);
    if (results.length === 0) return this.#takePrompt(line, context, place);
    if (results.length < blocks.length) context.calibrator.spoil();
    for (const block of results) this.#takeResult(block, line, context, place);
  }

  #takeResult(block: ToolResultBlock, line: LogLine, context: LogContext, place: Place): void {
    if (context.results.has(block.tool_use_id)) return;
    context.results.add(block.tool_use_id);
    const body = bodyOf(block.content);
    context.calibrator.result(body === null ? null : body.length);
    this.#sink(context, {
      fact: "result",
      ...place,
      id: block.tool_use_id,
      uuid: line.text("uuid") ?? "",
      ...(this.#calls.get(block.tool_use_id) ?? UNKNOWN_CALL),
      body,
      error: block.is_error === true,
      native: isFileUnchanged(line),
    });
  }

  #takePrompt(line: LogLine, context: LogContext, place: Place): void {
    context.calibrator.spoil();
    if (line.isTrue("isMeta") || line.isTrue("isCompactSummary")) return;
    this.#titleFromPrompt(line);
    const parent = context.lineOfUuid.get(line.text("parentUuid") ?? "");
    if (parent === undefined || context.lastAssistantLine <= parent) return;
    this.#sink(context, { fact: "rewind", ...place, toLine: parent });
  }

  #takeAssistant(line: LogLine, context: LogContext, place: Place): void {
    const start = line.start("message");
    const head = start < 0 ? undefined : readMessageHead(line.bytes, start, line.end("message"));
    if (head !== undefined) {
      this.#registerCalls(head, line);
      this.#takeRequest(head, context, place);
    }
    context.lastAssistantLine = place.line;
  }

  #takeRequest(head: MessageHead, context: LogContext, place: Place): void {
    if (head.model === SYNTHETIC_MODEL) return context.calibrator.spoil();
    const continued = head.id !== undefined && head.id === context.messageId;
    if (continued && (context.usageKnown || head.input === 0)) return context.calibrator.raiseOutput(head.output);
    context.messageId = head.id;
    context.usageKnown = head.input > 0;
    if (head.model !== "") this.header.models.add(head.model);
    context.calibrator.request(head.model, head.input, head.output);
    const { model, input, written5m, written1h } = head;
    this.#sink(context, { fact: "request", ...place, continued, model, input, written5m, written1h });
  }

  #registerCalls(head: MessageHead, line: LogLine): void {
    if (head.contentStart < 0 || !includes(line.bytes, TOOL_USE, head.contentStart, head.contentEnd)) return;
    const blocks: unknown = JSON.parse(textOf(line.bytes, head.contentStart, head.contentEnd));
    if (!Array.isArray(blocks)) return;
    const cwd = line.text("cwd");
    for (const block of blocks as unknown[]) {
      if (!isToolUse(block)) continue;
      const kind = kindOfTool(block.name);
      const input = (typeof block.input === "object" && block.input !== null ? block.input : {}) as ToolInput;
      this.#calls.set(block.id, {
        tool: block.name,
        kind,
        path: pathOfCall(kind, input, cwd),
        target: targetOfCall(input, cwd),
      });
    }
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
    const agent = this.#agentOfFile ?? line.text("agentId") ?? "main";
    const context = this.contexts.get(agent);
    const replacements = line.parse("replacements");
    if (context === undefined || !Array.isArray(replacements)) return;
    context.calibrator.spoil();
    const ids = strings((replacements as ({ toolUseId?: unknown } | null)[]).map(one => one?.toolUseId));
    this.#sink(context, { fact: "clear", ...place, ids, by: "replacement" });
  }
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

interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content?: unknown;
  is_error?: unknown;
}

function isToolResult(block: unknown): block is ToolResultBlock {
  const of = block as { type?: unknown; tool_use_id?: unknown } | null;
  return of?.type === "tool_result" && typeof of.tool_use_id === "string";
}

function isToolUse(block: unknown): block is { id: string; name: string; input?: unknown } {
  const of = block as { type?: unknown; id?: unknown; name?: unknown } | null;
  return of?.type === "tool_use" && typeof of.id === "string" && typeof of.name === "string";
}

/** `toolUseResult` may hold megabytes of file copies: it is parsed only where the tell-tale word stands in it. */
function isFileUnchanged(line: LogLine): boolean {
  const start = line.start("toolUseResult");
  if (start < 0 || !includes(line.bytes, FILE_UNCHANGED, start, line.end("toolUseResult"))) return false;
  return (line.parse("toolUseResult") as { type?: unknown } | null)?.type === "file_unchanged";
}

function strings(values: unknown): string[] {
  return Array.isArray(values) ? (values as unknown[]).filter(value => typeof value === "string") : [];
}
