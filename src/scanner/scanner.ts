import { asciiOf, type Bytes, bytesIn, bytesOfBase64, textOf } from "../log/bytes.js";
import { type CutText, HeldInput } from "../log/heldText.js";
import { type LineParser, PLAIN_PARSER } from "../log/lineParser.js";
import { LineRecord, type LogRecord, type Members } from "../log/record.js";
import { placeOfPathKey, placeOfSubjectKey } from "../log/tools.js";
import { SCANNER } from "./compiled.js";
import * as Layout from "./layout.js";
import { ScannedResponse, ScannedText, type TextMemory } from "./scannedText.js";

/** The part that is used here: TypeScript declares WebAssembly only together with the DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** The address of what the compiled scanner finds. */
interface Address {
  readonly value: number;
}

/** What the compiled scanner exports (src/scanner/assembly/index.ts). */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly head: Address;
  readonly slots: Address;
  readonly counts: Address;
  readonly blocks: Address;
  readonly inputs: Address;
  roomFor(bytes: number): number;
  scanLine(start: number, bytes: number): number;
  cutText(start: number, end: number): number;
  table(): number;
  shortened(start: number, end: number): number;
  shortenedEnd(): number;
}

/** Of a larger chunk, single lines are copied; after a longer line, its memory is given back. */
const MAX_CHUNK_BYTES = 2 * 1024 * 1024;
/** More than is shown of a call's subject, even if every character takes three bytes. */
const SHOWN_BYTES = 1024;
const CELLS_PER_LINE = 5;

/** By the scanner's numbers; what the others are called matters to nobody. */
const TYPES = ["", "user", "assistant", "system", "attachment", "progress"];
const OTHER_BLOCK: Members = { type: undefined };

/**
 * Understands lines with a small program in WebAssembly and makes a record of what the reader of facts needs, and of
 * nothing else. A line that the program cannot vouch for is left to JSON.parse: the facts are the same either way.
 */
export class Scanner implements LineParser, TextMemory {
  readonly #module = new WebAssembly.Module(bytesOfBase64(SCANNER));
  readonly #fallback: LineParser;
  #exports: Exports;
  /** Where it leaves what it found, in words. */
  readonly #head: number;
  readonly #slots: number;
  readonly #counts: number;
  readonly #blocks: number;
  readonly #inputs: number;
  /** Views of the program's memory, made anew whenever that has grown. */
  #buffer: ArrayBuffer;
  #bytes: Bytes;
  #words: Uint32Array;
  #numbers: Float64Array;
  #isLarge = false;
  /** The buffer of which all bytes are in the program's memory, and where they begin. */
  #loaded: Bytes | undefined;
  #room = 0;
  #lines = 0;
  /** The same for every line: making one takes longer than reading most lines. */
  readonly #record = new LineRecord({});
  /** Of the newest request. */
  readonly #split = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 };
  readonly #usage = {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: this.#split,
  };
  /** The last value of each string of a line. */
  readonly #newest: (string | undefined)[] = new Array<undefined>(Layout.SLOTS).fill(undefined);

  constructor(fallback: LineParser = PLAIN_PARSER) {
    this.#fallback = fallback;
    this.#exports = this.#start();
    this.#buffer = this.#exports.memory.buffer;
    this.#bytes = bytesIn(this.#buffer);
    this.#words = new Uint32Array(this.#buffer);
    this.#numbers = new Float64Array(this.#buffer);
    const { head, slots, counts, blocks, inputs } = this.#exports;
    this.#head = head.value >>> 2;
    this.#slots = slots.value >>> 2;
    this.#counts = counts.value >>> 3;
    this.#blocks = blocks.value >>> 2;
    this.#inputs = inputs.value >>> 2;
  }

  get lines(): number {
    return this.#lines;
  }

  get bytes(): Bytes {
    return this.#bytes;
  }

  begin(): void {
    this.#loaded = undefined;
  }

  parse(bytes: Bytes, start: number, end: number): LogRecord | undefined {
    this.#lines++;
    const address = this.#load(bytes, start, end);
    const isKnown = address > 0 && this.#exports.scanLine(address, end - start) !== 0;
    return isKnown ? this.#read() : this.#fallback.parse(bytes, start, end);
  }

  cut(start: number, end: number): CutText | undefined {
    const cut = this.#exports.cutText(start, end);
    this.#look();
    if (cut < 0) return undefined;
    const count = cut >>> Layout.FLAG_BITS;
    const flags = cut & ((1 << Layout.FLAG_BITS) - 1);
    const table = this.#exports.table() >>> 2;
    const isOdd = (flags & Layout.HAS_ODD_BREAKS) !== 0;
    return {
      lines: this.#words.slice(table, table + count * CELLS_PER_LINE),
      mayHoldDiff: isOdd || (flags & Layout.MAY_HOLD_DIFF) !== 0,
      mayHoldMatches: isOdd || (flags & Layout.MAY_HOLD_MATCHES) !== 0,
    };
  }

  /** Copies the bytes to where the program can read them and returns where the line is; 0 if there is no memory. */
  #load(bytes: Bytes, start: number, end: number): number {
    if (bytes === this.#loaded) return this.#room + start;
    // Copying a whole chunk takes less time than copying each of its lines.
    const isChunk = bytes.length <= MAX_CHUNK_BYTES;
    const from = isChunk ? 0 : start;
    const to = isChunk ? bytes.length : end;
    this.#loaded = undefined;
    if (this.#isLarge && !this.#restart()) return 0;
    this.#isLarge = to - from > MAX_CHUNK_BYTES;
    this.#room = this.#exports.roomFor(to - from);
    if (this.#room === 0) return 0;
    this.#look();
    bytes.copy(this.#bytes, this.#room, from, to);
    if (isChunk) this.#loaded = bytes;
    return this.#room + start - from;
  }

  /** Memory never shrinks, but a new program begins with little. */
  #restart(): boolean {
    try {
      this.#exports = this.#start();
      return true;
    } catch {
      return false;
    }
  }

  #start(): Exports {
    return new WebAssembly.Instance(this.#module).exports as Exports;
  }

  #look(): void {
    const { buffer } = this.#exports.memory;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#bytes = bytesIn(buffer);
    this.#words = new Uint32Array(buffer);
    this.#numbers = new Float64Array(buffer);
  }

  shortened(start: number, end: number): string {
    const from = this.#exports.shortened(start, end);
    return from === 0 ? textOf(this.#bytes, start, end) : textOf(this.#bytes, from, this.#exports.shortenedEnd());
  }

  #read(): LogRecord {
    const record = this.#record;
    const type = this.#word(this.#head + Layout.HEAD_TYPE);
    const flags = this.#word(this.#head + Layout.HEAD_FLAGS);
    record.type = TYPES[type];
    // The parent may be the line before, so that line's uuid must still be known.
    record.parentUuid = this.#parent();
    record.uuid = this.#string(Layout.UUID);
    record.timestamp = this.#string(Layout.TIMESTAMP);
    record.isSidechain = (flags & Layout.IS_SIDECHAIN) !== 0;
    record.isMeta = (flags & Layout.IS_META) !== 0;
    record.isCompactSummary = (flags & Layout.IS_COMPACT_SUMMARY) !== 0;
    record.agentId = this.#string(Layout.AGENT_ID);
    record.sessionId = this.#string(Layout.SESSION_ID);
    record.cwd = this.#string(Layout.CWD);
    record.version = this.#string(Layout.VERSION);
    record.message = this.#message(type, this.#word(this.#head + Layout.HEAD_BLOCKS));
    record.toolUseResult = this.#response((flags & Layout.IS_UNCHANGED) !== 0);
    const isTitled = type === Layout.OTHER_LINE;
    record.customTitle = isTitled ? this.#string(Layout.CUSTOM_TITLE) : undefined;
    record.aiTitle = isTitled ? this.#string(Layout.AI_TITLE) : undefined;
    record.summary = isTitled ? this.#string(Layout.SUMMARY) : undefined;
    return record;
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
        return this.#newest[slot];
      default: {
        const start = this.#word(at + Layout.SLOT_START);
        const end = this.#word(at + Layout.SLOT_END);
        const isAscii = this.#words[at + Layout.SLOT_ASCII] === 1;
        const text = isAscii ? asciiOf(this.#bytes, start, end) : textOf(this.#bytes, start, end);
        this.#newest[slot] = text;
        return text;
      }
    }
  }

  #parent(): string | null | undefined {
    switch (this.#words[this.#slots + Layout.PARENT_UUID * Layout.SLOT_WORDS]) {
      case Layout.NULL:
        return null;
      case Layout.NEWEST_UUID:
        return this.#newest[Layout.UUID];
      default:
        return this.#string(Layout.PARENT_UUID);
    }
  }

  #message(type: number, blockCount: number): Members | undefined {
    const id = this.#string(Layout.MESSAGE_ID);
    const model = this.#string(Layout.MODEL);
    if (type !== Layout.USER_LINE && type !== Layout.ASSISTANT_LINE) return undefined;
    const content: Members[] = [];
    let at = this.#blocks;
    for (let left = blockCount; left > 0; left--, at += Layout.BLOCK_WORDS) content.push(this.#block(at, type));
    if (type === Layout.ASSISTANT_LINE) this.#readUsage();
    return { id, model, usage: this.#usage, content };
  }

  #readUsage(): void {
    const usage = this.#usage;
    const split = this.#split;
    usage.input_tokens = this.#count(Layout.INPUT_TOKENS);
    usage.output_tokens = this.#count(Layout.OUTPUT_TOKENS);
    usage.cache_creation_input_tokens = this.#count(Layout.CACHE_CREATION_TOKENS);
    usage.cache_read_input_tokens = this.#count(Layout.CACHE_READ_TOKENS);
    split.ephemeral_5m_input_tokens = this.#count(Layout.WRITTEN_5M_TOKENS);
    split.ephemeral_1h_input_tokens = this.#count(Layout.WRITTEN_1H_TOKENS);
  }

  #count(index: number): number {
    return this.#numbers[this.#counts + index] as number;
  }

  #block(at: number, type: number): Members {
    const kind = this.#words[at + Layout.BLOCK_KIND];
    switch (kind) {
      case Layout.RESULT_BLOCK:
      case Layout.OTHER_RESULT_BLOCK:
        return {
          type: "tool_result",
          tool_use_id: this.#ascii(at + Layout.BLOCK_ID_START),
          is_error: this.#words[at + Layout.BLOCK_ERROR] === 1,
          content: kind === Layout.RESULT_BLOCK ? this.#text(at + Layout.BLOCK_START) : null,
        };
      case Layout.CALL_BLOCK: {
        const id = this.#ascii(at + Layout.BLOCK_ID_START);
        const name = this.#ascii(at + Layout.BLOCK_NAME_START);
        return { type: "tool_use", id, name, input: this.#input(at) };
      }
      case Layout.TEXT_BLOCK:
        // Of what the user asked, the first one may become the title.
        return type === Layout.USER_LINE ? this.#prompt(at) : OTHER_BLOCK;
      default:
        return OTHER_BLOCK;
    }
  }

  /** The string between two addresses; undefined if there is none. */
  #ascii(at: number): string | undefined {
    const start = this.#word(at);
    return start === 0 ? undefined : asciiOf(this.#bytes, start, this.#word(at + 1));
  }

  /** The text between two addresses, which the number of its characters follows. */
  #text(at: number): ScannedText {
    return new ScannedText(this, this.#word(at), this.#word(at + 1), this.#word(at + 2));
  }

  /** A text of the user, as it is spelled in the line; only the first one of a log matters. */
  #prompt(at: number): Members {
    const start = this.#word(at + Layout.BLOCK_START);
    const end = this.#word(at + Layout.BLOCK_END);
    const text = () => JSON.parse(textOf(this.#bytes, start, end)) as unknown;
    return {
      type: "text",
      get text() {
        return text();
      },
    };
  }

  #response(isUnchanged: boolean): ScannedResponse | undefined {
    const start = this.#word(this.#head + Layout.HEAD_RESPONSE_START);
    if (start === 0) return undefined;
    return new ScannedResponse(this, start, this.#word(this.#head + Layout.HEAD_RESPONSE_END), isUnchanged);
  }

  #input(block: number): HeldInput {
    const strings: [string, ScannedText][] = [];
    let path: ScannedText | undefined;
    let pathPlace = Number.POSITIVE_INFINITY;
    let subject: ScannedText | undefined;
    let subjectPlace = Number.POSITIVE_INFINITY;
    for (let one = this.#word(block + Layout.BLOCK_START); one < this.#word(block + Layout.BLOCK_END); one++) {
      const at = this.#inputs + one * Layout.INPUT_WORDS;
      const key = this.#ascii(at + Layout.INPUT_KEY_START) ?? "";
      const text = this.#text(at + Layout.INPUT_START);
      strings.push([key, text]);
      const asPath = placeOfPathKey(key);
      if (asPath < pathPlace) {
        path = text;
        pathPlace = asPath;
      }
      const asSubject = placeOfSubjectKey(key);
      if (asSubject < subjectPlace) {
        subject = text;
        subjectPlace = asSubject;
      }
    }
    const members = {
      file_path: path?.toString(),
      command: subject?.beginning(SHOWN_BYTES),
      offset: this.#word(block + Layout.BLOCK_OFFSET),
      limit: this.#word(block + Layout.BLOCK_LIMIT),
    };
    return new HeldInput(members, strings);
  }
}

let scanner: Scanner | undefined;
let isTried = false;

/** The fastest parser that there is here: one scanner for each thread, or JSON.parse where there is no WebAssembly. */
export function fastestParser(): LineParser {
  if (!isTried) {
    isTried = true;
    try {
      scanner = new Scanner();
    } catch {
      // No WebAssembly (`--jitless`, a hardened host), no SIMD, or no memory.
    }
  }
  return scanner ?? PLAIN_PARSER;
}
