/** Parses the texts of a line: times, paths, subjects, hints. */

import { begins } from "../../../scanner/assembly/cut";
import { isDigit } from "../../../scanner/assembly/json";
import { isSame } from "../../../scanner/assembly/names";
import * as Host from "./host";
import { charsIn, intern } from "./strings";

function digits(at: usize, count: usize): i32 {
  let number = 0;
  for (let p = at; p < at + count; p++) {
    const c = load<u8>(p);
    if (!isDigit(c)) return -1;
    number = number * 10 + (<i32>c - 0x30);
  }
  return number;
}

/** The number of bytes of a usual time: 2026-01-02T03:04:05.678Z */
export const TIME_BYTES: i32 = 24;

/** Since 1970; negative if the time is unusual: the wrapper finds out whether it is one. `start`: 0 if there is none. */
export function secondsAt(start: usize, end: usize): f64 {
  if (start === 0) return 0;
  const isUsual = end - start === TIME_BYTES && load<u8>(start + 19) === 0x2e && digits(start + 20, 3) >= 0;
  if (!isUsual || load<u8>(start + 23) !== 0x5a) return -1;
  const year = digits(start, 4);
  const month = digits(start + 5, 2);
  const day = digits(start + 8, 2);
  const hour = digits(start + 11, 2);
  const minute = digits(start + 14, 2);
  const second = digits(start + 17, 2);
  const isDate = load<u8>(start + 4) === 0x2d && load<u8>(start + 7) === 0x2d && load<u8>(start + 10) === 0x54;
  const isTime = load<u8>(start + 13) === 0x3a && load<u8>(start + 16) === 0x3a;
  const isSane = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  const isInDay = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (!isDate || !isTime || !isSane || !isInDay) return -1;
  return ((daysBefore(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
}

function isLeap(year: i32): bool {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysOf(year: i32, month: i32): i32 {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** From the beginning of 1970. As a 64-bit number: years have four digits. */
function daysBefore(year: i32, month: i32): f64 {
  const before = year - 1;
  let days = 365 * (year - 1970) + (before / 4 - before / 100 + before / 400) - 477;
  for (let one = 1; one < month; one++) days += daysOf(year, one);
  return days;
}

const SLASH: u8 = 0x2f;
const BACKSLASH: u8 = 0x5c;
const COLON: u8 = 0x3a;
const DOT: u8 = 0x2e;

/** Longer Windows paths are left to the wrapper. */
const MAX_PATH_BYTES: usize = 512;
const forwardPath: usize = memory.data(<i32>MAX_PATH_BYTES, 16);

/** The path of a call, absolute and normalized: src/log/tools.ts. */
export function pathAt(start: usize, end: usize, cwdStart: usize, cwdEnd: usize): i32 {
  let from = start;
  if (hasDrive(start, end) && end - start <= MAX_PATH_BYTES) from = withForwardSlashes(start, end);
  const to = from + (end - start);
  const root = from === start ? from : from + 2;
  const isRooted = root < to && load<u8>(root) === SLASH;
  if (!isRooted || !isNormalized(root, to)) return Host.pathOf(start, end, cwdStart, cwdEnd);
  return intern(from, to, charsIn(from, to));
}

function hasDrive(start: usize, end: usize): bool {
  return end - start >= 2 && load<u8>(start + 1) === COLON && isLetter(load<u8>(start));
}

function isLetter(c: u8): bool {
  return <u32>(c | 0x20) - 0x61 < 26;
}

function isSlash(c: u8): bool {
  return c === SLASH || c === BACKSLASH;
}

function withForwardSlashes(start: usize, end: usize): usize {
  for (let p = start; p < end; p++) {
    const c = load<u8>(p);
    store<u8>(forwardPath + (p - start), c === BACKSLASH ? SLASH : c);
  }
  return forwardPath;
}

/** No doubled or trailing slash, no "." and "..". */
function isNormalized(start: usize, end: usize): bool {
  for (let p = start; p < end; p++) {
    if (load<u8>(p) !== SLASH) continue;
    let q = p + 1;
    while (q < end && q < p + 3 && load<u8>(q) === DOT) q++;
    if (q === end || load<u8>(q) === SLASH) return false;
  }
  return true;
}

/** What a call is about: `targetOf` in src/log/tools.ts. Missing strings begin at 0. */
export function targetAt(
  pathStart: usize,
  pathEnd: usize,
  subjectStart: usize,
  subjectEnd: usize,
  cwdStart: usize,
  cwdEnd: usize,
): i32 {
  let start = subjectStart;
  let end = subjectEnd;
  let isCertain = true;
  if (start === 0 && pathStart !== 0) {
    start = pathStart;
    end = pathEnd;
    if (cwdStart !== 0) {
      isCertain = isInsideKnown(pathStart, pathEnd, cwdStart, cwdEnd);
      if (isInside) start += cwdEnd - cwdStart + 1;
    }
  }
  const made = isCertain ? fold(start, end) : -1;
  if (made < 0) return Host.targetOf(pathStart, pathEnd, subjectStart, subjectEnd, cwdStart, cwdEnd);
  return intern(folded, folded + made, made);
}

let isInside: bool = false;

/** Determines whether a path is inside a folder; false if that is not possible here. */
function isInsideKnown(start: usize, end: usize, cwdStart: usize, cwdEnd: usize): bool {
  const length = cwdEnd - cwdStart;
  const isLonger = end - start > length;
  const isRooted = begins(start, end, "/") && begins(cwdStart, cwdEnd, "/");
  const next: u8 = isLonger ? load<u8>(start + length) : 0;
  isInside = isLonger && (isRooted ? next === SLASH : isSlash(next)) && isSame(start, cwdStart, <i32>length);
  if (isRooted) return true;
  if (!hasDrive(start, end)) return false;
  if (isInside) return length > 2;
  // Two spellings of a Windows folder may be the same; and in JavaScript, lengths are in UTF-16.
  return !isSlash(next) && isAscii(cwdStart, cwdEnd) && isAscii(start, min<usize>(end, start + length));
}

function isAscii(start: usize, end: usize): bool {
  for (let p = start; p < end; p++) if (load<u8>(p) >= 0x80) return false;
  return true;
}

const MAX_TARGET_CHARS: i32 = 60;
const MAX_READ_CHARS: usize = 240;
const folded: usize = memory.data(256, 16);

/** Folds the start of a text onto one short line and returns its length; negative if it is not ASCII. */
function fold(start: usize, end: usize): i32 {
  const limit = min<usize>(end, start + MAX_READ_CHARS);
  let length = 0;
  let isSpaced = false;
  for (let p = start; p < limit; p++) {
    const c = load<u8>(p);
    if (c >= 0x80) return -1;
    if (c <= 0x20 || c === 0x7f) {
      isSpaced = length > 0;
      continue;
    }
    if (isSpaced) store<u8>(folded + length++, 0x20);
    isSpaced = false;
    store<u8>(folded + length++, c);
  }
  return min<i32>(length, MAX_TARGET_CHARS);
}

/** Whether a text may contain live hints: src/dedup/runs/runHints.ts. */
export function mayHoldHints(start: usize, end: usize): bool {
  const marks = i8x16.splat(0x3e);
  for (let p = start; p < end; p += 16) {
    let found = i8x16.bitmask(i8x16.eq(v128.load(p), marks));
    for (; found !== 0; found &= found - 1) {
      const at = p + ctz(found);
      if (begins(at, end, "> [ref: ") || begins(at, end, "> [near-ref: ")) return true;
    }
  }
  return false;
}
