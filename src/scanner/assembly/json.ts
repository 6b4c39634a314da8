/**
 * The grammar of JSON, as strict as JSON.parse. Each function takes a position and returns the one after what it passed
 * over; 0 where the bytes are not what they should be, or where that is doubtful. A newline or a zero byte follows every
 * line: nothing in a line contains one, so that no function has to compare its position with the end.
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

/** Whether the last string that was passed over contains a backslash. */
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
  const quote = i8x16.splat(0x22);
  const backslash = i8x16.splat(0x5c);
  const control = i8x16.splat(0x1f);
  let p = at;
  // The bytes of the present 16 that are not escaped by the ones before.
  let open: i32 = 0xffff;
  isEscaped = false;
  while (true) {
    const v = v128.load(p);
    const signs = v128.or(v128.or(i8x16.eq(v, quote), i8x16.eq(v, backslash)), i8x16.le_u(v, control));
    let found = i8x16.bitmask(signs) & open;
    open = 0xffff;
    while (found !== 0) {
      const sign = <i32>ctz(found);
      const c = load<u8>(p + sign);
      if (c === QUOTE) return p + sign + 1;
      if (c !== BACKSLASH || !isEscape(p + sign)) return 0;
      isEscaped = true;
      // Neither it nor the byte after it; digits are no signs.
      found &= ~(3 << sign);
      if (sign === 15) open = 0xfffe;
    }
    p += 16;
  }
}

/** Whether the backslash here begins an escape. */
function isEscape(at: usize): bool {
  switch (load<u8>(at + 1)) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return true;
    case SMALL_U:
      return isHex(load<u8>(at + 2)) && isHex(load<u8>(at + 3)) && isHex(load<u8>(at + 4)) && isHex(load<u8>(at + 5));
    default:
      return false;
  }
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
