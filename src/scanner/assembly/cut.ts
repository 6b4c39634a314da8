/** The lines of a text: what `LineScanner` in src/dedup/runs/lines.ts does with a string, done with its UTF-8. */
import { FLAG_BITS, HAS_ODD_SPACE, MAY_HOLD_DIFF, MAY_HOLD_MATCHES } from "../layout";
import { bitsOf, COLON, isDigit } from "./json";
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

/** The same for four hashes at once. */
function mixedLows(hashes: v128, words: v128): v128 {
  const turned = v128.or(i32x4.shl(hashes, 5), i32x4.shr_u(hashes, 27));
  return i32x4.mul(v128.xor(turned, words), i32x4.splat(LOW_FACTOR));
}

function mixedHighs(hashes: v128, words: v128): v128 {
  const turned = v128.or(i32x4.shl(hashes, 7), i32x4.shr_u(hashes, 25));
  return i32x4.mul(v128.xor(turned, words), i32x4.splat(HIGH_FACTOR));
}

/** Fills the table and returns the number of lines, with flags in the lowest bits; -1 if there are too many. */
export function cutText(start: usize, end: usize): i32 {
  let flags = 0;
  let lines = 0;
  let matches = 0;
  let row = tableStart();
  let reserved: usize = 0;
  let from = start;
  // What 64 bytes have, one bit for each: line breaks, and colons before digits.
  let block = start - 64;
  let breaks: u64 = 0;
  let colons: u64 = 0;
  while (true) {
    if (row + ROW_BYTES > reserved) {
      reserved = row + (ROW_BYTES << 10);
      if (lines >= MAX_LINES || !reserve(reserved)) return -1;
    }
    let hasColon = breaks === 0 && colons !== 0;
    while (breaks === 0) {
      block += 64;
      if (block >= end) break;
      const own = end - block < 64 ? ((<u64>1) << (<u64>(end - block))) - 1 : ~(<u64>0);
      breaks = signsAt(block, 0x0a) & own;
      colons = signsAt(block, 0x3a) & own;
      if (colons !== 0) colons &= (digitsAt(block) >> 1) | LAST_BIT;
      if (breaks === 0 && colons !== 0) hasColon = true;
    }
    let to = end;
    if (breaks !== 0) {
      to = block + <usize>ctz(breaks);
      const before = (breaks - 1) & ~breaks;
      if ((colons & before) !== 0) hasColon = true;
      colons &= ~before;
      breaks &= breaks - 1;
    }
    const number = numberAt(from, to);
    const body = number === 0 ? from : numberEnd;
    let chars = <u32>(to - body);
    if (!hashAscii(body, to)) chars = hashWide(body, to);
    mix(chars);
    const first = from < to ? load<u8>(from) : 0;
    if (first === 0x40 && isHunk(from, to)) flags |= MAY_HOLD_DIFF;
    else if (first === 0x64 && begins(from, to, "diff --git ")) flags |= MAY_HOLD_DIFF;
    if (hasColon && isMatch(from, to)) {
      matches++;
      // JavaScript has more white space than ASCII.
      if (first >= 0x80 || (load<u8>(from + 1) === COLON && load<u8>(from + 2) >= 0x80)) flags |= HAS_ODD_SPACE;
    }
    store<u32>(row, low);
    store<u32>(row + 4, high);
    const hint = number === 0 ? afterColon(from, to) : body;
    store<u32>(row + 8, hint < to && load<u8>(hint) === 0x3e && looksLikeHint(hint, to) ? NEVER : number);
    // An arrow has three bytes.
    store<u32>(row + 12, chars + <u32>(body - from) - 2 * (number & 1));
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

const LAST_BIT: u64 = (<u64>1) << 63;

/** One bit for each of 64 bytes that equals `sign`. */
function signsAt(at: usize, sign: u8): u64 {
  const signs = i8x16.splat(sign);
  return bitsOf(
    i8x16.eq(v128.load(at), signs),
    i8x16.eq(v128.load(at, 16), signs),
    i8x16.eq(v128.load(at, 32), signs),
    i8x16.eq(v128.load(at, 48), signs),
  );
}

function digitsAt(at: usize): u64 {
  return bitsOf(
    areDigits(v128.load(at)),
    areDigits(v128.load(at, 16)),
    areDigits(v128.load(at, 32)),
    areDigits(v128.load(at, 48)),
  );
}

function areDigits(v: v128): v128 {
  return i8x16.lt_u(i8x16.sub(v, i8x16.splat(0x30)), i8x16.splat(10));
}

/** Loaded from 16 - n on, the first n bytes have all of their bits set. */
const firstBytes: usize = memory.data<u8>(
  [
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0,
  ],
  16,
);

/** The hash of a line, four words of four characters at a time; false if it is not ASCII. */
function hashAscii(start: usize, end: usize): bool {
  let lows = i32x4.splat(0);
  let highs = i32x4.splat(0);
  let any = i32x4.splat(0);
  let p = start;
  for (; p + 16 <= end; p += 16) {
    const words = v128.load(p);
    any = v128.or(any, words);
    lows = mixedLows(lows, words);
    highs = mixedHighs(highs, words);
  }
  const own = v128.load(firstBytes + 16 - (end - p));
  const words = v128.and(v128.load(p), own);
  if (i8x16.bitmask(v128.or(any, words)) !== 0) return false;
  // Words without characters do not count.
  const count = i32x4.ne(own, i32x4.splat(0));
  lows = v128.bitselect(mixedLows(lows, words), lows, count);
  highs = v128.bitselect(mixedHighs(highs, words), highs, count);
  lows = mixedLows(lows, v128.shuffle<i32>(lows, lows, 2, 3, 0, 1));
  highs = mixedHighs(highs, v128.shuffle<i32>(highs, highs, 2, 3, 0, 1));
  low = mixedLow(i32x4.extract_lane(lows, 0), i32x4.extract_lane(lows, 1));
  high = mixedHigh(i32x4.extract_lane(highs, 0), i32x4.extract_lane(highs, 1));
  return true;
}

let pending: u32 = 0;
let units: u32 = 0;

function takeUnit(unit: u32): void {
  if ((units & 1) === 0) pending = unit;
  else mix(pending | (unit << 16));
  units++;
}

/** Returns the number of UTF-16 characters. */
function hashWide(start: usize, end: usize): u32 {
  low = high = 0;
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
      takeUnit(((c & 15) << 12) | (second << 6) | (<u32>load<u8>(p + 2) & 63));
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

/** Where the last number ends, and what follows it. */
let numberEnd: usize = 0;

/** See `numberCodeAt` in src/dedup/runs/numbered.ts. */
function numberAt(from: usize, to: usize): u32 {
  const spaces = i8x16.bitmask(i8x16.eq(v128.load(from), i8x16.splat(0x20)));
  const digitsFrom = from + ctz(~spaces);
  if (digitsFrom - from >= ARROW_WIDTH || !isDigit(load<u8>(digitsFrom))) return 0;
  let p = digitsFrom;
  let number: u32 = 0;
  for (; p - digitsFrom <= MAX_DIGITS && p < to; p++) {
    const c = load<u8>(p);
    if (!isDigit(c)) break;
    number = number * 10 + (<u32>c - 0x30);
  }
  const digits = p - digitsFrom;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && load<u8>(digitsFrom) === 0x30) || p === to) return 0;
  numberEnd = p + 1;
  if (load<u8>(p) === 0x09 && digitsFrom === from) return 2 * number + 2;
  numberEnd = p + 3;
  const isArrow = numberEnd <= to && (load<u32>(p) & 0xffffff) === 0x9286e2;
  return isArrow && p - from === max<usize>(ARROW_WIDTH, digits) ? 2 * number + 1 : 0;
}

/** Where a line continues after `7:`, see `colonLengthAt` in src/dedup/runs/numbered.ts; its start if there is none. */
function afterColon(from: usize, to: usize): usize {
  let p = from;
  while (p < to && isDigit(load<u8>(p))) p++;
  const digits = p - from;
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && load<u8>(from) === 0x30)) return from;
  return p < to && load<u8>(p) === COLON ? p + 1 : from;
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
function isMatch(from: usize, to: usize): bool {
  let firstColon = from;
  while (load<u8>(firstColon) !== COLON) firstColon++;
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
