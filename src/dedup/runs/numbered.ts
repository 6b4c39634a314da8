import { CharCodes } from "../../log/bytes.js";

/** Read's line-number prefixes: `     7→text` in older versions of Claude Code, `7<TAB>text` in newer ones. */
export type NumberStyle = "arrow" | "tab";

const SPACE = 0x20;
const ZERO = 0x30;
const TAB = 0x09;
const ARROW = "→".charCodeAt(0);
const COLON = ":".charCodeAt(0);
/** The older style pads shorter numbers with spaces. */
const ARROW_WIDTH = 6;
/** A longer number is not a line number. */
const MAX_DIGITS = 9;

/**
 * The number and style of the prefix at an offset, packed into one integer; 0 if there is none exactly as Read would
 * write it. The character codes end with a line break.
 */
export function numberCodeAt(codes: Uint16Array, begin: number): number {
  let at = begin;
  while (at - begin < ARROW_WIDTH && codes[at] === SPACE) at++;
  const digitsFrom = at;
  let number = 0;
  for (; at - digitsFrom <= MAX_DIGITS; at++) {
    const digit = (codes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  const digits = at - digitsFrom;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && codes[digitsFrom] === ZERO)) return 0;
  const mark = codes[at];
  if (mark === TAB && digitsFrom === begin) return 2 * number + 2;
  if (mark === ARROW && at - begin === Math.max(ARROW_WIDTH, digits)) return 2 * number + 1;
  return 0;
}

/**
 * The length of a number with a colon, `7:`; 0 if there is none. Some sessions of Claude Code number files with tabs
 * like this, and so does `grep`: it only counts as a line number before a hint.
 */
export function colonLengthAt(codes: Uint16Array, begin: number): number {
  let at = begin;
  while (at - begin <= MAX_DIGITS && isDigit(codes[at] as number)) at++;
  const digits = at - begin;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && codes[begin] === ZERO)) return 0;
  return codes[at] === COLON ? digits + 1 : 0;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

export function styleOfCode(code: number): NumberStyle {
  return code % 2 === 0 ? "tab" : "arrow";
}

export function numberOfCode(code: number): number {
  return (code - 1) >> 1;
}

/** The length of the prefix. */
export function prefixLength(code: number): number {
  if (code === 0) return 0;
  const digits = digitsOf(numberOfCode(code));
  return 1 + (code % 2 === 0 ? digits : Math.max(ARROW_WIDTH, digits));
}

export function prefixOf(style: NumberStyle, number: number): string {
  return style === "tab" ? `${number}\t` : `${String(number).padStart(ARROW_WIDTH)}→`;
}

function digitsOf(number: number): number {
  let digits = 1;
  for (let limit = 10; number >= limit; limit *= 10) digits++;
  return digits;
}

/** Large enough for a prefix, and for the line break after a text that is nothing else. */
const beginning = new CharCodes(32);

/** The number and the style of a line's prefix: see `numberCodeAt`. */
export function numberCode(line: string): number {
  beginning.load(line);
  return numberCodeAt(beginning.codes, 0);
}

/** Where a hint would begin in a line: after its number, in any of the formats. */
export function hintStart(line: string): number {
  const code = numberCode(line);
  return code === 0 ? colonLengthAt(beginning.codes, 0) : prefixLength(code);
}

/** The part of a text from the first to the last of its numbered lines, in characters. */
export interface NumberedPart {
  readonly begin: number;
  readonly end: number;
  /** The length of the first number, with what follows it. */
  readonly first: number;
}

/** What Claude Code adds before or after a file is never longer. */
const MAX_ADDED_LINES = 16;

/** The lines that Read numbered; undefined if there are none. Searches each end only as far as text may be added. */
export function numberedPart(text: string): NumberedPart | undefined {
  let [begin, first] = [0, 0];
  for (let added = 0; first === 0; added++) {
    if (added > 0) begin = text.indexOf("\n", begin) + 1;
    if (added > MAX_ADDED_LINES || (added > 0 && begin === 0)) return undefined;
    first = prefixLength(numberCode(text.slice(begin, begin + MAX_PREFIX)));
  }
  let end = text.length;
  for (let added = 0; end > begin && added <= MAX_ADDED_LINES; added++) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    if (numberCode(text.slice(start, start + MAX_PREFIX)) !== 0) return { begin, end, first };
    end = start - 1;
  }
  return undefined;
}

const MAX_PREFIX = MAX_DIGITS + 1;
