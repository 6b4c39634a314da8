import { looksLikeHint } from "./hints.js";
import { type NumberStyle, numberCode, prefixLength, styleOfCode } from "./numbered.js";

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
    for (let begin = 0; ; ) {
      const found = text.indexOf("\n", begin);
      const end = found < 0 ? text.length : found;
      const code = numberCode(text, begin);
      if (code !== 0) this.#see(styleOfCode(code));
      else if (looksLikeHint(text, begin)) this.hinted = true;
      if (this.count === this.begins.length) this.#grow();
      const textStart = begin + prefixLength(code);
      this.begins[this.count] = begin;
      this.hashes[this.count] = hashOf(text, textStart, end);
      this.numbers[this.count] = code;
      this.anchors[this.count] = end - textStart < SHORTEST_ANCHOR ? 0 : ANCHOR;
      this.count++;
      if (found < 0) return this;
      begin = found + 1;
    }
  }

  #see(style: NumberStyle): void {
    this.firstStyle ??= style;
    this.style = this.style === undefined || this.style === style ? style : "mixed";
  }

  #grow(): void {
    this.begins = doubled(this.begins);
    this.hashes = doubled(this.hashes);
    this.numbers = doubled(this.numbers);
    this.anchors = doubled(this.anchors);
  }
}

/** Blank lines and lone brackets begin no run by themselves: a run that holds them is found from its other lines. */
const SHORTEST_ANCHOR = 8;
export const ANCHOR = 0x80;

const FACTOR = 0x9e3779b1;

/** Two characters at a time; turning the bits lets each of them reach all the others. */
function hashOf(text: string, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 1 < end; at += 2) {
    const pair = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
    hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ pair, FACTOR);
  }
  return at < end ? Math.imul(hash ^ text.charCodeAt(at), FACTOR) : hash;
}

export function doubled<T extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(numbers: T): T {
  const larger =
    numbers instanceof Int32Array ? new Int32Array(numbers.length * 2) : new Uint8Array(numbers.length * 2);
  larger.set(numbers);
  return larger as T;
}
