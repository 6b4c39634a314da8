/**
 * Splits texts into lines as `LineScanner` does, but with hashes of its own, which only the hook uses. A fresh process
 * runs unoptimized code, and a loop over some thousand characters would make V8 optimize it at once, which takes longer
 * than all of the hook's work. So Node finds the line breaks, and four bytes are hashed per step.
 */

import { type LineTable, NEVER, type ScansLines } from "../dedup/runs/lines.js";
import { hintStart, numberCode, prefixLength } from "../dedup/runs/numbered.js";
import { looksLikeHint } from "../dedup/runs/runHints.js";
import { NEWLINE, utf8Length } from "../log/bytes.js";
import type { LogText } from "../log/heldText.js";

const MIN_BYTES = 16 * 1024;
const WORD = 4;
const FACTOR = 0x9e3779b1;
const SEED = 0x2545f491;
const NINE = 0x39;
const SPACE = 0x20;
const ZERO = 0x30;
/** A line number and its separator are never longer. */
const MAX_PREFIX = 16;

/** The text's bytes, shifted so that every line is word-aligned in one of the copies. */
interface Copy {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
}

export class QuickScanner implements ScansLines {
  #copies: Copy[] = [];
  #low = 0;
  #high = 0;

  scan(held: LogText): LineTable {
    const text = held.toString();
    const size = this.#load(text);
    const isAscii = size === text.length;
    const bytes = (this.#copies[0] as Copy).bytes;
    const mayHoldHints = text.includes("> [");
    const cells: number[] = [];
    for (let begin = 0, from = 0; begin <= text.length; ) {
      const found = text.indexOf("\n", begin);
      const end = found < 0 ? text.length : found;
      const to = isAscii ? end : found < 0 ? size : bytes.indexOf(NEWLINE, from);
      const code = text.charCodeAt(begin);
      const mayBeNumbered = code === SPACE || (code >= ZERO && code <= NINE);
      const number = mayBeNumbered ? numberCode(text.slice(begin, Math.min(end, begin + MAX_PREFIX))) : 0;
      const prefix = prefixLength(number);
      const isHint = mayHoldHints && looksLikeHint(text, begin + hintStart(text.slice(begin, begin + MAX_PREFIX)));
      // The arrow of an old line number has three bytes.
      this.#hash(from + prefix + (number % 2) * 2, to);
      // In the order of the cells of a line: see `LineTable`.
      cells.push(this.#low, this.#high, isHint ? NEVER : number, end - begin, to - from);
      begin = end + 1;
      from = to + 1;
    }
    return new Uint32Array(cells);
  }

  /** Returns the number of bytes. */
  #load(text: string): number {
    const size = utf8Length(text);
    if (size + WORD > (this.#copies[0]?.bytes.length ?? 0)) this.#copies = copiesFor(size);
    const [first, ...others] = this.#copies as [Copy, Copy, Copy, Copy];
    first.bytes.write(text, "utf8");
    const written = first.bytes.subarray(0, size);
    for (const [index, { bytes }] of others.entries()) bytes.set(written, index + 1);
    return size;
  }

  #hash(start: number, end: number): void {
    const shift = -start & (WORD - 1);
    const { bytes, words } = this.#copies[shift] as Copy;
    const first = (start + shift) >> 2;
    const last = first + ((end - start) >> 2);
    let low = SEED + end - start;
    let high = SEED;
    for (let at = first; at < last; at++) {
      low = Math.imul(((low << 5) | (low >>> 27)) ^ (words[at] as number), FACTOR);
      high = ((high << 7) | (high >>> 25)) ^ low;
    }
    for (let at = last * WORD; at < end + shift; at++) {
      low = Math.imul(((low << 5) | (low >>> 27)) ^ (bytes[at] as number), FACTOR);
      high = ((high << 7) | (high >>> 25)) ^ low;
    }
    this.#low = low;
    this.#high = high;
  }
}

function copiesFor(size: number): Copy[] {
  const length = Math.max(MIN_BYTES, (size + 2 * WORD) & -WORD);
  return [0, 1, 2, 3].map(() => {
    const bytes = Buffer.allocUnsafeSlow(length);
    return { bytes, words: new Uint32Array(bytes.buffer) };
  });
}
