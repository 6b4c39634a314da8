import { bodyOf } from "./body.js";
import { type Bytes, textOf } from "./bytes.js";
import { type Sample, SYNTHETIC_MODEL } from "./calibration.js";
import { type Call, isCall, readCall, UNKNOWN_CALL } from "./calls.js";
import { clearsResults, cutResults } from "./clearing.js";
import { LogContext, type SavedContext } from "./context.js";
import { explanationIn } from "./explanation.js";
import type { BoundaryFact, Fact, Place } from "./facts.js";
import { headerFrom, type LogHeader, MAX_COMPACTIONS, MAX_CONTEXTS } from "./header.js";
import type { IndexedLine } from "./lineIndex.js";
import {
  blocksOf,
  contextIdOf,
  type LogRecord,
  type Members,
  membersOf,
  parentOf,
  preservedBy,
  recordOf,
  standInsOf,
  stringOf,
  stringsOf,
} from "./record.js";
import { type LineSink, LineSplitter } from "./splitter.js";
import { oneLine } from "./tools.js";
import { readUsage } from "./usage.js";

/** Everything a reader knows at the end of a line, as plain data: reading can go on from `offset` another day. */
export interface SavedReader {
  readonly offset: number;
  readonly lines: number;
  readonly compactions: number;
  readonly header: LogHeader;
  readonly calls: ReadonlyMap<string, Call>;
  readonly contexts: readonly SavedContext[];
}

export type FactSink = (context: LogContext, fact: Fact) => void;

export interface ReaderOptions {
  /** The subagent whose own file this is; all its lines are that context's. */
  readonly agentOfFile?: string | undefined;
  readonly maxLineBytes?: number;
  readonly maxContexts?: number;
  readonly maxCompactions?: number;
  /** Tell calls' inputs too: only span references need them. */
  readonly tellCalls?: boolean;
  /** Go on where another reader stopped. */
  readonly resume?: SavedReader | undefined;
  /** Begin at this byte, with nothing known of what stands before it. */
  readonly from?: number | undefined;
  /** Finds lines that `resume` has left out. */
  readonly lookUp?: ((context: string, uuid: string) => IndexedLine | undefined) | undefined;
}

/**
 * Turns the bytes of one log file, pushed in pieces of any size, into facts. Each line is parsed once, and none is kept.
 * (Finding the few needed members without parsing, or cutting out what nobody needs, was tried: it was no faster.)
 */
export class LogReader implements LineSink {
  readonly header: LogHeader;
  readonly contexts = new Map<string, LogContext>();
  readonly #splitter: LineSplitter;
  readonly #sink: FactSink;
  readonly #agentOfFile: string | undefined;
  readonly #tellCalls: boolean;
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
    this.#maxContexts = options.maxContexts ?? MAX_CONTEXTS;
    this.#maxCompactions = options.maxCompactions ?? MAX_COMPACTIONS;
    this.#agentOfFile = options.agentOfFile;
    this.#tellCalls = options.tellCalls ?? false;
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

  /** A call that has not been forgotten: see `state`. */
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
    const record = recordOf(textOf(bytes, start, end));
    if (record === undefined) this.header.badLines++;
    else this.#take(record, offset);
  }

  #take(record: LogRecord, offset: number): void {
    const at = stringOf(record.timestamp) ?? null;
    this.#readHeader(record, at);
    if (this.#isOneTooMany(record)) {
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
        this.#takeSystem(record, this.#contextOf(record), place);
        break;
      case "attachment":
        this.#takeAttachment(record, this.#contextOf(record), place);
        break;
      case "content-replacement":
        this.#takeReplacement(record, place);
        break;
      case "progress":
        break;
      default:
        this.#takeTitle(record);
    }
    // An assistant's line has its place already: its calls are known by it.
    const isLink = LINK_TYPES.has(record.type) || typeof record.uuid === "string";
    if (isLink && record.type !== "assistant") this.#link(record, this.#contextOf(record), place, false);
  }

  /** The line's place on the chain of parents. */
  #link(record: LogRecord, context: LogContext, place: Place, isCall: boolean): number {
    const [parent, standIns] = [parentOf(record), standInsOf(record)];
    const node = context.links.add({ line: place.line, uuid: stringOf(record.uuid), parent, standIns, isCall });
    const branches = context.links.branches();
    if (branches !== undefined) {
      for (const branch of branches) this.#sink(context, { fact: "branch", ...place, ...branch });
    }
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

  /** Titles are written again and again; the last one holds. */
  #takeTitle({ customTitle, aiTitle, summary }: LogRecord): void {
    const title = stringOf(customTitle) ?? stringOf(aiTitle) ?? stringOf(summary);
    if (title !== undefined) this.header.title = oneLine(title);
  }

  /** Until a title comes, the first thing the user asked serves as one. */
  #titleFromPrompt(record: LogRecord): void {
    if (this.header.title !== undefined) return;
    const content = bodyOf(membersOf(record.message)["content"]);
    // Command echoes and reminders are wrapped in tags.
    if (content && !content.startsWith("<")) this.header.title = oneLine(content);
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

  /** A line of a new context, where there are too many already. The main conversation is always told. */
  #isOneTooMany(record: LogRecord): boolean {
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
    const body = bodyOf(block["content"]);
    context.results.add(id);
    context.calibrator.result(body === null ? null : body.length);
    const call = this.#calls.get(id) ?? UNKNOWN_CALL;
    const { tool, kind, path, target, range, callOffset } = call;
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
      error: block["is_error"] === true,
      native: membersOf(record.toolUseResult)["type"] === "file_unchanged",
    });
  }

  #takePrompt(record: LogRecord, context: LogContext, place: Place): void {
    context.calibrator.spoil();
    if (record.isCompactSummary === true) return;
    if (record.isMeta !== true) this.#titleFromPrompt(record);
    if (record.parentUuid !== null) this.#takeRewind(record, context, place);
    else if (context.isAnswered) this.#sink(context, { fact: "rewind", ...place, toLine: 0 });
  }

  /** A line that goes on from before an answer takes the conversation back. */
  #takeRewind({ parentUuid }: LogRecord, context: LogContext, place: Place): void {
    const toLine = typeof parentUuid === "string" ? context.links.lineOf(parentUuid) : undefined;
    if (toLine === undefined || context.lastAssistantLine <= toLine) return;
    context.calibrator.spoil();
    this.#sink(context, { fact: "rewind", ...place, toLine });
  }

  #takeAssistant(record: LogRecord, context: LogContext, place: Place): void {
    const blocks = blocksOf(record);
    const callLine = this.#link(record, context, place, blocks.some(isCall));
    this.#takeRequest(membersOf(record.message), context, place);
    for (const block of blocks) {
      const position = { callOffset: place.offset, context: context.id, callLine };
      const found = readCall(block, stringOf(record.cwd), position);
      if (found === undefined) continue;
      this.#calls.set(found.id, found.call);
      if (this.#tellCalls) this.#tellCall(found, block, record, context, place, callLine);
    }
    context.lastAssistantLine = place.line;
    context.isAnswered = true;
  }

  #tellCall(
    found: NonNullable<ReturnType<typeof readCall>>,
    block: Members,
    record: LogRecord,
    context: LogContext,
    place: Place,
    callLine: number,
  ): void {
    const input = membersOf(block["input"]);
    const strings: [string, string][] = [];
    for (const key of Object.keys(input)) {
      const text = input[key];
      if (typeof text === "string") strings.push([key, text]);
    }
    const { line, offset, at } = place;
    const {
      id,
      call: { tool, target },
    } = found;
    this.#sink(context, {
      fact: "call",
      line,
      offset,
      at,
      id,
      tool,
      target,
      uuid: stringOf(record.uuid) ?? "",
      callLine,
      strings,
    });
  }

  #takeRequest(message: Members, context: LogContext, place: Place): void {
    if (message["model"] === SYNTHETIC_MODEL) return context.calibrator.spoil();
    const { input, output, written5m, written1h } = readUsage(message["usage"]);
    const id = stringOf(message["id"]);
    const continued = id !== undefined && id === context.messageId;
    this.#takeEdits(message, continued, context, place);
    if (continued && (context.usageKnown || input === 0)) return context.calibrator.raiseOutput(output);
    context.messageId = id;
    context.usageKnown = input > 0;
    const model = stringOf(message["model"]) ?? "";
    if (model !== "") this.header.models.add(model);
    context.calibrator.request(model, input, output);
    this.#sink(context, { fact: "request", ...place, continued, model, input, written5m, written1h });
  }

  /** What the API cleared was gone before this request was answered; each line of the answer may say so. */
  #takeEdits(message: Members, continued: boolean, context: LogContext, place: Place): void {
    if (!continued) context.editsKnown = false;
    if (context.editsKnown || !clearsResults(message)) return;
    context.editsKnown = true;
    context.calibrator.spoil();
    this.#sink(context, { fact: "clear", ...place, ids: "all", by: "edits" });
  }

  #takeSystem(record: LogRecord, context: LogContext, place: Place): void {
    this.#takeRewind(record, context, place);
    if (record.subtype === "compact_boundary") {
      context.calibrator.spoil();
      context.isAnswered = false;
      if (++this.#compactions <= this.#maxCompactions) {
        this.#sink(context, { fact: "boundary", ...place, ...compaction(record) });
      } else {
        this.header.leftOutLines++;
        // Nothing may be pointed at any more, though no new partition begins.
        this.#sink(context, { fact: "rewind", ...place, toLine: 0 });
      }
    } else if (record.subtype === "microcompact_boundary") {
      context.calibrator.spoil();
      const ids = stringsOf(membersOf(record.microcompactMetadata)["compactedToolIds"]);
      this.#sink(context, { fact: "clear", ...place, ids, by: "microcompact" });
    }
  }

  #takeAttachment({ attachment }: LogRecord, context: LogContext, place: Place): void {
    context.calibrator.spoil();
    const ids = cutResults(attachment);
    if (ids !== undefined) this.#sink(context, { fact: "clear", ...place, ids, by: "cut" });
    const chars = explanationIn(attachment);
    if (chars > 0) this.#sink(context, { fact: "explanation", ...place, chars });
  }

  #takeReplacement(record: LogRecord, place: Place): void {
    const context = this.contexts.get(contextIdOf(record, this.#agentOfFile));
    if (context === undefined || !Array.isArray(record.replacements)) return;
    context.calibrator.spoil();
    const ids = stringsOf(record.replacements.map(one => membersOf(one)["toolUseId"]));
    this.#sink(context, { fact: "clear", ...place, ids, by: "replacement" });
  }
}

/** Types of lines that have parents; others only where they carry a uuid. */
const LINK_TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "attachment", "progress"]);

function compaction(record: LogRecord): Pick<BoundaryFact, "preserved" | "trigger" | "preTokens" | "postTokens"> {
  const { trigger, preTokens, postTokens } = membersOf(record.compactMetadata);
  return {
    preserved: preservedBy(record),
    trigger: stringOf(trigger),
    preTokens: typeof preTokens === "number" ? preTokens : undefined,
    postTokens: typeof postTokens === "number" ? postTokens : undefined,
  };
}
