import { asciiOf, type Bytes, bytesIn, textOf } from "../log/bytes.js";
import type { CutText } from "../log/heldText.js";
import { type LineCall, type LineResult, type LineSource, type LineType, LogLine } from "../log/logLine.js";
import type { ParentKind } from "../log/parentLinks.js";
import { timestampOf } from "../log/times.js";
import * as Layout from "./layout.js";
import { ScannedResponse, ScannedText, type TextMemory } from "./scannedText.js";

/** The address of the compiled scanner's output. */
interface Address {
  readonly value: number;
}

/** The exports of the compiled scanner (src/scanner/assembly/index.ts). */
export interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly head: Address;
  readonly slots: Address;
  readonly counts: Address;
  readonly blocks: Address;
  readonly inputs: Address;
  roomFor(bytes: number): number;
  scanLine(start: number, end: number): void;
  scanNext(start: number, limit: number): number;
  forgetLine(): void;
  cutText(start: number, end: number): number;
  table(): number;
  shortened(start: number, end: number): number;
  shortenedEnd(): number;
}

/** More than is shown of a call's subject, even if every character takes three bytes. */
const SHOWN_BYTES = 1024;
const CELLS_PER_LINE = 5;

/** By the scanner's numbers; the names of the others do not matter. */
const TYPES: readonly LineType[] = ["other", "user", "assistant", "system", "attachment", "progress"];
const PARENTS: readonly ParentKind[] = ["unspecified", "none", "uuid"];
const NO_RESULTS: readonly LineResult[] = [];
const NO_CALLS: readonly LineCall[] = [];

/** The compiled scanner's data about a line, as the reader of facts needs it. */
export class LineView implements LineSource, TextMemory {
  #exports: ScannerExports;
  /** False if some lines are not read here: strings may be the same as in one of those. */
  readonly #readsAll: boolean;
  /** Where the scanner leaves its output, in words. */
  #head = 0;
  #slots = 0;
  #counts = 0;
  #blocks = 0;
  #inputs = 0;
  /** Views of the program's memory, renewed whenever that has grown. */
  #buffer: ArrayBuffer;
  #bytes: Bytes;
  #words: Int32Array;
  #cells: Uint32Array;
  #lines = 0;
  /** The same object for every line: creating one takes longer than reading most lines. */
  readonly #line = new LogLine(this);
  /** By their numbers: see `MAX_NAMES`. */
  readonly #names: (string | undefined)[] = new Array<undefined>(Layout.MAX_NAMES + 1).fill(undefined);
  /** The last value of each string of a line. */
  readonly #newest: (string | undefined)[] = new Array<undefined>(Layout.SLOTS).fill(undefined);

  constructor(exports: ScannerExports, readsAll = true) {
    this.#exports = exports;
    this.#readsAll = readsAll;
    this.#buffer = exports.memory.buffer;
    this.#bytes = bytesIn(this.#buffer);
    this.#words = new Int32Array(this.#buffer);
    this.#cells = new Uint32Array(this.#buffer);
    this.#find();
  }

  /** Switches to another program, which has seen no name and no line yet. */
  attach(exports: ScannerExports): void {
    this.#exports = exports;
    this.#names.fill(undefined);
    const line = this.#line;
    line.agentId = line.sessionId = line.cwd = line.version = undefined;
    this.#find();
    this.look();
  }

  #find(): void {
    const { head, slots, counts, blocks, inputs } = this.#exports;
    this.#head = head.value >>> 2;
    this.#slots = slots.value >>> 2;
    this.#counts = counts.value >>> 2;
    this.#blocks = blocks.value >>> 2;
    this.#inputs = inputs.value >>> 2;
  }

  get lines(): number {
    return this.#lines;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  /** Another line replaces the previous one. */
  next(): void {
    this.#lines++;
  }

  /** Whether the scanner is certain about the line. */
  get isKnown(): boolean {
    return this.#words[this.#head + Layout.HEAD_KNOWN] === 1;
  }

  look(): void {
    const { buffer } = this.#exports.memory;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#bytes = bytesIn(buffer);
    this.#words = new Int32Array(buffer);
    this.#cells = new Uint32Array(buffer);
  }

  cut(start: number, end: number): CutText | undefined {
    const cut = this.#exports.cutText(start, end);
    this.look();
    if (cut < 0) return undefined;
    const count = cut >>> Layout.FLAG_BITS;
    const flags = cut & ((1 << Layout.FLAG_BITS) - 1);
    const table = this.#exports.table() >>> 2;
    return {
      lines: this.#cells.slice(table, table + count * CELLS_PER_LINE),
      mayHoldDiff: (flags & Layout.MAY_HOLD_DIFF) !== 0,
      mayHoldMatches: (flags & (Layout.MAY_HOLD_MATCHES | Layout.HAS_ODD_SPACE)) !== 0,
    };
  }

  shortened(start: number, end: number): string {
    const from = this.#exports.shortened(start, end);
    return from === 0 ? textOf(this.#bytes, start, end) : textOf(this.#bytes, from, this.#exports.shortenedEnd());
  }

  read(): LogLine {
    const line = this.#line;
    const words = this.#words;
    const head = this.#head;
    const type = this.#word(head + Layout.HEAD_TYPE);
    const flags = this.#word(head + Layout.HEAD_FLAGS);
    line.type = TYPES[type] ?? "other";
    line.at = timestampOf(this.#string(Layout.TIMESTAMP));
    line.isSidechain = (flags & Layout.IS_SIDECHAIN) !== 0;
    line.isMeta = (flags & Layout.IS_META) !== 0;
    line.isCompactSummary = (flags & Layout.IS_COMPACT_SUMMARY) !== 0;
    line.hasUuid = words[this.#slots + Layout.UUID * Layout.SLOT_WORDS] === Layout.PRESENT;
    line.uuidHigh = this.#word(head + Layout.HEAD_UUID_HIGH);
    line.uuidLow = this.#word(head + Layout.HEAD_UUID_LOW);
    line.parent = PARENTS[this.#word(head + Layout.HEAD_PARENT)] ?? "unspecified";
    line.parentHigh = this.#word(head + Layout.HEAD_PARENT_HIGH);
    line.parentLow = this.#word(head + Layout.HEAD_PARENT_LOW);
    line.results = NO_RESULTS;
    line.calls = NO_CALLS;
    if (!this.#readsAll || words[head + Layout.HEAD_CHANGED] === 1) this.#readRepeated();
    if (type === Layout.USER_LINE) this.#readResults(line, (flags & Layout.IS_UNCHANGED) !== 0);
    else if (type === Layout.ASSISTANT_LINE) this.#readAnswer(line);
    else if (type === Layout.OTHER_LINE) line.title = this.#title();
    return line;
  }

  /** What is often the same as in the previous line. */
  #readRepeated(): void {
    const line = this.#line;
    line.agentId = this.#string(Layout.AGENT_ID);
    line.sessionId = this.#string(Layout.SESSION_ID);
    line.cwd = this.#string(Layout.CWD);
    line.version = this.#string(Layout.VERSION);
    line.messageId = this.#string(Layout.MESSAGE_ID);
    line.model = this.#string(Layout.MODEL);
  }

  #title(): string | undefined {
    return this.#string(Layout.CUSTOM_TITLE) ?? this.#string(Layout.AI_TITLE) ?? this.#string(Layout.SUMMARY);
  }

  #readResults(line: LogLine, isUnchanged: boolean): void {
    const blocks = this.#word(this.#head + Layout.HEAD_BLOCKS);
    line.blocks = blocks;
    let results: LineResult[] | undefined;
    for (let at = this.#blocks; at < this.#blocks + blocks * Layout.BLOCK_WORDS; at += Layout.BLOCK_WORDS) {
      const kind = this.#words[at + Layout.BLOCK_KIND];
      if (kind !== Layout.RESULT_BLOCK && kind !== Layout.OTHER_RESULT_BLOCK) continue;
      const result = {
        id: this.#ascii(at + Layout.BLOCK_ID_START),
        body: kind === Layout.RESULT_BLOCK ? this.#text(at + Layout.BLOCK_START) : null,
        isError: this.#words[at + Layout.BLOCK_ERROR] === 1,
      };
      if (results === undefined) results = [result];
      else results.push(result);
    }
    if (results === undefined) return;
    line.results = results;
    line.response = this.#response(isUnchanged);
  }

  #readAnswer(line: LogLine): void {
    line.messageId = this.#string(Layout.MESSAGE_ID);
    line.model = this.#string(Layout.MODEL);
    line.input = this.#count(Layout.INPUT_TOKENS);
    line.output = this.#count(Layout.OUTPUT_TOKENS);
    line.written5m = this.#count(Layout.WRITTEN_5M_TOKENS);
    line.written1h = this.#count(Layout.WRITTEN_1H_TOKENS);
    line.cacheRead = this.#count(Layout.CACHE_READ_TOKENS);
    const blocks = this.#word(this.#head + Layout.HEAD_BLOCKS);
    let calls: LineCall[] | undefined;
    for (let at = this.#blocks; at < this.#blocks + blocks * Layout.BLOCK_WORDS; at += Layout.BLOCK_WORDS) {
      if (this.#words[at + Layout.BLOCK_KIND] !== Layout.CALL_BLOCK) continue;
      const call = this.#call(at);
      if (calls === undefined) calls = [call];
      else calls.push(call);
    }
    if (calls !== undefined) line.calls = calls;
  }

  #call(block: number): LineCall {
    const first = this.#word(block + Layout.BLOCK_START);
    const end = this.#word(block + Layout.BLOCK_END);
    const path = this.#word(block + Layout.BLOCK_PATH);
    const subject = this.#word(block + Layout.BLOCK_SUBJECT);
    const strings: [string, ScannedText][] = [];
    for (let one = first; one < end; one++) {
      const at = this.#inputs + one * Layout.INPUT_WORDS;
      strings.push([this.#name(at + Layout.INPUT_KEY), this.#text(at + Layout.INPUT_START)]);
    }
    return {
      id: this.#ascii(block + Layout.BLOCK_ID_START) ?? "",
      tool: this.#name(block + Layout.BLOCK_NAME),
      path: path === 0 ? undefined : strings[path - 1 - first]?.[1].toString(),
      subject: subject === 0 ? undefined : strings[subject - 1 - first]?.[1].beginning(SHOWN_BYTES),
      offset: this.#word(block + Layout.BLOCK_OFFSET),
      limit: this.#word(block + Layout.BLOCK_LIMIT),
      strings,
    };
  }

  /** A name with a number, followed by its address. */
  #name(at: number): string {
    const number = this.#word(at);
    const known = this.#names[number];
    if (known !== undefined) return known;
    const name = this.#ascii(at + 1) ?? "";
    if (number !== 0) this.#names[number] = name;
    return name;
  }

  uuid(): string {
    return this.#string(Layout.UUID) ?? "";
  }

  parentUuid(): string {
    return this.#string(Layout.PARENT_UUID) ?? "";
  }

  prompt(): string | null {
    const blocks = this.#word(this.#head + Layout.HEAD_BLOCKS);
    const texts: string[] = [];
    for (let at = this.#blocks; at < this.#blocks + blocks * Layout.BLOCK_WORDS; at += Layout.BLOCK_WORDS) {
      if (this.#words[at + Layout.BLOCK_KIND] !== Layout.TEXT_BLOCK) return null;
      const [start, end] = [this.#word(at + Layout.BLOCK_START), this.#word(at + Layout.BLOCK_END)];
      texts.push(String(JSON.parse(textOf(this.#bytes, start, end))));
    }
    return texts.join("\n");
  }

  #word(index: number): number {
    return this.#words[index] as number;
  }

  #string(slot: number): string | undefined {
    const at = this.#slots + slot * Layout.SLOT_WORDS;
    switch (this.#words[at]) {
      case Layout.ABSENT:
        return undefined;
      case Layout.SAME:
        if (this.#readsAll) return this.#newest[slot];
        return this.#decoded(slot, at);
      default:
        return this.#decoded(slot, at);
    }
  }

  #decoded(slot: number, at: number): string {
    const start = this.#word(at + Layout.SLOT_START);
    const end = this.#word(at + Layout.SLOT_END);
    const isAscii = this.#words[at + Layout.SLOT_ASCII] === 1;
    const text = isAscii ? asciiOf(this.#bytes, start, end) : textOf(this.#bytes, start, end);
    this.#newest[slot] = text;
    return text;
  }

  #count(index: number): number {
    return this.#word(this.#counts + index);
  }

  /** The string between two addresses; undefined if there is none. */
  #ascii(at: number): string | undefined {
    const start = this.#word(at);
    return start === 0 ? undefined : asciiOf(this.#bytes, start, this.#word(at + 1));
  }

  /** The text between two addresses, followed by the number of its characters. */
  #text(at: number): ScannedText {
    return new ScannedText(this, this.#word(at), this.#word(at + 1), this.#word(at + 2));
  }

  #response(isUnchanged: boolean): ScannedResponse | undefined {
    const start = this.#word(this.#head + Layout.HEAD_RESPONSE_START);
    if (start === 0) return undefined;
    return new ScannedResponse(this, start, this.#word(this.#head + Layout.HEAD_RESPONSE_END), isUnchanged);
  }
}
