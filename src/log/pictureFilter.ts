import { type Bytes, copyBytes, joinBytes } from "./bytes.js";

const [QUOTE, BACKSLASH, COLON, SPACE] = [0x22, 0x5c, 0x3a, 0x20];
/** The members that hold pictures and documents, as named by the API and by tools. */
const NAMES: ReadonlySet<string> = new Set(["data", "base64"]);
const LONGEST_NAME = 6;
/** Shorter ones are kept. */
const MIN_PICTURE_BYTES = 64 * 1024;

/**
 * Takes a line of any length, in pieces of any size, and keeps it without the contents of its pictures, which nothing
 * reads. It only recognizes strings; whether the line is valid is decided later.
 */
export class PictureFilter {
  readonly #kept: Bytes[] = [];
  #length = 0;
  #isInString = false;
  #isEscaped = false;
  #stringBytes = 0;
  /** The last string if it is short, and whether it names the next value. */
  #name = "";
  #isNamed = false;
  /** The current string may be a picture, starting at this offset of the kept bytes; or it is one. */
  #mayBePicture = false;
  #pictureStart = 0;
  #isPicture = false;

  /** The number of bytes kept. */
  get length(): number {
    return this.#length;
  }

  push(bytes: Bytes, start: number, end: number): void {
    let from = start;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (!this.#isInString) {
        if (byte === QUOTE) this.#beginString(at + 1 - from);
        else if (byte === COLON) this.#isNamed = true;
        else if (byte > SPACE) this.#isNamed = false;
      } else if (byte === QUOTE && !this.#isEscaped) {
        this.#isInString = false;
        if (this.#isPicture) from = at;
        this.#isPicture = false;
      } else {
        this.#isEscaped = byte === BACKSLASH && !this.#isEscaped;
        if (++this.#stringBytes <= LONGEST_NAME) this.#name += String.fromCharCode(byte);
        if (!this.#mayBePicture || this.#stringBytes !== MIN_PICTURE_BYTES) continue;
        this.#isPicture = true;
        this.#keep(bytes, from, at);
        this.#cutTo(this.#pictureStart);
      }
    }
    if (!this.#isPicture) this.#keep(bytes, from, end);
  }

  bytes(): Bytes {
    return joinBytes(this.#kept);
  }

  /** `unkept`: how many bytes before it still have to be kept. */
  #beginString(unkept: number): void {
    this.#isInString = true;
    this.#isEscaped = false;
    this.#mayBePicture = this.#isNamed && this.#stringBytes <= LONGEST_NAME && NAMES.has(this.#name);
    this.#pictureStart = this.#length + unkept;
    this.#isNamed = false;
    this.#name = "";
    this.#stringBytes = 0;
  }

  #keep(bytes: Bytes, start: number, end: number): void {
    if (start === end) return;
    this.#kept.push(copyBytes(bytes, start, end));
    this.#length += end - start;
  }

  #cutTo(length: number): void {
    while (this.#length > length) {
      const last = this.#kept.pop();
      if (last === undefined) return;
      this.#length -= last.length;
      if (this.#length < length) this.#keep(last, 0, length - this.#length);
    }
  }
}
