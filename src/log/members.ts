import {
  BACKSLASH,
  type Bytes,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "./bytes.js";

/** After this many bytes a string is likely long, and a native search for its end beats the byte loop. */
const LONG_STRING = 24;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The index after the closing quote of the string whose first character is at `i`, or -1. */
function skipString(bytes: Bytes, start: number, end: number): number {
  let i = start;
  const far = Math.min(start + LONG_STRING, end);
  while (i < far) {
    const byte = bytes[i++];
    if (byte === QUOTE) return i;
    if (byte === BACKSLASH) i++;
  }
  if (i >= end) return -1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, i);
    if (quote < 0 || quote >= end) return -1;
    let slash = quote - 1;
    while (slash >= i && bytes[slash] === BACKSLASH) slash--;
    if (((quote - slash) & 1) === 1) return quote + 1;
    i = quote + 1;
  }
}

/** The index after the object or array that opens at `start`, or -1. Brackets are matched by kind. */
function skipNested(bytes: Bytes, start: number, end: number): number {
  let objects = 0;
  let arrays = 0;
  let i = start;
  while (i < end) {
    const byte = bytes[i++];
    if (byte === QUOTE) {
      i = skipString(bytes, i, end);
      if (i < 0) return -1;
    } else if (byte === OPEN_BRACE) objects++;
    else if (byte === OPEN_BRACKET) arrays++;
    else if (byte === CLOSE_BRACE) {
      if (--objects === 0 && arrays === 0) return i;
    } else if (byte === CLOSE_BRACKET) {
      if (--arrays === 0 && objects === 0) return i;
    }
  }
  return -1;
}

/** The index after the number, true, false or null at `start`. */
function skipScalar(bytes: Bytes, start: number, end: number): number {
  let i = start;
  while (i < end) {
    const byte = bytes[i];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break;
    i++;
  }
  return i > start ? i : -1;
}

function skipValue(bytes: Bytes, start: number, end: number): number {
  const byte = bytes[start];
  if (byte === QUOTE) return skipString(bytes, start + 1, end);
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return skipNested(bytes, start, end);
  return skipScalar(bytes, start, end);
}

/**
 * Walks the members of one JSON object without parsing it: `next` moves to the next member and its key and value stand
 * at the four positions below. Log lines are mostly bytes nobody needs (thinking signatures, file copies, snapshots);
 * this finds the few values that matter, in any key order, and never mistakes a nested key for one of its own.
 */
export class Members {
  keyStart = 0;
  keyEnd = 0;
  valueStart = 0;
  valueEnd = 0;
  /** The bytes are not an object, or its structure is broken. */
  malformed = false;
  #bytes: Bytes;
  #at = 0;
  #end = 0;
  #first = true;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  open(bytes: Bytes, start: number, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#first = true;
    this.#at = this.#skipSpace(start);
    this.malformed = bytes[this.#at] !== OPEN_BRACE || this.#at >= end;
    this.#at++;
  }

  next(): boolean {
    if (this.malformed) return false;
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#skipSpace(this.#at);
    if (at < end && bytes[at] === CLOSE_BRACE && this.#first) return this.#close(at);
    if (!this.#first) {
      if (at < end && bytes[at] === CLOSE_BRACE) return this.#close(at);
      if (at >= end || bytes[at] !== COMMA) return this.#fail();
      at = this.#skipSpace(at + 1);
    }
    this.#first = false;
    if (at >= end || bytes[at] !== QUOTE) return this.#fail();
    this.keyStart = at + 1;
    at = skipString(bytes, at + 1, end);
    if (at < 0) return this.#fail();
    this.keyEnd = at - 1;
    at = this.#skipSpace(at);
    if (at >= end || bytes[at] !== COLON) return this.#fail();
    this.valueStart = this.#skipSpace(at + 1);
    if (this.valueStart >= end) return this.#fail();
    this.valueEnd = skipValue(bytes, this.valueStart, end);
    if (this.valueEnd < 0) return this.#fail();
    this.#at = this.valueEnd;
    return true;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (at < this.#end && isSpace(this.#bytes[at])) at++;
    return at;
  }

  /** Nothing but white space may follow the closing brace. */
  #close(at: number): boolean {
    if (this.#skipSpace(at + 1) < this.#end) return this.#fail();
    return false;
  }

  #fail(): boolean {
    this.malformed = true;
    return false;
  }
}
