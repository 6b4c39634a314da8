import type { Bytes } from "../log/bytes.js";
import { type LineParser, PLAIN_PARSER } from "../log/lineParser.js";
import { PLAIN_ENDS } from "../log/lineSplitter.js";
import type { LogLine } from "../log/logLine.js";
import { LineView, type ScannerExports } from "./lineView.js";
import { NO_IMPORTS, startProgram } from "./program.js";

/** For a larger chunk, single lines are copied; after a longer line, its memory is freed. */
const MAX_CHUNK_BYTES = 2 * 1024 * 1024;

/**
 * Parses lines with a small program in WebAssembly, only for what the reader of facts needs. A line that the program is
 * not certain about is left to JSON.parse: the facts are the same either way.
 */
export class Scanner implements LineParser {
  readonly #fallback: LineParser;
  #exports: ScannerExports;
  readonly #view: LineView;
  #isLarge = false;
  /** The buffer whose bytes are all in the program's memory, and their address. */
  #loaded: Bytes | undefined;
  #room = 0;
  /** The address of a line that was found but not read yet; -1 if there is none. */
  #scanned = -1;

  constructor(fallback: LineParser = PLAIN_PARSER) {
    this.#fallback = fallback;
    this.#exports = start();
    this.#view = new LineView(this.#exports);
  }

  begin(): void {
    this.#loaded = undefined;
  }

  endOf(bytes: Bytes, start: number): number {
    if (start >= bytes.length) return -1;
    const address = bytes.length > MAX_CHUNK_BYTES ? 0 : this.#load(bytes, start, bytes.length);
    if (address === 0) return PLAIN_ENDS.endOf(bytes, start);
    this.#prepare();
    const end = this.#exports.scanNext(address, address - start + bytes.length);
    if (end === 0) return -1;
    this.#scanned = start;
    return start + end - address;
  }

  parse(bytes: Bytes, start: number, end: number): LogLine | undefined {
    if (bytes === this.#loaded && start === this.#scanned) this.#scanned = -1;
    else if (!this.#scan(bytes, start, end)) return this.#fallback.parse(bytes, start, end);
    return this.#view.isKnown ? this.#view.read() : this.#fallback.parse(bytes, start, end);
  }

  #scan(bytes: Bytes, start: number, end: number): boolean {
    const address = this.#load(bytes, start, end);
    if (address === 0) return false;
    this.#prepare();
    this.#exports.scanLine(address, address + end - start);
    return true;
  }

  /** Another line replaces the previous one. */
  #prepare(): void {
    this.#view.next();
    if (this.#scanned >= 0) this.#exports.forgetLine();
    this.#scanned = -1;
  }

  /** Copies the bytes to where the program can read them and returns the line's address; 0 if there is no memory. */
  #load(bytes: Bytes, start: number, end: number): number {
    if (bytes === this.#loaded) return this.#room + start;
    // Copying a whole chunk is faster than copying each of its lines.
    const isChunk = bytes.length <= MAX_CHUNK_BYTES;
    const from = isChunk ? 0 : start;
    const to = isChunk ? bytes.length : end;
    this.#loaded = undefined;
    if (this.#isLarge && !this.#restart()) return 0;
    this.#isLarge = to - from > MAX_CHUNK_BYTES;
    this.#room = this.#exports.roomFor(to - from);
    if (this.#room === 0) return 0;
    this.#view.look();
    bytes.copy(this.#view.bytes, this.#room, from, to);
    if (isChunk) this.#loaded = bytes;
    return this.#room + start - from;
  }

  /** Memory never shrinks, but a new program starts small. */
  #restart(): boolean {
    try {
      this.#exports = start();
      this.#view.attach(this.#exports);
      return true;
    } catch {
      return false;
    }
  }
}

function start(): ScannerExports {
  return startProgram(NO_IMPORTS) as ScannerExports;
}

let scanner: Scanner | undefined;
let isTried = false;

/** The fastest available parser: one scanner for each thread, or JSON.parse without WebAssembly. */
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
