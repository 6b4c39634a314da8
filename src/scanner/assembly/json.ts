/**
 * The grammar of JSON, as strict as JSON.parse. Each function takes an address and returns the one after what it
 * skipped; 0 if the bytes are not as expected, or doubtful. A newline or a zero byte follows every line: nothing in a
 * line contains one, so no function has to compare its address with the end.
 */

export const QUOTE: u8 = 0x22;
export const BACKSLASH: u8 = 0x5c;
export const COMMA: u8 = 0x2c;
export const COLON: u8 = 0x3a;
export const OPEN_BRACE: u8 = 0x7b;
export const CLOSE_BRACE: u8 = 0x7d;
export const OPEN_BRACKET: u8 = 0x5b;
export const CLOSE_BRACKET: u8 = 0x5d;
export const NEWLINE: u8 = 0x0a;
const MINUS: u8 = 0x2d;
const SPACE: u8 = 0x20;
const SMALL_U: u8 = 0x75;

/** Deeper values are left to JSON.parse, which does not use the stack. */
const MAX_DEPTH: i32 = 64;

/** Whether the last string skipped contains a backslash. */
export let isEscaped: bool = false;

export function afterSpace(at: usize): usize {
  let p = at;
  while (true) {
    const c = load<u8>(p);
    if (c > SPACE || (c !== SPACE && c !== 0x0d && c !== 0x09)) return p;
    p++;
  }
}

/** `at`: after the opening quote. */
export function afterString(at: usize): usize {
  const v = v128.load(at);
  const signs = v128.or(v128.or(i8x16.eq(v, QUOTES), i8x16.eq(v, BACKSLASHES)), i8x16.le_u(v, CONTROLS));
  const found = i8x16.bitmask(signs);
  const sign = at + ctz(found);
  // Most strings are short and have no escapes.
  if (found === 0 || load<u8>(sign) !== QUOTE) return afterLongString(at);
  isEscaped = false;
  return sign + 1;
}

const QUOTES: v128 = i8x16.splat(0x22);
const BACKSLASHES: v128 = i8x16.splat(0x5c);
const CONTROLS: v128 = i8x16.splat(0x1f);
const LOW_BITS: v128 = i8x16.splat(0x0f);
/**
 * What may follow a backslash, except for the u: in one table the bits for the upper half of a byte, in the other one
 * those that are valid for its lower half.
 */
const UPPER: v128 = i8x16(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
const LOWER: v128 = i8x16(0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
const EVEN_BITS: u64 = ((<u64>0x55555555) << 32) | 0x55555555;

/** 64 bytes at a time, without looking at each backslash. */
function afterLongString(at: usize): usize {
  // Whether the first byte belongs to an escape that began before it.
  let carry: u64 = 0;
  isEscaped = false;
  let p = at;
  while (true) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    const quotes = bitsOf(i8x16.eq(a, QUOTES), i8x16.eq(b, QUOTES), i8x16.eq(c, QUOTES), i8x16.eq(d, QUOTES));
    const controls = bitsOf(
      i8x16.le_u(a, CONTROLS),
      i8x16.le_u(b, CONTROLS),
      i8x16.le_u(c, CONTROLS),
      i8x16.le_u(d, CONTROLS),
    );
    let backslashes = bitsOf(
      i8x16.eq(a, BACKSLASHES),
      i8x16.eq(b, BACKSLASHES),
      i8x16.eq(c, BACKSLASHES),
      i8x16.eq(d, BACKSLASHES),
    );
    let escaped = carry;
    if (backslashes !== 0) {
      // In a row of backslashes, every second one begins an escape: a sum carries through those that begin at odd bits.
      backslashes &= ~carry;
      const following = (backslashes << 1) | carry;
      const sum = (backslashes & ~EVEN_BITS & ~following) + backslashes;
      carry = sum < backslashes ? 1 : 0;
      escaped = (EVEN_BITS ^ (sum << 1)) & following;
    } else carry = 0;
    const ends = quotes & ~escaped;
    // What belongs to the string: everything before its end.
    const inside = ends === 0 ? ~(<u64>0) : (ends & (0 - ends)) - 1;
    if ((controls & inside) !== 0) return 0;
    if (((backslashes | escaped) & inside) !== 0) {
      isEscaped = true;
      const odd = escaped & inside & ~bitsOf(escapable(a), escapable(b), escapable(c), escapable(d));
      if (odd !== 0 && !areUnits(p, odd)) return 0;
    }
    if (ends !== 0) return p + <usize>ctz(ends) + 1;
    p += 64;
  }
}

/** One bit for each byte whose highest bit is set. */
function bitsOf(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u64>(<u32>i8x16.bitmask(a)) | ((<u64>(<u32>i8x16.bitmask(b))) << 16);
  return low | ((<u64>(<u32>i8x16.bitmask(c))) << 32) | ((<u64>(<u32>i8x16.bitmask(d))) << 48);
}

function escapable(v: v128): v128 {
  const upper = i8x16.swizzle(UPPER, i8x16.shr_u(v, 4));
  const lower = i8x16.swizzle(LOWER, v128.and(v, LOW_BITS));
  return i8x16.gt_u(v128.and(upper, lower), i8x16.splat(0));
}

/** Whether each of these bytes is the u of an escape with four digits. */
function areUnits(start: usize, bits: u64): bool {
  for (let left = bits; left !== 0; left &= left - 1) {
    const p = start + <usize>ctz(left);
    if (load<u8>(p) !== SMALL_U) return false;
    for (let digit = p + 1; digit <= p + 4; digit++) if (!isHex(load<u8>(digit))) return false;
  }
  return true;
}

export function isDigit(c: u8): bool {
  return <u32>c - 0x30 < 10;
}

function isHex(c: u8): bool {
  return isDigit(c) || (<u32>c | 0x20) - 0x61 < 6;
}

function afterDigits(at: usize): usize {
  let p = at;
  while (isDigit(load<u8>(p))) p++;
  return p === at ? 0 : p;
}

export function afterNumber(at: usize): usize {
  let p = at;
  if (load<u8>(p) === MINUS) p++;
  p = load<u8>(p) === 0x30 ? p + 1 : afterDigits(p);
  if (p === 0) return 0;
  if (load<u8>(p) === 0x2e) {
    p = afterDigits(p + 1);
    if (p === 0) return 0;
  }
  if ((load<u8>(p) | 0x20) !== 0x65) return p;
  p++;
  const sign = load<u8>(p);
  return afterDigits(sign === 0x2b || sign === MINUS ? p + 1 : p);
}

export function isTrue(at: usize): bool {
  return load<u32>(at) === 0x65757274;
}

export function isNull(at: usize): bool {
  return load<u32>(at) === 0x6c6c756e;
}

/** The first newline before `end`; 0 if there is none. */
export function newlineIn(start: usize, end: usize): usize {
  const newline = i8x16.splat(NEWLINE);
  for (let p = start; p < end; p += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(p), newline));
    if (found === 0) continue;
    const at = p + ctz(found);
    return at < end ? at : 0;
  }
  return 0;
}

function isFalse(at: usize): bool {
  return load<u32>(at) === 0x736c6166 && load<u8>(at + 4) === 0x65;
}

export function afterValue(at: usize, depth: i32): usize {
  const c = load<u8>(at);
  if (c === QUOTE) return afterString(at + 1);
  if (c === OPEN_BRACE) return afterObject(at + 1, depth + 1);
  if (c === OPEN_BRACKET) return afterList(at + 1, depth + 1);
  if (c === MINUS || isDigit(c)) return afterNumber(at);
  if (isTrue(at) || isNull(at)) return at + 4;
  return isFalse(at) ? at + 5 : 0;
}

function afterObject(at: usize, depth: i32): usize {
  if (depth > MAX_DEPTH) return 0;
  let p = afterSpace(at);
  if (load<u8>(p) === CLOSE_BRACE) return p + 1;
  while (true) {
    if (load<u8>(p) !== QUOTE) return 0;
    p = afterString(p + 1);
    if (p === 0) return 0;
    p = afterSpace(p);
    if (load<u8>(p) !== COLON) return 0;
    p = afterValue(afterSpace(p + 1), depth);
    if (p === 0) return 0;
    p = afterSpace(p);
    const c = load<u8>(p);
    if (c !== COMMA) return c === CLOSE_BRACE ? p + 1 : 0;
    p = afterSpace(p + 1);
  }
}

function afterList(at: usize, depth: i32): usize {
  if (depth > MAX_DEPTH) return 0;
  let p = afterSpace(at);
  if (load<u8>(p) === CLOSE_BRACKET) return p + 1;
  while (true) {
    p = afterValue(p, depth);
    if (p === 0) return 0;
    p = afterSpace(p);
    const c = load<u8>(p);
    if (c !== COMMA) return c === CLOSE_BRACKET ? p + 1 : 0;
    p = afterSpace(p + 1);
  }
}
