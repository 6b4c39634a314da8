import type { Bytes } from "./bytes.js";
import type { Sample } from "./calibration.js";
import { type Call, callOf, UNKNOWN_CALL } from "./calls.js";
import { type ContextChange, changesOf, contextIdOf, isSynthetic } from "./contextRules.js";
import { explanationIn } from "./explanation.js";
import type { Fact, Place } from "./facts.js";
import { type LogText, responseOf } from "./heldText.js";
import type { IndexedLine } from "./lineIndex.js";
import { type LineParser, PLAIN_PARSER } from "./lineParser.js";
import { type LineSink, LineSplitter } from "./lineSplitter.js";
import { LogContext, type SavedContext } from "./logContext.js";
import { countPrompt, headerFrom, type LogHeader, MAX_COMPACTIONS, MAX_CONTEXTS } from "./logHeader.js";
import type { LineCall, LineResult, LogLine } from "./logLine.js";
import { isUnchanged, membersOf } from "./record.js";
import { titleLine } from "./tools.js";

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
      ends: this.#parser,
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
    return this.stateSince(1);
  }

  /** `line`: of the chain of parents only what is about this line and later ones. */
  stateSince(line: number): SavedReader {
    return {
      offset: this.consumed,
      lines: this.#lineNumber,
      compactions: this.#compactions,
      header: this.header,
      calls: this.#calls,
      contexts: [...this.contexts.values()].map(context => context.stateSince(line)),
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
    const line = this.#parser.parse(bytes, start, end);
    if (line === undefined) {
      this.header.badLines++;
      return;
    }
    line.line = this.#lineNumber;
    line.offset = offset;
    this.#take(line);
  }

  #take(line: LogLine): void {
    this.#readHeader(line);
    if (line.isSidechain && this.#isBeyondLimit(line)) {
      this.header.leftOutLines++;
      return;
    }
    switch (line.type) {
      case "assistant":
        return this.#takeAssistant(line, this.#contextOf(line));
      case "user":
        this.#takeUser(line, this.#contextOf(line));
        break;
      case "system":
        this.#change(line, this.#contextOf(line));
        break;
      case "attachment":
        this.#takeAttachment(line, this.#contextOf(line));
        break;
      case "progress":
        break;
      case "content-replacement": {
        const context = this.contexts.get(contextIdOf(line, this.#agentOfFile));
        if (context !== undefined) this.#change(line, context);
        if (!line.hasUuid) return;
        break;
      }
      case "other":
        // Titles are written repeatedly; the last one counts.
        if (line.title !== undefined) Object.assign(this.header, { title: titleLine(line.title), isTitled: true });
        if (!line.hasUuid) return;
        break;
      default:
        line.type satisfies never;
    }
    this.#link(line, this.#contextOf(line));
  }

  /** Returns the line's node: see `ParentLinks`. */
  #link(line: LogLine, context: LogContext): number {
    const node = context.links.add(line);
    const branches = context.links.takeBranches();
    if (branches === undefined) return node;
    for (const branch of branches) this.#sink(context, { fact: "branch", ...placeOf(line), ...branch });
    return node;
  }

  #readHeader({ sessionId, cwd, version, at }: LogLine): void {
    const header = this.header;
    header.sessionId ??= sessionId;
    header.project ??= cwd;
    if (version !== undefined && version !== this.#version) {
      this.#version = version;
      if (version !== "") header.versions.add(version);
    }
    if (at === null) return;
    if (header.firstAt === undefined || at < header.firstAt) header.firstAt = at;
    if (header.lastAt === undefined || at > header.lastAt) header.lastAt = at;
  }

  /** The first prompt serves as the title until there is one. */
  #titleFromPrompt(line: LogLine): void {
    if (this.header.title !== undefined) return;
    const content = line.source.prompt();
    // Echoed commands and reminders are wrapped in tags.
    if (content && !content.startsWith("<")) this.header.title = titleLine(content);
  }

  #contextOf(line: LogLine): LogContext {
    const id = contextIdOf(line, this.#agentOfFile);
    return this.contexts.get(id) ?? this.#addContext(id);
  }

  #addContext(id: string, state?: SavedContext): LogContext {
    const lookUp = this.#lookUp;
    const context = new LogContext(id, state, lookUp && (uuid => lookUp(id, uuid)));
    this.contexts.set(id, context);
    return context;
  }

  /** Whether a line would open a context beyond the limit. The main conversation is always read. */
  #isBeyondLimit(line: LogLine): boolean {
    if (this.contexts.size < this.#maxContexts) return false;
    return !this.contexts.has(contextIdOf(line, this.#agentOfFile));
  }

  #takeUser(line: LogLine, context: LogContext): void {
    const { results } = line;
    if (results.length === 0) return this.#takePrompt(line, context);
    for (const result of results) this.#takeResult(result, line, context);
    if (results.length < line.blocks) context.calibrator.spoil();
  }

  #takeResult({ id, body, isError }: LineResult, line: LogLine, context: LogContext): void {
    if (id === undefined || context.results.has(id)) return;
    context.results.add(id);
    context.calibrator.result(body === null ? null : body.length);
    const call = this.#calls.get(id) ?? UNKNOWN_CALL;
    const { tool, target } = call;
    const { response } = line;
    if (tool === "Agent" || tool === "Task") this.#nameAgent(responseOf(response), target);
    this.#sink(context, {
      fact: "result",
      line: line.line,
      offset: line.offset,
      at: line.at,
      id,
      uuid: line.uuid(),
      tool,
      kind: call.kind,
      path: call.path,
      target,
      range: call.range,
      callOffset: call.callOffset,
      callLine: call.context === context.id ? call.callLine : 0,
      body,
      response,
      error: isError,
      native: isUnchanged(response),
    });
  }

  /** The call that started a subagent says what its task is. */
  #nameAgent(response: unknown, task: string): void {
    const agent = membersOf(response)["agentId"];
    if (typeof agent !== "string" || task === "" || this.header.agents.has(agent)) return;
    if (this.header.agents.size < this.#maxContexts) this.header.agents.set(agent, task);
  }

  #takePrompt(line: LogLine, context: LogContext): void {
    context.calibrator.spoil();
    if (!line.isMeta && !line.isCompactSummary) this.#titleFromPrompt(line);
    if (context.id === "main") countPrompt(line, this.header);
    this.#change(line, context);
  }

  #takeAssistant(line: LogLine, context: LogContext): void {
    // Before its calls, which need their place on the chain of parents.
    const callLine = this.#link(line, context);
    if (isSynthetic(line)) context.calibrator.spoil();
    else this.#takeRequest(line, context);
    for (const call of line.calls) this.#takeCall(call, line, context, callLine);
    context.lastAssistantLine = line.line;
    context.isAnswered = true;
  }

  #takeCall(given: LineCall, line: LogLine, context: LogContext, callLine: number): void {
    const call = callOf(given, line.cwd, { callOffset: line.offset, context: context.id, callLine });
    const { id, tool, strings } = given;
    this.#calls.set(id, call);
    if (!this.#withCalls) return;
    const { target } = call;
    this.#sink(context, { fact: "call", ...placeOf(line), id, tool, target, uuid: line.uuid(), callLine, strings });
  }

  #takeRequest(line: LogLine, context: LogContext): void {
    const { messageId: id, input, output } = line;
    const continued = id !== undefined && id === context.messageId;
    if (!continued) context.editsKnown = false;
    this.#change(line, context);
    if (continued && (context.usageKnown || input === 0)) {
      if (context.calibrator.raiseOutput(output)) this.#sink(context, { fact: "answer", ...placeOf(line), output });
      return;
    }
    context.messageId = id;
    context.usageKnown = input > 0;
    const model = line.model ?? "";
    if (model !== "") this.header.models.add(model);
    context.calibrator.request(model, input, output);
    this.#sink(context, {
      fact: "request",
      line: line.line,
      offset: line.offset,
      at: line.at,
      continued,
      model,
      input,
      written5m: line.written5m,
      written1h: line.written1h,
      cacheRead: line.cacheRead,
      output,
    });
  }

  #takeAttachment(line: LogLine, context: LogContext): void {
    context.calibrator.spoil();
    if (line.record === undefined) return;
    this.#change(line, context);
    const chars = explanationIn(line.record.attachment);
    if (chars > 0) this.#sink(context, { fact: "explanation", ...placeOf(line), chars });
  }

  #change(line: LogLine, context: LogContext): void {
    if (line.record !== undefined) {
      for (const change of changesOf(line.record)) this.#apply(change, context, placeOf(line));
    } else if (line.type === "system" || (line.type === "user" && !line.isCompactSummary)) {
      if (line.parent === "uuid") this.#goBack(context.links.lineOfParent(line), context, line);
      else if (line.parent === "none" && line.type === "user") this.#startOver(context, line);
    }
  }

  #apply(change: ContextChange, context: LogContext, place: Place): void {
    switch (change.change) {
      case "continue":
        if (change.from === null) return this.#startOver(context, place);
        return this.#goBack(context.links.lineOf(change.from), context, place);
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

  #startOver(context: LogContext, place: Place): void {
    if (context.isAnswered) this.#rewind(0, context, place);
  }

  #goBack(toLine: number | undefined, context: LogContext, place: Place): void {
    if (toLine !== undefined && toLine < context.lastAssistantLine) this.#rewind(toLine, context, place);
  }

  #rewind(toLine: number, context: LogContext, { line, offset, at }: Place): void {
    context.calibrator.spoil();
    this.#sink(context, { fact: "rewind", line, offset, at, toLine });
  }
}

/** A line is not kept, but its place is. */
function placeOf({ line, offset, at }: Place): Place {
  return { line, offset, at };
}
