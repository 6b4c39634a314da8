/** The lines of a text: what `LineScanner` in src/dedup/runs/lines.ts does with a string, done with its UTF-8. */
import { FLAG_BITS, HAS_ODD_BREAKS, MAY_HOLD_DIFF, MAY_HOLD_MATCHES } from "../layout";
import { COLON, isDigit } from "./json";
import { reserve, tableStart } from "./room";
import { sequenceLength } from "./text";

const ROW_BYTES: usize = 20;
/** Longer tables are made in JavaScript, which frees their memory. */
const MAX_LINES: i32 = 1 << 18;
const NEVER: u32 = 0xffffffff;
const LOW_FACTOR: u32 = 0x9e3779b1;
const HIGH_FACTOR: u32 = 0x85ebca77;
const ARROW_WIDTH: usize = 6;
const MAX_DIGITS: usize = 9;

let low: u32 = 0;
let high: u32 = 0;

function mixedLow(hash: u32, pair: u32): u32 {
  return (rotl<u32>(hash, 5) ^ pair) * LOW_FACTOR;
}

function mixedHigh(hash: u32, pair: u32): u32 {
  return (rotl<u32>(hash, 7) ^ pair) * HIGH_FACTOR;
}

function mix(pair: u32): void {
  low = mixedLow(low, pair);
  high = mixedHigh(high, pair);
}

/** Two ASCII characters as UTF-16. */
function widened(two: u32): u32 {
  return (two & 0xff) | ((two & 0xff00) << 8);
}

/** Fills the table and returns the number of lines, with flags in the lowest bits; -1 if there are too many. */
export function cutText(start: usize, end: usize): i32 {
  const newline = i8x16.splat(0x0a);
  const carriage = i8x16.splat(0x0d);
  const colon = i8x16.splat(0x3a);
  let flags = 0;
  let lines = 0;
  let matches = 0;
  let row = tableStart();
  let reserved: usize = 0;
  let from = start;
  while (true) {
    if (row + ROW_BYTES > reserved) {
      reserved = row + (ROW_BYTES << 10);
      if (lines >= MAX_LINES || !reserve(reserved)) return -1;
    }
    let to = from;
    let bits = 0;
    let firstColon: usize = 0;
    while (true) {
      const v = v128.load(to);
      const breaks = i8x16.bitmask(i8x16.eq(v, newline)) | 0x10000;
      const length = min<usize>(ctz(breaks), end - to);
      const own = (1 << (<i32>length)) - 1;
      bits |= i8x16.bitmask(v) & own;
      const returns = i8x16.bitmask(i8x16.eq(v, carriage)) & own;
      // Only the last byte of a line may be one.
      if (returns !== 0 && (returns !== 1 << (<i32>length - 1) || length === 16 || to + length === end)) {
        flags |= HAS_ODD_BREAKS;
      }
      if (firstColon === 0) {
        const colons = i8x16.bitmask(i8x16.eq(v, colon)) & own;
        if (colons !== 0) firstColon = to + ctz(colons);
      }
      to += length;
      if (length < 16 || to === end) break;
    }
    const number = numberAt(from, to);
    const isArrow = (number & 1) === 1;
    const body = number === 0 ? from : from + prefixLength(number) + (isArrow ? 2 : 0);
    low = high = 0;
    let chars: u32;
    if (bits === 0 || (isArrow && isAscii(body, to))) {
      hashAscii(body, to);
      chars = <u32>(to - body);
    } else {
      chars = hashWide(body, to);
      if (hasSeparator) flags |= HAS_ODD_BREAKS;
    }
    mix(chars);
    const first = from < to ? load<u8>(from) : 0;
    if (first === 0x40 && isHunk(from, to)) flags |= MAY_HOLD_DIFF;
    else if (first === 0x64 && begins(from, to, "diff --git ")) flags |= MAY_HOLD_DIFF;
    if (firstColon !== 0 && isMatch(from, to, firstColon)) {
      matches++;
      // JavaScript has more white space than ASCII.
      if (first >= 0x80 || (firstColon === from + 1 && load<u8>(from + 2) >= 0x80)) flags |= HAS_ODD_BREAKS;
    }
    store<u32>(row, low);
    store<u32>(row + 4, high);
    const hint = number === 0 && firstColon !== 0 ? afterColon(from, firstColon) : body;
    store<u32>(row + 8, hint < to && load<u8>(hint) === 0x3e && looksLikeHint(hint, to) ? NEVER : number);
    store<u32>(row + 12, chars + <u32>(body - from) - (isArrow ? 2 : 0));
    store<u32>(row + 16, <u32>(to - from));
    row += ROW_BYTES;
    lines++;
    if (to === end) break;
    from = to + 1;
  }
  const counted = end > start && load<u8>(end - 1) === 0x0a ? lines - 1 : lines;
  if (matches > 0 && 2 * matches >= counted) flags |= MAY_HOLD_MATCHES;
  return (lines << FLAG_BITS) | flags;
}

function isAscii(start: usize, end: usize): bool {
  for (let p = start; p < end; p++) if (load<u8>(p) >= 0x80) return false;
  return true;
}

/** The hash of an ASCII line, two characters at a time. */
function hashAscii(start: usize, end: usize): void {
  let one: u32 = 0;
  let two: u32 = 0;
  let p = start;
  for (; p + 8 <= end; p += 8) {
    const eight = load<u64>(p);
    const first = widened(<u32>eight);
    const second = widened(<u32>(eight >> 16));
    const third = widened(<u32>(eight >> 32));
    const fourth = widened(<u32>(eight >> 48));
    one = mixedLow(mixedLow(mixedLow(mixedLow(one, first), second), third), fourth);
    two = mixedHigh(mixedHigh(mixedHigh(mixedHigh(two, first), second), third), fourth);
  }
  for (; p + 2 <= end; p += 2) {
    const pair = widened(load<u16>(p));
    one = mixedLow(one, pair);
    two = mixedHigh(two, pair);
  }
  if (p < end) {
    one = mixedLow(one, load<u8>(p));
    two = mixedHigh(two, load<u8>(p));
  }
  low = one;
  high = two;
}

/** Whether the last non-ASCII line contains U+2028 or U+2029. */
let hasSeparator: bool = false;
let pending: u32 = 0;
let units: u32 = 0;

function takeUnit(unit: u32): void {
  if ((units & 1) === 0) pending = unit;
  else mix(pending | (unit << 16));
  units++;
}

/** Returns the number of UTF-16 characters. */
function hashWide(start: usize, end: usize): u32 {
  hasSeparator = false;
  units = 0;
  let p = start;
  while (p < end) {
    const c = <u32>load<u8>(p);
    if (c < 0x80) {
      takeUnit(c);
      p++;
      continue;
    }
    const bytes = sequenceLength(p);
    const second = <u32>load<u8>(p + 1) & 63;
    if (bytes === 2) takeUnit(((c & 31) << 6) | second);
    else if (bytes === 3) {
      const unit = ((c & 15) << 12) | (second << 6) | (<u32>load<u8>(p + 2) & 63);
      if (unit === 0x2028 || unit === 0x2029) hasSeparator = true;
      takeUnit(unit);
    } else {
      const third = <u32>load<u8>(p + 2) & 63;
      const point = (((c & 7) << 18) | (second << 12) | (third << 6) | (<u32>load<u8>(p + 3) & 63)) - 0x10000;
      takeUnit(0xd800 | (point >> 10));
      takeUnit(0xdc00 | (point & 0x3ff));
    }
    p += bytes;
  }
  if ((units & 1) === 1) mix(pending);
  return units;
}

/** See `numberCodeAt` in src/dedup/runs/numbered.ts. */
function numberAt(from: usize, to: usize): u32 {
  let p = from;
  while (p - from < ARROW_WIDTH && p < to && load<u8>(p) === 0x20) p++;
  const digitsFrom = p;
  let number: u32 = 0;
  for (; p - digitsFrom <= MAX_DIGITS && p < to; p++) {
    const c = load<u8>(p);
    if (!isDigit(c)) break;
    number = number * 10 + (<u32>c - 0x30);
  }
  const digits = p - digitsFrom;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && load<u8>(digitsFrom) === 0x30) || p === to) return 0;
  if (load<u8>(p) === 0x09 && digitsFrom === from) return 2 * number + 2;
  const isArrow = p + 3 <= to && (load<u32>(p) & 0xffffff) === 0x9286e2;
  return isArrow && p - from === max<usize>(ARROW_WIDTH, digits) ? 2 * number + 1 : 0;
}

/** Where a line continues after `7:`, see `colonLengthAt` in src/dedup/runs/numbered.ts; its start if there is none. */
function afterColon(from: usize, firstColon: usize): usize {
  const digits = firstColon - from;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && load<u8>(from) === 0x30)) return from;
  for (let p = from; p < firstColon; p++) if (!isDigit(load<u8>(p))) return from;
  return firstColon + 1;
}

/** In characters. */
function prefixLength(code: u32): usize {
  let digits: usize = 1;
  const number = (code - 1) >> 1;
  for (let limit: u64 = 10; <u64>number >= limit; limit *= 10) digits++;
  return 1 + ((code & 1) === 0 ? digits : max<usize>(ARROW_WIDTH, digits));
}

export function begins(start: usize, end: usize, text: string): bool {
  if (end - start < <usize>text.length) return false;
  for (let i = 0; i < text.length; i++) if (<i32>load<u8>(start + i) !== text.charCodeAt(i)) return false;
  return true;
}

function looksLikeHint(start: usize, end: usize): bool {
  return begins(start, end, "> [ref:") || begins(start, end, "> [near-ref:");
}

/** Whether a line begins with `PATH:NUMBER:`, unless it begins with non-ASCII white space. */
function isMatch(from: usize, to: usize, firstColon: usize): bool {
  if (firstColon > from && !isSpace(load<u8>(from)) && isFollowedByNumber(firstColon, to)) return true;
  // The first one may belong to a drive.
  if (firstColon !== from + 1 || !isLetter(load<u8>(from))) return false;
  let p = firstColon + 1;
  if (p >= to || isSpace(load<u8>(p)) || load<u8>(p) === COLON) return false;
  while (p < to && load<u8>(p) !== COLON) p++;
  return p < to && isFollowedByNumber(p, to);
}

function isSpace(c: u8): bool {
  return c === 0x20 || <u32>c - 0x09 < 5;
}

function isLetter(c: u8): bool {
  const small = <u32>c | 0x20;
  return small - 0x61 < 26;
}

/** Whether a line begins with `@@ -1 +1 @@`. */
function isHunk(from: usize, to: usize): bool {
  if (!begins(from, to, "@@ -") || from + 5 > to || !isDigit(load<u8>(from + 4))) return false;
  let at = from + 5;
  while (at < to && load<u8>(at) !== 0x40) at++;
  if (at + 2 > to || load<u8>(at + 1) !== 0x40 || at === from + 5 || load<u8>(at - 1) !== 0x20) return false;
  for (let p = from + 5; p + 4 <= at; p++) {
    const isPlus = load<u8>(p) === 0x20 && load<u8>(p + 1) === 0x2b;
    if (isPlus && isDigit(load<u8>(p + 2))) return true;
  }
  return false;
}

function isFollowedByNumber(colon: usize, to: usize): bool {
  let p = colon + 1;
  while (p < to && isDigit(load<u8>(p))) p++;
  return p > colon + 1 && p < to && load<u8>(p) === 0x3a;
}
