import { CharCodes, NEWLINE, utf8Length } from "../../log/bytes.js";
import type { LogText } from "../../log/heldText.js";
import { colonLengthAt, numberCodeAt, prefixLength } from "./numbered.js";
import { looksLikeHint } from "./runHints.js";

/**
 * The lines of a text, each reduced to a few numbers. These are enough to find runs of lines under any settings, so no
 * text has to be kept for them. A line has LINE_WIDTH cells, in the order of the constants below.
 */
export type LineTable = Uint32Array<ArrayBuffer>;

export const LINE_WIDTH = 5;
/** A 64-bit hash of the line after its number. */
export const HASH = 0;
export const HASH_HIGH = 1;
/** The line's number and its style, see `numberCodeAt`; 0 if it has none, NEVER if it looks like a hint. */
export const NUMBER = 2;
/** The line's length with its number, in UTF-16 characters and in UTF-8 bytes. */
export const CHARS = 3;
export const BYTES = 4;

/** Nothing may refer to a line that looks like a hint. No line number has this code. */
export const NEVER = 0xffffffff;

/** Characters processed at a time: few enough to stay in the L1 cache. */
const PIECE = 1 << 13;
/** The ">" that every hint starts with. */
const HINT_MARK = 0x3e;
const LOW_FACTOR = 0x9e3779b1;
const HIGH_FACTOR = 0x85ebca77;
const LOW_TURN = 5;
const HIGH_TURN = 7;
const MAX_ASCII = 0x7f;
/** Independent hashes, each over every fourth word of a line, so that no step waits for the one before it. */
const LANES = 4;

export interface ScansLines {
  scan(text: LogText): LineTable;
}

/** Splits texts into lines, in one pass over their characters and without allocating anything per line. */
export class LineScanner implements ScansLines {
  readonly #piece = new CharCodes(PIECE);
  #cells = new Uint32Array(1024 * LINE_WIDTH);
  #used = 0;
  /** The last line's hash, and the bitwise OR of its characters. */
  #low = 0;
  #high = 0;
  #bits = 0;
  readonly #lows = new Int32Array(LANES);
  readonly #highs = new Int32Array(LANES);

  scan(text: LogText): LineTable {
    return typeof text === "string" ? this.#scan(text) : (text.cut()?.lines ?? this.#scan(text.toString()));
  }

  #scan(text: string): LineTable {
    this.#used = 0;
    const { codes } = this.#piece;
    let length = this.#piece.load(text);
    // `begin`, `start` and `end` are offsets within the piece, which begins at `from` in the text.
    let from = 0;
    let begin = 0;
    for (;;) {
      const number = numberCodeAt(codes, begin);
      const start = begin + prefixLength(number);
      let end = this.#hash(codes, start);
      const isCut = end === length && from + length < text.length;
      if (isCut && begin > 0) {
        // The line ends in another piece: start a piece where the line begins.
        from += begin;
        begin = 0;
        length = this.#piece.load(text, from);
        continue;
      }
      if (isCut) {
        const found = text.indexOf("\n", from + length);
        end = (found < 0 ? text.length : found) - from;
        const line = new CharCodes(end - start);
        line.load(text, from + start);
        this.#hash(line.codes, 0);
      }
      const hint = number === 0 ? begin + colonLengthAt(codes, begin) : start;
      const isHint = codes[hint] === HINT_MARK && looksLikeHint(text, from + hint);
      this.#add(text, from + begin, from + end, end - start, isHint ? NEVER : number);
      if (from + end === text.length) return this.#cells.slice(0, this.#used);
      begin = end + 1;
      if (!isCut) continue;
      from += begin;
      begin = 0;
      length = this.#piece.load(text, from);
    }
  }

  #add(text: string, begin: number, end: number, length: number, number: number): void {
    if (this.#used === this.#cells.length) this.#grow();
    const [cells, at, chars] = [this.#cells, this.#used, end - begin];
    cells[at + HASH] = mixed(this.#low, LOW_TURN, length, LOW_FACTOR);
    cells[at + HASH_HIGH] = mixed(this.#high, HIGH_TURN, length, HIGH_FACTOR);
    cells[at + NUMBER] = number;
    cells[at + CHARS] = chars;
    // Most lines are ASCII; the arrow of an old line number is part of the line, but not of the hash.
    const isAscii = this.#bits <= MAX_ASCII && (number === 0 || number % 2 === 0);
    cells[at + BYTES] = isAscii ? chars : utf8Length(text.slice(begin, end));
    this.#used += LINE_WIDTH;
  }

  #grow(): void {
    const cells = new Uint32Array(2 * this.#cells.length);
    cells.set(this.#cells);
    this.#cells = cells;
  }

  /** Hashes a line up to its line break and returns the offset of that. */
  #hash(codes: Uint16Array, start: number): number {
    const [lows, highs] = [this.#lows, this.#highs];
    // Filling them would be a call for each line.
    for (let at = 0; at < LANES; at++) lows[at] = highs[at] = 0;
    let end = start;
    while (codes[end] !== NEWLINE) end++;
    let [bits, lane] = [0, 0];
    for (let at = start; at < end; at += 4) {
      // Four characters are a word.
      const one = codes[at] as number;
      const two = at + 1 < end ? (codes[at + 1] as number) : 0;
      const three = at + 2 < end ? (codes[at + 2] as number) : 0;
      const four = at + 3 < end ? (codes[at + 3] as number) : 0;
      bits |= one | two | three | four;
      const word = one | (two << 8) | (three << 16) | (four << 24);
      // Same as `mixed`, inlined: a fresh process would spend most of its time on calls.
      const low = lows[lane] as number;
      const high = highs[lane] as number;
      lows[lane] = Math.imul(((low << LOW_TURN) | (low >>> (32 - LOW_TURN))) ^ word, LOW_FACTOR);
      highs[lane] = Math.imul(((high << HIGH_TURN) | (high >>> (32 - HIGH_TURN))) ^ word, HIGH_FACTOR);
      lane = (lane + 1) % LANES;
    }
    this.#bits = bits;
    if (bits > MAX_ASCII) this.#hashWide(codes, start, end);
    else {
      this.#low = joined(lows, LOW_TURN, LOW_FACTOR);
      this.#high = joined(highs, HIGH_TURN, HIGH_FACTOR);
    }
    return end;
  }

  /** The same for a line that is not only ASCII, two characters at a time. */
  #hashWide(codes: Uint16Array, start: number, end: number): void {
    let [low, high] = [0, 0];
    for (let at = start; at < end; at += 2) {
      const one = codes[at] as number;
      const pair = at + 1 < end ? one | ((codes[at + 1] as number) << 16) : one;
      low = Math.imul(((low << LOW_TURN) | (low >>> (32 - LOW_TURN))) ^ pair, LOW_FACTOR);
      high = Math.imul(((high << HIGH_TURN) | (high >>> (32 - HIGH_TURN))) ^ pair, HIGH_FACTOR);
    }
    this.#low = low;
    this.#high = high;
  }
}

/** One hash of all lanes. */
function joined(lanes: Int32Array, turn: number, factor: number): number {
  const first = mixed(lanes[0] as number, turn, lanes[2] as number, factor);
  return mixed(first, turn, mixed(lanes[1] as number, turn, lanes[3] as number, factor), factor);
}

/** Adds some characters; the rotation spreads each of them over all bits. */
function mixed(hash: number, turn: number, pair: number, factor: number): number {
  return Math.imul(((hash << turn) | (hash >>> (32 - turn))) ^ pair, factor);
}

export function lineCount(table: LineTable): number {
  return table.length / LINE_WIDTH;
}

export function cell(table: LineTable, line: number, which: number): number {
  return table[line * LINE_WIDTH + which] as number;
}

/** The minimum length of a line that can begin a run. Blank lines and lone brackets are found via their neighbors. */
const MIN_ANCHOR_CHARS = 8;

/** Whether a line is long enough to begin a run. Its number does not count. */
export function isAnchor(lines: LineTable, at: number): boolean {
  const number = lines[at + NUMBER] as number;
  if (number === NEVER) return false;
  return (lines[at + CHARS] as number) - prefixLength(number) >= MIN_ANCHOR_CHARS;
}

/** The slots of lines that begin runs of a text, in order. Faster for a fresh process than going through all. */
export function slotsWith(lines: LineTable, hashes: Int32Array): Int32Array {
  const wanted = new Set<number>();
  for (let at = 0; at < lines.length; at += LINE_WIDTH) {
    if (isAnchor(lines, at)) wanted.add((lines[at + HASH] as number) | 0);
  }
  const slots: number[] = [];
  for (const hash of wanted) {
    for (let slot = hashes.indexOf(hash); slot >= 0; slot = hashes.indexOf(hash, slot + 1)) slots.push(slot);
  }
  return Int32Array.from(slots).sort();
}
