/**
 * The one place where the pure folders touch Node's Buffer: its byte search and its UTF-8 decoder are the fastest
 * there are in JavaScript, and everything the log folder does rests on them.
 */
import { Buffer } from "node:buffer";

export type Bytes = Buffer;

export const NEWLINE = 0x0a;

export function bytesOf(text: string): Bytes {
  return Buffer.from(text, "utf8");
}

export function joinBytes(parts: readonly Bytes[]): Bytes {
  return Buffer.concat(parts);
}

/** A copy that stays valid when the reader fills its chunk buffer again. */
export function copyBytes(bytes: Bytes, start: number, end: number): Bytes {
  return Buffer.from(bytes.subarray(start, end));
}

export function textOf(bytes: Bytes, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * A piece of a text as numbers: reading them here is several times as fast as asking the text for one after another.
 * Two line breaks stand after the piece, so that whoever looks for one need not look for the end too.
 */
export class CharCodes {
  readonly codes: Uint16Array<ArrayBuffer>;
  readonly #bytes: Bytes;

  constructor(most: number) {
    this.codes = new Uint16Array(most + 2);
    this.#bytes = Buffer.from(this.codes.buffer, 0, 2 * most);
  }

  /** Loads the text from a position on and gives how many characters there was room for. */
  load(text: string, from = 0): number {
    const most = this.#bytes.length / 2;
    const length = Math.min(most, text.length - from);
    this.#bytes.write(from === 0 ? text : text.slice(from, from + length), "utf16le");
    if (!IS_LITTLE_ENDIAN) this.#bytes.swap16();
    this.codes[length] = this.codes[length + 1] = NEWLINE;
    return length;
  }
}
