import {
  BACKSLASH,
  type Bytes,
  bytesOf,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "./bytes.js";

/** Plain members at the end of a line are ids, versions and paths: longer than this, something else stands there. */
const LONGEST_TAIL = 2048;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The index after the closing quote of the string whose first character is at `start`, or -1. */
function skipString(bytes: Bytes, start: number, end: number): number {
  let at = start;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0 || quote >= end) return -1;
    if (bytes[quote - 1] !== BACKSLASH) return quote + 1;
    let slash = quote - 2;
    while (slash >= start && bytes[slash] === BACKSLASH) slash--;
    // An even number of backslashes before it: the quote is not escaped.
    if (((quote - slash) & 1) === 1) return quote + 1;
    at = quote + 1;
  }
}

/** The index after the object or array that opens at `start`, or -1. */
function skipNested(bytes: Bytes, start: number, end: number): number {
  let objects = 0;
  let arrays = 0;
  let at = start;
  while (at < end) {
    const byte = bytes[at++];
    if (byte === QUOTE) {
      at = skipString(bytes, at, end);
      if (at < 0) return -1;
    } else if (byte === OPEN_BRACE) objects++;
    else if (byte === OPEN_BRACKET) arrays++;
    else if (byte === CLOSE_BRACE) {
      if (--objects === 0 && arrays === 0) return at;
    } else if (byte === CLOSE_BRACKET) {
      if (--arrays === 0 && objects === 0) return at;
    }
  }
  return -1;
}

/** The index after the number, true, false or null at `start`, or -1. */
function skipScalar(bytes: Bytes, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const byte = bytes[at];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break;
    at++;
  }
  return at > start ? at : -1;
}

/**
 * Walks one JSON object or array without parsing it: `next` moves to the next member, whose key and value then stand at
 * the positions below. Log lines are mostly bytes nobody needs (thinking signatures, file copies, snapshots); this finds
 * the few values that matter, in any key order, and never mistakes a nested key for one of its own.
 *
 * A value is only passed over when the walk moves on, so that another walk can go through it first: no byte is looked
 * at twice.
 */
export class Walk {
  keyStart = 0;
  keyEnd = 0;
  valueStart = 0;
  /** The structure is broken. */
  malformed = false;
  #bytes: Bytes = bytesOf("");
  #end = 0;
  #at = 0;
  #valueEnd = -1;
  #isObject = true;
  #started = false;

  /** Starts at the container whose bracket is at `start`; it must close before `end`. */
  open(bytes: Bytes, start: number, end: number): void {
    this.#bytes = bytes;
    this.#end = end;
    this.#at = start + 1;
    this.#valueEnd = -1;
    this.#started = false;
    this.#isObject = bytes[start] === OPEN_BRACE;
    this.malformed = start >= end || (!this.#isObject && bytes[start] !== OPEN_BRACKET);
  }

  /** False at the end of the container, or where it is malformed. */
  next(): boolean {
    if (this.malformed) return false;
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#started ? this.skip() : this.#at;
    if (this.malformed) return false;
    at = this.#skipSpace(at);
    if (at < end && bytes[at] === (this.#isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
      this.#valueEnd = at + 1;
      return false;
    }
    if (this.#started) {
      if (at >= end || bytes[at] !== COMMA) return this.#fail();
      at = this.#skipSpace(at + 1);
    }
    this.#started = true;
    if (this.#isObject) {
      at = this.#readKey(at);
      if (at < 0) return this.#fail();
    }
    if (at >= end) return this.#fail();
    this.valueStart = at;
    this.#valueEnd = -1;
    return true;
  }

  /** Passes over the present value and gives the index after it. */
  skip(): number {
    if (this.#valueEnd >= 0) return this.#valueEnd;
    const bytes = this.#bytes;
    const first = bytes[this.valueStart];
    this.#valueEnd =
      first === QUOTE
        ? skipString(bytes, this.valueStart + 1, this.#end)
        : first === OPEN_BRACE || first === OPEN_BRACKET
          ? skipNested(bytes, this.valueStart, this.#end)
          : skipScalar(bytes, this.valueStart, this.#end);
    if (this.#valueEnd < 0) this.#fail();
    return this.#valueEnd;
  }

  /** Another walk has gone through the present value to its end. */
  skipTo(inner: Walk): number {
    if (inner.malformed) this.#fail();
    this.#valueEnd = inner.#valueEnd;
    return this.#valueEnd;
  }

  /**
   * Tries to pass over the present container without walking it: the last bracket of the bytes that is followed by a
   * member must be the end of it or of a later one, because from there on only plain members follow up to the closing
   * bracket. Members between the two containers are passed over too. Gives up where the value is shorter than `least`
   * bytes, where `suspect` stands in what would be passed over, or where the tail is not plain.
   */
  jumpToTail(least: number, suspect: Bytes): boolean {
    const bytes = this.#bytes;
    const first = bytes[this.valueStart];
    if (this.#end - this.valueStart < least || (first !== OPEN_BRACE && first !== OPEN_BRACKET)) return false;
    let at = this.#end - 2;
    const far = Math.max(this.valueStart + least, this.#end - LONGEST_TAIL);
    while (at > far && bytes[at] !== CLOSE_BRACE && bytes[at] !== CLOSE_BRACKET) at--;
    if (at <= far || !this.#isPlainTail(at + 1)) return false;
    if (bytes.subarray(this.valueStart, at).includes(suspect)) return false;
    this.#valueEnd = at + 1;
    return true;
  }

  /** Whether from here to the end there are only members with strings, numbers and literals. */
  #isPlainTail(start: number): boolean {
    const bytes = this.#bytes;
    let at = start;
    while (bytes[at] === COMMA && bytes[at + 1] === QUOTE) {
      const key = skipString(bytes, at + 2, this.#end);
      if (key < 0 || bytes[key] !== COLON) return false;
      const isString = bytes[key + 1] === QUOTE;
      at = isString ? skipString(bytes, key + 2, this.#end) : skipScalar(bytes, key + 1, this.#end);
      if (at < 0) return false;
    }
    return bytes[at] === CLOSE_BRACE && at + 1 === this.#end;
  }

  /** After the last member: whether nothing but white space follows. */
  isWhole(): boolean {
    return !this.malformed && this.#skipSpace(this.#valueEnd) >= this.#end;
  }

  #readKey(start: number): number {
    const bytes = this.#bytes;
    if (start >= this.#end || bytes[start] !== QUOTE) return -1;
    const after = skipString(bytes, start + 1, this.#end);
    if (after < 0) return -1;
    this.keyStart = start + 1;
    this.keyEnd = after - 1;
    const colon = this.#skipSpace(after);
    return colon < this.#end && bytes[colon] === COLON ? this.#skipSpace(colon + 1) : -1;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (at < this.#end && isSpace(this.#bytes[at])) at++;
    return at;
  }

  #fail(): false {
    this.malformed = true;
    return false;
  }
}
