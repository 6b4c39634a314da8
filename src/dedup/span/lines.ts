import { CharCodes, NEWLINE } from "../../log/bytes.js";
import { looksLikeHint } from "./hints.js";
import { type NumberStyle, numberCodeAt, prefixLength, styleOfCode } from "./numbered.js";

/** So many characters are looked at together: few enough to stay in the processor's nearest memory. */
const PIECE = 1 << 13;
const piece = new CharCodes(PIECE);

/**
 * A text cut into lines, each reduced to a few numbers: one pass over its characters, nothing made per line. There is
 * one of them, filled anew for every text; what must last is copied into the index.
 */
export class ScannedLines {
  text = "";
  count = 0;
  /** Where each line begins. */
  begins = new Int32Array(1024);
  /** What each line says without its number, as 32 bits: equal texts are looked for by it and then compared. */
  hashes = new Int32Array(1024);
  /** Each line's number and style, see `numberCode`; 0 where it carries none. */
  numbers = new Int32Array(1024);
  /** ANCHOR for the lines that are long enough to begin a run, else 0. */
  anchors = new Uint8Array(1024);
  /** Some line could be taken for one of our hints. */
  hinted = false;
  /** The style of the lines that carry numbers; "mixed" where both occur, undefined where none does. */
  style: NumberStyle | "mixed" | undefined;
  /** The style of the first line that carries a number. */
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
    // Positions within the piece, which begins at this one of the text.
    let from = 0;
    let begin = 0;
    for (;;) {
      const number = numberCodeAt(codes, begin);
      const start = begin + prefixLength(number);
      let end = this.#hashLine(codes, start);
      let hash = this.#hash;
      const goesOn = end === length && from + length < text.length;
      if (goesOn && begin > 0) {
        // The line ends in another piece: that one begins where the line does.
        from += begin;
        begin = 0;
        length = piece.load(text, from);
        continue;
      }
      if (goesOn) {
        const found = text.indexOf("\n", from + length);
        end = (found < 0 ? text.length : found) - from;
        hash = hashOf(text, from + start, from + end);
      }
      if (codes[begin] === HINT_MARK && looksLikeHint(text, from + begin)) this.hinted = true;
      this.#add(from + begin, number, withCode(hash, end - start), end - start);
      if (from + end === text.length) return this;
      begin = end + 1;
      if (!goesOn) continue;
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
    this.anchors[at] = length < SHORTEST_ANCHOR ? 0 : ANCHOR;
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

/** Blank lines and lone brackets begin no run by themselves: a run that holds them is found from its other lines. */
const SHORTEST_ANCHOR = 8;
export const ANCHOR = 0x80;

/** The ">" with which every hint begins. */
const HINT_MARK = 0x3e;

const FACTOR = 0x9e3779b1;

/** One or two characters more; turning the bits lets each of them reach all the others. */
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
