/**
 * The only place where the pure folders use Node's Buffer: everything in the log folder depends on its byte search and
 * its UTF-8 decoder, which are the fastest available in JavaScript.
 */
import { Buffer } from "node:buffer";

export type Bytes = Buffer;

export const NEWLINE = 0x0a;

export function bytesOf(text: string): Bytes {
  return Buffer.from(text, "utf8");
}

/** A view of the same bytes; a text becomes its UTF-8. */
export function asBytes(chunk: Uint8Array | string): Bytes {
  if (typeof chunk === "string") return bytesOf(chunk);
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

export function joinBytes(parts: readonly Bytes[]): Bytes {
  return Buffer.concat(parts);
}

/** A copy that stays valid when the chunk's buffer is reused. */
export function copyBytes(bytes: Bytes, start: number, end: number): Bytes {
  return Buffer.from(bytes.subarray(start, end));
}

export function textOf(bytes: Bytes, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}

/** The same for bytes that are all ASCII. */
export function asciiOf(bytes: Bytes, start: number, end: number): string {
  return bytes.toString("latin1", start, end);
}

/** Writes the text as UTF-8 (the caller makes sure it fits) and returns the number of bytes written. */
export function writeText(bytes: Bytes, at: number, text: string): number {
  return bytes.write(text, at, "utf8");
}

/** The same for ASCII text. */
export function writeAscii(bytes: Bytes, at: number, text: string): number {
  return bytes.write(text, at, "latin1");
}

/** A view of existing memory. */
export function bytesIn(memory: ArrayBuffer): Bytes {
  return Buffer.from(memory);
}

export function bytesOfBase64(text: string): Bytes {
  return Buffer.from(text, "base64");
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * A piece of a text as character codes, which are several times as fast to read as the string's. Two line breaks follow
 * the piece, so a search for one need not check for the end.
 */
export class CharCodes {
  readonly codes: Uint16Array<ArrayBuffer>;
  readonly #bytes: Bytes;

  constructor(maxChars: number) {
    this.codes = new Uint16Array(maxChars + 2);
    this.#bytes = Buffer.from(this.codes.buffer, 0, 2 * maxChars);
  }

  /** Loads the text from an offset; returns how many characters fit. */
  load(text: string, from = 0): number {
    const length = Math.min(this.#bytes.length / 2, text.length - from);
    this.#bytes.write(from === 0 ? text : text.slice(from, from + length), "utf16le");
    if (!IS_LITTLE_ENDIAN) this.#bytes.swap16();
    this.codes[length] = this.codes[length + 1] = NEWLINE;
    return length;
  }
}
