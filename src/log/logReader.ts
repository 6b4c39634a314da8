import type { Bytes } from "./bytes.js";
import type { Sample } from "./calibration.js";
import type { Call } from "./calls.js";
import { type FactOptions, FactReader, type FactSink, type ReaderMemory } from "./factReader.js";
import type { IndexedLine } from "./lineIndex.js";
import { type LineParser, PLAIN_PARSER } from "./lineParser.js";
import { type LineSink, LineSplitter } from "./lineSplitter.js";
import { LogContext, type SavedContext } from "./logContext.js";
import type { LogHeader } from "./logHeader.js";

/** The state of a reader at the end of a line, as plain data: another reader can continue at `offset`. */
export interface SavedReader {
  readonly offset: number;
  readonly lines: number;
  readonly compactions: number;
  readonly header: LogHeader;
  readonly calls: ReadonlyMap<string, Call>;
  readonly contexts: readonly SavedContext[];
}

export interface ReaderOptions extends FactOptions {
  readonly maxLineBytes?: number;
  /** How lines are parsed. Texts of the facts may be held in its memory: see `HeldText`. */
  readonly parser?: LineParser;
  /** Continue where another reader stopped. */
  readonly resume?: SavedReader | undefined;
  /** Start at this byte, without knowing anything before it. */
  readonly from?: number | undefined;
  /** Finds lines that are not in `resume`. */
  readonly lookUp?: ((context: string, uuid: string) => IndexedLine | undefined) | undefined;
}

/** Turns the bytes of one log file, pushed in pieces of any size, into facts. Each line is parsed once and not kept. */
export class LogReader implements LineSink, ReaderMemory {
  readonly contexts = new Map<string, LogContext>();
  readonly calls: Map<string, Call>;
  readonly #facts: FactReader;
  readonly #splitter: LineSplitter;
  readonly #parser: LineParser;
  readonly #lookUp: ReaderOptions["lookUp"];
  #lineNumber = 0;

  constructor(sink: FactSink, options: ReaderOptions = {}) {
    const { resume, maxLineBytes } = options;
    this.#parser = options.parser ?? PLAIN_PARSER;
    this.#splitter = new LineSplitter(this, {
      offset: resume?.offset ?? options.from ?? 0,
      ends: this.#parser,
      ...(maxLineBytes !== undefined && { maxLineBytes }),
    });
    this.calls = new Map(resume?.calls);
    this.#lookUp = options.lookUp;
    this.#lineNumber = resume?.lines ?? 0;
    for (const state of resume?.contexts ?? []) this.addContext(state.id, state);
    this.#facts = new FactReader(sink, this, options, resume);
  }

  get header(): LogHeader {
    return this.#facts.header;
  }

  get state(): SavedReader {
    return this.stateSince(1);
  }

  /** `line`: limits the parent chain to this line and later ones. */
  stateSince(line: number): SavedReader {
    return {
      offset: this.consumed,
      lines: this.#lineNumber,
      compactions: this.#facts.compactions,
      header: this.header,
      calls: this.calls,
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
    return this.calls.get(id);
  }

  /** Finished lines so far, bad ones included. */
  get lines(): number {
    return this.#lineNumber;
  }

  get samples(): Sample[] {
    return [...this.contexts.values()].flatMap(context => context.calibrator.samples);
  }

  addContext(id: string, state?: SavedContext): LogContext {
    const lookUp = this.#lookUp;
    const context = new LogContext(id, state, lookUp && (uuid => lookUp(id, uuid)));
    this.contexts.set(id, context);
    return context;
  }

  overlong(): void {
    this.#lineNumber++;
    this.#facts.overlong();
  }

  failed(error: unknown): void {
    this.#facts.failed(error);
  }

  line(bytes: Bytes, start: number, end: number, offset: number): void {
    this.#lineNumber++;
    const line = this.#parser.parse(bytes, start, end);
    if (line !== undefined) {
      line.line = this.#lineNumber;
      line.offset = offset;
    }
    this.#facts.take(line);
  }
}
