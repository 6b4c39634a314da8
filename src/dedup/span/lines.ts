import { CharCodes, NEWLINE } from "../../log/bytes.js";
import { type NumberStyle, numberCodeAt, prefixLength, styleOfCode } from "../runs/numbered.js";
import { looksLikeHint } from "./hints.js";

/** How many characters are loaded at once: few enough to stay in the processor's first-level cache. */
const PIECE = 1 << 13;
const piece = new CharCodes(PIECE);

/**
 * A text split into lines, each reduced to a few numbers: one pass over the characters, no object per line. The same
 * object is reused for every text; the index copies what must last.
 */
export class ScannedLines {
  text = "";
  count = 0;
  /** Where each line begins. */
  begins = new Int32Array(1024);
  /** A hash of each line without its number: candidates have equal ones, and are then compared. */
  hashes = new Int32Array(1024);
  /** Each line's number and style, see `numberCodeAt`; 0 if it has none. */
  numbers = new Int32Array(1024);
  /** ANCHOR for lines that are long enough to find a run by, else 0. */
  anchors = new Uint8Array(1024);
  /** Some line could be mistaken for one of our hints. */
  hinted = false;
  /** The style of the numbered lines; "mixed" if there are both, undefined if there are none. */
  style: NumberStyle | "mixed" | undefined;
  /** The style of the first numbered line. */
  firstStyle: NumberStyle | undefined;
  /** Of the line that was read last. */
  #hash = 0;

  /** The position after the line's last character. */
  end(line: number): number {
    return line + 1 < this.count ? (this.begins[line + 1] as number) - 1 : this.text.length;
  }

  /** Where the line's text begins, after its number. */
  textStart(line: number): number {
    return (this.begins[line] as number) + prefixLength(this.numbers[line] as number);
  }

  looksLikeHint(line: number): boolean {
    return this.hinted && looksLikeHint(this.text, this.begins[line]);
  }

  scan(text: string): this {
    this.text = text;
    this.hinted = false;
    this.style = this.firstStyle = undefined;
    this.count = 0;
    const { codes } = piece;
    let length = piece.load(text);
    // `begin`, `start` and `end` count from the start of the piece, `from` is where the piece starts in the text.
    let from = 0;
    let begin = 0;
    for (;;) {
      const number = numberCodeAt(codes, begin);
      const start = begin + prefixLength(number);
      let end = this.#hashLine(codes, start);
      let hash = this.#hash;
      const isCut = end === length && from + length < text.length;
      if (isCut && begin > 0) {
        // The line does not fit into the rest of the piece: loads one that starts with the line.
        from += begin;
        begin = 0;
        length = piece.load(text, from);
        continue;
      }
      if (isCut) {
        const found = text.indexOf("\n", from + length);
        end = (found < 0 ? text.length : found) - from;
        hash = hashOf(text, from + start, from + end);
      }
      if (codes[begin] === HINT_MARK && looksLikeHint(text, from + begin)) this.hinted = true;
      this.#add(from + begin, number, withCode(hash, end - start), end - start);
      if (from + end === text.length) return this;
      begin = end + 1;
      if (!isCut) continue;
      from += begin;
      begin = 0;
      length = piece.load(text, from);
    }
  }

  /** Reads a line up to its line break, leaves its hash in `#hash` and returns where it ends. */
  #hashLine(codes: Uint16Array, start: number): number {
    let hash = 0;
    let at = start;
    for (; ; at += 2) {
      const one = codes[at] as number;
      if (one === NEWLINE) break;
      const two = codes[at + 1] as number;
      if (two === NEWLINE) {
        hash = withCode(hash, one);
        at++;
        break;
      }
      hash = withCode(hash, one | (two << 16));
    }
    this.#hash = hash;
    return at;
  }

  #add(begin: number, number: number, hash: number, length: number): void {
    const at = this.count;
    if (at === this.begins.length) this.#grow();
    this.begins[at] = begin;
    this.hashes[at] = hash;
    this.numbers[at] = number;
    this.anchors[at] = length < MIN_ANCHOR_CHARS ? 0 : ANCHOR;
    this.count++;
    if (number !== 0) this.#see(styleOfCode(number));
  }

  #see(style: NumberStyle): void {
    this.firstStyle ??= style;
    this.style = this.style === undefined || this.style === style ? style : "mixed";
  }

  #grow(): void {
    const length = this.begins.length * 2;
    this.begins = enlarged(this.begins, length);
    this.hashes = enlarged(this.hashes, length);
    this.numbers = enlarged(this.numbers, length);
    this.anchors = enlarged(this.anchors, length);
  }
}

/** No run is found by blank lines or lone brackets alone: a run that has them is found by its other lines. */
const MIN_ANCHOR_CHARS = 8;
export const ANCHOR = 0x80;

/** The ">" that every hint starts with. */
const HINT_MARK = 0x3e;

const FACTOR = 0x9e3779b1;

/** Adds one or two characters; rotating lets every bit affect all the others. */
function withCode(hash: number, code: number): number {
  return Math.imul(((hash << 5) | (hash >>> 27)) ^ code, FACTOR);
}

/** The same hash for a line that is longer than a piece. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  let at = start;
  for (; at + 1 < end; at += 2) hash = withCode(hash, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  return at < end ? withCode(hash, text.charCodeAt(at)) : hash;
}

export function enlarged<T extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(numbers: T, length: number): T {
  const larger = numbers instanceof Int32Array ? new Int32Array(length) : new Uint8Array(length);
  larger.set(numbers);
  return larger as T;
}
