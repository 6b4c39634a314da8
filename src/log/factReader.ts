import type { Calibrator } from "./calibration.js";
import { type Call, callOf, UNKNOWN_CALL } from "./calls.js";
import { type ContextChange, changesOf, contextIdOf, isSynthetic } from "./contextRules.js";
import { explanationIn } from "./explanation.js";
import type { Fact, Place } from "./facts.js";
import { type LogText, responseOf } from "./heldText.js";
import { countPrompt, headerFrom, type LogHeader, MAX_COMPACTIONS, MAX_CONTEXTS, nameAgent } from "./logHeader.js";
import type { LineCall, LineResult, LogLine } from "./logLine.js";
import type { ParentLinks } from "./parentLinks.js";
import { isUnchanged, membersOf } from "./record.js";
import { titleLine } from "./tools.js";

/** What a reader remembers of a context: see `LogContext`. */
export interface ReadContext {
  readonly id: string;
  readonly calibrator: Pick<Calibrator, "result" | "spoil" | "request" | "raiseOutput">;
  readonly results: { has(id: string): boolean; add(id: string): unknown };
  readonly links: Pick<ParentLinks, "add" | "isCopy" | "takeBranches" | "lineOf" | "lineOfParent">;
  lastAssistantLine: number;
  isAnswered: boolean;
  messageId: string | undefined;
  usageKnown: boolean;
  editsKnown: boolean;
}

/** What a reader remembers of a log, apart from its header. */
export interface ReaderMemory {
  readonly contexts: Pick<ReadonlyMap<string, ReadContext>, "get" | "has" | "size">;
  addContext(id: string): ReadContext;
  readonly calls: { get(id: string): Call | undefined; set(id: string, call: Call): unknown };
}

export type FactSink = (context: ReadContext, fact: Fact<LogText>) => void;

export interface FactOptions {
  /** The subagent whose own file this is: all lines belong to its context. */
  readonly agentOfFile?: string | undefined;
  readonly maxContexts?: number;
  readonly maxCompactions?: number;
  /** Also emit calls' inputs, which only runs of lines need. */
  readonly withCalls?: boolean;
  /** Given what Claude Code itself added to a context, by the reader that parses every line completely. */
  readonly attached?: ((context: ReadContext, attachment: unknown) => void) | undefined;
}

/** The rules that turn lines into facts. */
export class FactReader {
  readonly header: LogHeader;
  readonly #memory: ReaderMemory;
  readonly #sink: FactSink;
  readonly #agentOfFile: string | undefined;
  readonly #withCalls: boolean;
  readonly #attached: FactOptions["attached"];
  readonly #maxContexts: number;
  readonly #maxCompactions: number;
  #compactions: number;
  #version = "";

  constructor(
    sink: FactSink,
    memory: ReaderMemory,
    options: FactOptions,
    resume?: { readonly header: LogHeader; readonly compactions: number },
  ) {
    this.#sink = sink;
    this.#memory = memory;
    this.#agentOfFile = options.agentOfFile;
    this.#withCalls = options.withCalls ?? false;
    this.#attached = options.attached;
    this.#maxContexts = options.maxContexts ?? MAX_CONTEXTS;
    this.#maxCompactions = options.maxCompactions ?? MAX_COMPACTIONS;
    this.header = headerFrom(resume?.header);
    this.#compactions = resume?.compactions ?? 0;
  }

  get compactions(): number {
    return this.#compactions;
  }

  overlong(): void {
    this.header.badLines++;
    this.header.overlongLines++;
  }

  failed(error: unknown): void {
    this.header.badLines++;
    this.header.failedLines++;
    this.header.failure ??= String(error);
  }

  /** `line`: undefined for an unreadable one. */
  take(line: LogLine | undefined): void {
    if (line === undefined) this.header.badLines++;
    else this.#take(line);
  }

  #take(line: LogLine): void {
    this.#readHeader(line);
    if (this.#isBeyondLimit(line)) {
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
      case "content-replacement":
        // It may come before any other line of its context.
        this.#change(line, this.#contextOf(line));
        if (!line.hasUuid) return;
        break;
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
  #link(line: LogLine, context: ReadContext): number {
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

  /** The first prompt serves as the title until the log has one. */
  #titleFromPrompt(line: LogLine): void {
    if (this.header.title !== undefined) return;
    const content = line.source.prompt();
    // Echoed commands and reminders are wrapped in tags.
    if (content && !content.startsWith("<")) this.header.title = titleLine(content);
  }

  #contextOf(line: LogLine): ReadContext {
    const id = contextIdOf(line, this.#agentOfFile);
    return this.#memory.contexts.get(id) ?? this.#memory.addContext(id);
  }

  /** Whether a line would open a context beyond the limit. The main conversation is always read. */
  #isBeyondLimit(line: LogLine): boolean {
    if (this.#memory.contexts.size < this.#maxContexts) return false;
    const id = contextIdOf(line, this.#agentOfFile);
    return id !== "main" && !this.#memory.contexts.has(id);
  }

  #takeUser(line: LogLine, context: ReadContext): void {
    const { results } = line;
    if (results.length === 0) return this.#takePrompt(line, context);
    for (const result of results) this.#takeResult(result, line, context);
    if (results.length < line.blocks) context.calibrator.spoil();
  }

  #takeResult({ id, body, isError }: LineResult, line: LogLine, context: ReadContext): void {
    if (id === undefined || context.results.has(id)) return;
    context.results.add(id);
    context.calibrator.result(body === null ? null : body.length);
    const call = this.#memory.calls.get(id) ?? UNKNOWN_CALL;
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

  /** The call that started a subagent names its task. */
  #nameAgent(response: unknown, task: string): void {
    const agent = membersOf(response)["agentId"];
    if (typeof agent === "string") nameAgent(this.header, agent, task, this.#maxContexts);
  }

  #takePrompt(line: LogLine, context: ReadContext): void {
    context.calibrator.spoil();
    if (!line.isMeta && !line.isCompactSummary) this.#titleFromPrompt(line);
    if (context.id === "main") countPrompt(line, this.header);
    this.#change(line, context);
  }

  #takeAssistant(line: LogLine, context: ReadContext): void {
    const isCopy = context.links.isCopy(line);
    // Before its calls, which need their place on the parent chain.
    const callLine = this.#link(line, context);
    if (isSynthetic(line)) context.calibrator.spoil();
    // A copy is no second request, and its calls stay where they were made.
    else if (!isCopy) this.#takeRequest(line, context);
    for (const call of line.calls) {
      if (!isCopy || this.#memory.calls.get(call.id) === undefined) this.#takeCall(call, line, context, callLine);
    }
    context.lastAssistantLine = line.line;
    context.isAnswered = true;
  }

  #takeCall(given: LineCall, line: LogLine, context: ReadContext, callLine: number): void {
    const call = callOf(given, line.cwd, { callOffset: line.offset, context: context.id, callLine });
    const { id, tool, strings } = given;
    this.#memory.calls.set(id, call);
    if (!this.#withCalls) return;
    const { target } = call;
    const uuid = line.uuid();
    this.#sink(context, { fact: "call", ...placeOf(line), id, tool, target, uuid, callLine, strings });
  }

  #takeRequest(line: LogLine, context: ReadContext): void {
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

  #takeAttachment(line: LogLine, context: ReadContext): void {
    context.calibrator.spoil();
    if (line.record === undefined) return;
    this.#attached?.(context, line.record.attachment);
    this.#change(line, context);
    const chars = explanationIn(line.record.attachment);
    if (chars > 0) this.#sink(context, { fact: "explanation", ...placeOf(line), chars });
  }

  #change(line: LogLine, context: ReadContext): void {
    if (line.record !== undefined) {
      for (const change of changesOf(line.record)) this.#apply(change, context, placeOf(line));
    } else if (line.type === "system" || (line.type === "user" && !line.isCompactSummary)) {
      if (line.parent === "uuid") this.#goBack(context.links.lineOfParent(line), context, line);
      else if (line.parent === "none" && line.type === "user") this.#startOver(context, line);
    }
  }

  #apply(change: ContextChange, context: ReadContext, place: Place): void {
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
        // No earlier result may be referred to any more, but no new partition begins.
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

  #startOver(context: ReadContext, place: Place): void {
    if (context.isAnswered) this.#rewind(0, context, place);
  }

  #goBack(toLine: number | undefined, context: ReadContext, place: Place): void {
    if (toLine !== undefined && toLine < context.lastAssistantLine) this.#rewind(toLine, context, place);
  }

  #rewind(toLine: number, context: ReadContext, { line, offset, at }: Place): void {
    context.calibrator.spoil();
    this.#sink(context, { fact: "rewind", line, offset, at, toLine });
  }
}

/** Keeps the place without keeping the line. */
function placeOf({ line, offset, at }: Place): Place {
  return { line, offset, at };
}
