import type { Bytes } from "./bytes.js";
import type { Sample } from "./calibration.js";
import { type Call, isCall, readCall, stringsOfCall, UNKNOWN_CALL } from "./calls.js";
import { type ContextChange, changesOf, contextIdOf, isSynthetic, parentOf, standInsOf } from "./contextRules.js";
import { explanationIn } from "./explanation.js";
import type { Fact, Place } from "./facts.js";
import { type LogText, responseOf } from "./heldText.js";
import type { IndexedLine } from "./lineIndex.js";
import { type LineParser, PLAIN_PARSER } from "./lineParser.js";
import { type LineSink, LineSplitter } from "./lineSplitter.js";
import { LogContext, type SavedContext } from "./logContext.js";
import { countPrompt, headerFrom, type LogHeader, MAX_COMPACTIONS, MAX_CONTEXTS } from "./logHeader.js";
import {
  blocksOf,
  bodyOf,
  heldBodyOf,
  isUnchanged,
  type LogRecord,
  type Members,
  membersOf,
  stringOf,
} from "./record.js";
import { titleLine } from "./tools.js";
import { readUsage } from "./usage.js";

/** The state of a reader at the end of a line, as plain data: another reader can continue from `offset`. */
export interface SavedReader {
  readonly offset: number;
  readonly lines: number;
  readonly compactions: number;
  readonly header: LogHeader;
  readonly calls: ReadonlyMap<string, Call>;
  readonly contexts: readonly SavedContext[];
}

export type FactSink = (context: LogContext, fact: Fact<LogText>) => void;

export interface ReaderOptions {
  /** The subagent whose own file this is: all lines belong to its context. */
  readonly agentOfFile?: string | undefined;
  readonly maxLineBytes?: number;
  readonly maxContexts?: number;
  readonly maxCompactions?: number;
  /** Also emit calls' inputs, which only runs of lines need. */
  readonly withCalls?: boolean;
  /** How lines are understood. Texts of the facts may be held in its memory: see `HeldText`. */
  readonly parser?: LineParser;
  /** Continue where another reader stopped. */
  readonly resume?: SavedReader | undefined;
  /** Start at this byte, with nothing known of what comes before. */
  readonly from?: number | undefined;
  /** Finds lines that are not in `resume`. */
  readonly lookUp?: ((context: string, uuid: string) => IndexedLine | undefined) | undefined;
}

/** Turns the bytes of one log file, pushed in pieces of any size, into facts. Each line is parsed once and not kept. */
export class LogReader implements LineSink {
  readonly header: LogHeader;
  readonly contexts = new Map<string, LogContext>();
  readonly #splitter: LineSplitter;
  readonly #sink: FactSink;
  readonly #parser: LineParser;
  readonly #agentOfFile: string | undefined;
  readonly #withCalls: boolean;
  readonly #calls: Map<string, Call>;
  readonly #maxContexts: number;
  readonly #maxCompactions: number;
  #compactions: number;
  readonly #lookUp: ReaderOptions["lookUp"];
  #lineNumber = 0;
  #version = "";

  constructor(sink: FactSink, options: ReaderOptions = {}) {
    const { resume, maxLineBytes } = options;
    this.#sink = sink;
    this.#parser = options.parser ?? PLAIN_PARSER;
    this.#maxContexts = options.maxContexts ?? MAX_CONTEXTS;
    this.#maxCompactions = options.maxCompactions ?? MAX_COMPACTIONS;
    this.#agentOfFile = options.agentOfFile;
    this.#withCalls = options.withCalls ?? false;
    this.#splitter = new LineSplitter(this, {
      offset: resume?.offset ?? options.from ?? 0,
      ...(maxLineBytes !== undefined && { maxLineBytes }),
    });
    this.header = headerFrom(resume?.header);
    this.#calls = new Map(resume?.calls);
    this.#lookUp = options.lookUp;
    this.#lineNumber = resume?.lines ?? 0;
    for (const state of resume?.contexts ?? []) this.#addContext(state.id, state);
    this.#compactions = resume?.compactions ?? 0;
  }

  get state(): SavedReader {
    return {
      offset: this.consumed,
      lines: this.#lineNumber,
      compactions: this.#compactions,
      header: this.header,
      calls: this.#calls,
      contexts: [...this.contexts.values()].map(context => context.state),
    };
  }

  push(chunk: Bytes): void {
    this.#parser.begin();
    this.#splitter.push(chunk);
  }

  dropUnfinished(): void {
    this.#splitter.dropUnfinished();
  }

  /** All bytes before this position belong to finished lines. */
  get consumed(): number {
    return this.#splitter.consumed;
  }

  /** Undefined if the call is unknown, or was not in `resume`. */
  call(id: string): Call | undefined {
    return this.#calls.get(id);
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

  failed(error: unknown): void {
    this.header.badLines++;
    this.header.failedLines++;
    this.header.failure ??= String(error);
  }

  line(bytes: Bytes, start: number, end: number, offset: number): void {
    this.#lineNumber++;
    const record = this.#parser.parse(bytes, start, end);
    if (record === undefined) this.header.badLines++;
    else this.#take(record, offset);
  }

  #take(record: LogRecord, offset: number): void {
    const at = stringOf(record.timestamp) ?? null;
    this.#readHeader(record, at);
    if (this.#isBeyondLimit(record)) {
      this.header.leftOutLines++;
      return;
    }
    const place: Place = { line: this.#lineNumber, offset, at };
    switch (record.type) {
      case "user":
        this.#takeUser(record, this.#contextOf(record), place);
        break;
      case "assistant":
        this.#takeAssistant(record, this.#contextOf(record), place);
        break;
      case "system":
        this.#change(record, this.#contextOf(record), place);
        break;
      case "attachment":
        this.#takeAttachment(record, this.#contextOf(record), place);
        break;
      case "content-replacement": {
        const context = this.contexts.get(contextIdOf(record, this.#agentOfFile));
        if (context !== undefined) this.#change(record, context, place);
        break;
      }
      case "progress":
        break;
      default:
        this.#takeTitle(record);
    }
    // An assistant line was linked before its calls were read.
    const isLink = LINK_TYPES.has(record.type) || typeof record.uuid === "string";
    if (isLink && record.type !== "assistant") this.#link(record, this.#contextOf(record), place, false);
  }

  /** Returns the line's node: see `ParentLinks`. */
  #link(record: LogRecord, context: LogContext, place: Place, isCall: boolean): number {
    const uuid = stringOf(record.uuid);
    const link = { line: place.line, uuid, parent: parentOf(record), standIns: standInsOf(record), isCall };
    const node = context.links.add(link);
    const branches = context.links.takeBranches();
    if (branches === undefined) return node;
    for (const branch of branches) this.#sink(context, { fact: "branch", ...place, ...branch });
    return node;
  }

  #readHeader(record: LogRecord, at: string | null): void {
    const header = this.header;
    header.sessionId ??= stringOf(record.sessionId);
    header.project ??= stringOf(record.cwd);
    if (record.version !== this.#version && typeof record.version === "string") {
      this.#version = record.version;
      if (this.#version !== "") header.versions.add(this.#version);
    }
    if (at === null) return;
    if (header.firstAt === undefined || at < header.firstAt) header.firstAt = at;
    if (header.lastAt === undefined || at > header.lastAt) header.lastAt = at;
  }

  /** Titles are written repeatedly; the last one counts. */
  #takeTitle({ customTitle, aiTitle, summary }: LogRecord): void {
    const title = stringOf(customTitle) ?? stringOf(aiTitle) ?? stringOf(summary);
    if (title !== undefined) Object.assign(this.header, { title: titleLine(title), isTitled: true });
  }

  /** The first prompt serves as the title until there is one. */
  #titleFromPrompt(record: LogRecord): void {
    if (this.header.title !== undefined) return;
    const content = bodyOf(membersOf(record.message)["content"]);
    // Echoed commands and reminders are wrapped in tags.
    if (content && !content.startsWith("<")) this.header.title = titleLine(content);
  }

  #contextOf(record: LogRecord): LogContext {
    const id = contextIdOf(record, this.#agentOfFile);
    const known = this.contexts.get(id);
    if (known !== undefined) return known;
    return this.#addContext(id);
  }

  #addContext(id: string, state?: SavedContext): LogContext {
    const lookUp = this.#lookUp;
    const context = new LogContext(id, state, lookUp && (uuid => lookUp(id, uuid)));
    this.contexts.set(id, context);
    return context;
  }

  /** Whether a line would open a context beyond the limit. The main conversation is always read. */
  #isBeyondLimit(record: LogRecord): boolean {
    if (this.contexts.size < this.#maxContexts || record.isSidechain !== true) return false;
    return !this.contexts.has(contextIdOf(record, this.#agentOfFile));
  }

  #takeUser(record: LogRecord, context: LogContext, place: Place): void {
    let results = 0;
    const blocks = blocksOf(record);
    for (const block of blocks) {
      if (block["type"] !== "tool_result") continue;
      results++;
      this.#takeResult(block, record, context, place);
    }
    if (results === 0) this.#takePrompt(record, context, place);
    else if (results < blocks.length) context.calibrator.spoil();
  }

  #takeResult(block: Members, record: LogRecord, context: LogContext, place: Place): void {
    const id = stringOf(block["tool_use_id"]);
    if (id === undefined || context.results.has(id)) return;
    const body = heldBodyOf(block["content"]);
    context.results.add(id);
    context.calibrator.result(body === null ? null : body.length);
    const call = this.#calls.get(id) ?? UNKNOWN_CALL;
    const { tool, kind, path, target, range, callOffset } = call;
    const response = record.toolUseResult;
    if (tool === "Agent" || tool === "Task") this.#nameAgent(responseOf(response), target);
    this.#sink(context, {
      fact: "result",
      line: place.line,
      offset: place.offset,
      at: place.at,
      id,
      uuid: stringOf(record.uuid) ?? "",
      tool,
      kind,
      path,
      target,
      range,
      callOffset,
      callLine: call.context === context.id ? call.callLine : 0,
      body,
      response,
      error: block["is_error"] === true,
      native: isUnchanged(response),
    });
  }

  /** The call that started a subagent says what its task is. */
  #nameAgent(response: unknown, task: string): void {
    const agent = membersOf(response)["agentId"];
    if (typeof agent !== "string" || task === "" || this.header.agents.has(agent)) return;
    if (this.header.agents.size < this.#maxContexts) this.header.agents.set(agent, task);
  }

  #takePrompt(record: LogRecord, context: LogContext, place: Place): void {
    context.calibrator.spoil();
    if (record.isMeta !== true && record.isCompactSummary !== true) this.#titleFromPrompt(record);
    if (context.id === "main") countPrompt(record, this.header);
    this.#change(record, context, place);
  }

  #takeAssistant(record: LogRecord, context: LogContext, place: Place): void {
    const blocks = blocksOf(record);
    const callLine = this.#link(record, context, place, blocks.some(isCall));
    this.#takeRequest(record, context, place);
    const position = { callOffset: place.offset, context: context.id, callLine };
    for (const block of blocks) {
      const found = readCall(block, stringOf(record.cwd), position);
      if (found === undefined) continue;
      this.#calls.set(found.id, found.call);
      if (this.#withCalls) this.#emitCall(found, block, record, context, place, callLine);
    }
    context.lastAssistantLine = place.line;
    context.isAnswered = true;
  }

  #emitCall(
    found: NonNullable<ReturnType<typeof readCall>>,
    block: Members,
    record: LogRecord,
    context: LogContext,
    place: Place,
    callLine: number,
  ): void {
    const { line, offset, at } = place;
    const { tool, target } = found.call;
    const uuid = stringOf(record.uuid) ?? "";
    const strings = stringsOfCall(block);
    this.#sink(context, { fact: "call", line, offset, at, id: found.id, tool, target, uuid, callLine, strings });
  }

  #takeRequest(record: LogRecord, context: LogContext, place: Place): void {
    const message = membersOf(record.message);
    if (isSynthetic(message)) return context.calibrator.spoil();
    const { input, output, written5m, written1h } = readUsage(message["usage"]);
    const id = stringOf(message["id"]);
    const continued = id !== undefined && id === context.messageId;
    if (!continued) context.editsKnown = false;
    this.#change(record, context, place);
    if (continued && (context.usageKnown || input === 0)) return context.calibrator.raiseOutput(output);
    context.messageId = id;
    context.usageKnown = input > 0;
    const model = stringOf(message["model"]) ?? "";
    if (model !== "") this.header.models.add(model);
    context.calibrator.request(model, input, output);
    const { line, offset, at } = place;
    this.#sink(context, { fact: "request", line, offset, at, continued, model, input, written5m, written1h });
  }

  #takeAttachment(record: LogRecord, context: LogContext, place: Place): void {
    context.calibrator.spoil();
    this.#change(record, context, place);
    const chars = explanationIn(record.attachment);
    if (chars > 0) this.#sink(context, { fact: "explanation", ...place, chars });
  }

  #change(record: LogRecord, context: LogContext, place: Place): void {
    for (const change of changesOf(record)) this.#apply(change, context, place);
  }

  #apply(change: ContextChange, context: LogContext, place: Place): void {
    switch (change.change) {
      case "continue":
        return this.#continueFrom(change.from, context, place);
      case "compaction": {
        const { change: _, ...compaction } = change;
        context.calibrator.spoil();
        context.isAnswered = false;
        if (++this.#compactions <= this.#maxCompactions) {
          return this.#sink(context, { fact: "boundary", ...place, ...compaction });
        }
        this.header.leftOutLines++;
        // Nothing earlier may be referred to any more, though no new partition begins.
        return this.#sink(context, { fact: "rewind", ...place, toLine: 0 });
      }
      case "clear": {
        const { by, results } = change;
        // Each line of an answer may repeat what the API cleared before it.
        if (by === "edits" && context.editsKnown) return;
        context.editsKnown ||= by === "edits";
        context.calibrator.spoil();
        const ids = results === "all" ? results : results.map(({ id }) => id);
        return this.#sink(context, { fact: "clear", ...place, ids, by });
      }
      default:
        change satisfies never;
    }
  }

  #continueFrom(parent: string | null, context: LogContext, place: Place): void {
    const toLine = parent === null ? 0 : context.links.lineOf(parent);
    const isBack = parent === null ? context.isAnswered : toLine !== undefined && toLine < context.lastAssistantLine;
    if (toLine === undefined || !isBack) return;
    context.calibrator.spoil();
    this.#sink(context, { fact: "rewind", ...place, toLine });
  }
}

/** Types of lines that are always linked; others only if they have a uuid. */
const LINK_TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "attachment", "progress"]);
