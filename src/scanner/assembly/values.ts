/** The current value in an object. Each function moves past it; false if it is doubtful. */
import { afterNumber, afterSpace, afterString, afterValue, COLON, isDigit, isEscaped, OPEN_BRACE, QUOTE } from "./json";
import { at, bitOf, DOUBTFUL, END, moveTo, nextMember } from "./names";
import { textStart } from "./room";
import { chars, decodeString, isPlainAscii, startCounting } from "./text";

export function passOver(): bool {
  const end = afterValue(at, 0);
  if (end === 0) return false;
  moveTo(end);
  return true;
}

/** Walks through an object; `readMember` gets each member's name and moves past its value. Other values are skipped. */
export function readObject(readMember: (name: i32) => bool): bool {
  if (load<u8>(at) !== OPEN_BRACE) return passOver();
  let seen: u64 = 0;
  moveTo(at + 1);
  while (true) {
    const name = nextMember(seen);
    if (name === END) return true;
    if (name === DOUBTFUL) return false;
    seen |= bitOf(name);
    if (!readMember(name)) return false;
  }
}

/** The address of the string read last; `wordStart` is 0 if the value was not a string. */
export let wordStart: usize = 0;
export let wordEnd: usize = 0;

/** A string without any encoding: ASCII without escapes. */
export function readWord(): bool {
  wordStart = 0;
  if (load<u8>(at) !== QUOTE) return passOver();
  const start = at + 1;
  const end = afterString(start);
  if (end === 0 || isEscaped || !isPlainAscii(start, end - 1)) return false;
  wordStart = start;
  wordEnd = end - 1;
  moveTo(end);
  return true;
}

export function forgetWord(): void {
  wordStart = 0;
}

/** Whether the word read last is this one. */
export function isWord(text: string): bool {
  return wordStart !== 0 && isText(wordStart, wordEnd, text);
}

export function isText(start: usize, end: usize, text: string): bool {
  if (end - start !== <usize>text.length) return false;
  for (let i = 0; i < text.length; i++) if (<i32>load<u8>(start + i) !== text.charCodeAt(i)) return false;
  return true;
}

/** Where the next text goes. */
let textAt: usize = 0;
/** The text made last, in UTF-8, and its UTF-16 characters. */
export let madeStart: usize = 0;
export let madeEnd: usize = 0;
export let madeChars: u32 = 0;

export function forgetTexts(): void {
  textAt = textStart();
}

/** Begins a text, to which strings can be added. */
export function beginText(): void {
  madeStart = madeEnd = textAt;
  madeChars = 0;
}

/** Adds what is between two quotes. */
export function addToText(start: usize, end: usize): bool {
  startCounting();
  const made = decodeString(start, end, madeEnd);
  if (made === 0) return false;
  madeEnd = textAt = made;
  madeChars += chars;
  return true;
}

export function addLineBreak(): void {
  store<u8>(madeEnd, 0x0a);
  madeEnd++;
  textAt = madeEnd;
  madeChars++;
}

/** Longer strings are shortened. */
const LONG_STRING: usize = 256;

/**
 * Adds valid JSON, with a dash in place of each long string. False if that could change more than a text: for long
 * names, and for a long id of a subagent.
 */
export function addShortened(start: usize, end: usize): bool {
  let q = madeEnd;
  wordStart = 0;
  for (let p = start; p < end; ) {
    if (load<u8>(p) !== QUOTE) {
      store<u8>(q++, load<u8>(p++));
      continue;
    }
    const after = afterString(p + 1);
    const isName = load<u8>(afterSpace(after)) === COLON;
    // An escaped name can be spelled in many ways.
    if (isName && isEscaped) return false;
    if (after - p <= LONG_STRING) {
      memory.copy(q, p, after - p);
      q += after - p;
    } else {
      if (isName || isWord("agentId")) return false;
      // A dash between quotes.
      store<u32>(q, 0x222d22);
      q += 3;
    }
    wordStart = isName ? p + 1 : 0;
    wordEnd = after - 1;
    p = after;
  }
  madeEnd = textAt = q;
  return true;
}

/** Larger numbers are not exact in JavaScript, nor sensible. */
const MAX_DIGITS: usize = 15;

/** A count; 0 if the value is not a number. Fractions, exponents and signs are doubtful. */
export let number: u64 = 0;

export function readCount(): bool {
  number = 0;
  const c = load<u8>(at);
  if (c !== 0x2d && !isDigit(c)) return passOver();
  const end = afterNumber(at);
  if (end === 0 || end - at > MAX_DIGITS) return false;
  for (let p = at; p < end; p++) {
    const digit = load<u8>(p);
    if (!isDigit(digit)) return false;
    number = number * 10 + (<u64>digit - 0x30);
  }
  moveTo(end);
  return true;
}
