/** Unescapes strings, in UTF-8. */
import { BACKSLASH } from "./json";

/** The UTF-16 characters of everything unescaped since this was reset. */
export let chars: u32 = 0;

export function startCounting(): void {
  chars = 0;
}

/**
 * Unescapes a valid JSON string and returns the address after it. 0 if its UTF-8 is invalid, or if it contains an
 * unpaired surrogate: JavaScript turns these into other characters.
 */
export function decodeString(start: usize, end: usize, to: usize): usize {
  const backslash = i8x16.splat(0x5c);
  let p = start;
  let q = to;
  while (p < end) {
    const v = v128.load(p);
    v128.store(q, v);
    // A set sign bit: not ASCII.
    const found = i8x16.bitmask(v128.or(v, i8x16.eq(v, backslash))) | 0x10000;
    const length = min<usize>(ctz(found), end - p);
    p += length;
    q += length;
    chars += <u32>length;
    if (p >= end || length === 16) continue;
    if (load<u8>(p) === BACKSLASH) {
      if (load<u8>(p + 1) === 0x75) {
        const unit = hexUnit(p + 2);
        p += 6;
        if ((unit & 0xf800) === 0xd800) {
          const next = load<u16>(p) === 0x755c && p < end ? hexUnit(p + 2) : 0;
          if (unit >= 0xdc00 || (next & 0xfc00) !== 0xdc00) return 0;
          p += 6;
          q = putPoint(q, 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff));
        } else q = putPoint(q, unit);
      } else {
        store<u8>(q, escaped(load<u8>(p + 1)));
        q++;
        p += 2;
        chars++;
      }
      continue;
    }
    do {
      const bytes = sequenceLength(p);
      if (bytes === 0) return 0;
      // Always writes four bytes, so that one store is enough.
      store<u32>(q, load<u32>(p));
      p += bytes;
      q += bytes;
      chars += bytes === 4 ? 2 : 1;
    } while (p < end && load<u8>(p) >= 0x80);
  }
  return q;
}

function escaped(c: u8): u8 {
  switch (c) {
    case 0x6e:
      return 0x0a;
    case 0x74:
      return 0x09;
    case 0x72:
      return 0x0d;
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    default:
      return c;
  }
}

function hexUnit(at: usize): u32 {
  let unit: u32 = 0;
  for (let p = at; p < at + 4; p++) {
    const c = <u32>load<u8>(p);
    unit = (unit << 4) | (c <= 0x39 ? c - 0x30 : (c | 0x20) - 0x57);
  }
  return unit;
}

function putPoint(at: usize, point: u32): usize {
  chars++;
  if (point < 0x80) {
    store<u8>(at, point);
    return at + 1;
  }
  if (point < 0x800) {
    store<u8>(at, 0xc0 | (point >> 6));
    store<u8>(at + 1, 0x80 | (point & 63));
    return at + 2;
  }
  if (point < 0x10000) {
    store<u8>(at, 0xe0 | (point >> 12));
    store<u8>(at + 1, 0x80 | ((point >> 6) & 63));
    store<u8>(at + 2, 0x80 | (point & 63));
    return at + 3;
  }
  chars++;
  store<u8>(at, 0xf0 | (point >> 18));
  store<u8>(at + 1, 0x80 | ((point >> 12) & 63));
  store<u8>(at + 2, 0x80 | ((point >> 6) & 63));
  store<u8>(at + 3, 0x80 | (point & 63));
  return at + 4;
}

/** The length of the UTF-8 sequence that begins here with a byte above 0x7f; 0 if it is invalid. */
export function sequenceLength(at: usize): usize {
  const lead = load<u8>(at);
  const second = load<u8>(at + 1);
  if (lead < 0xc2 || lead > 0xf4 || !isContinuation(second)) return 0;
  if (lead < 0xe0) return 2;
  if (!isContinuation(load<u8>(at + 2))) return 0;
  // Neither an overlong form nor a surrogate.
  if (lead < 0xf0) return (lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f) ? 0 : 3;
  if (!isContinuation(load<u8>(at + 3))) return 0;
  return (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f) ? 0 : 4;
}

function isContinuation(c: u8): bool {
  return (c & 0xc0) === 0x80;
}

/** Whether there is neither an escape nor a byte above 0x7f. */
export function isPlainAscii(start: usize, end: usize): bool {
  const backslash = i8x16.splat(0x5c);
  for (let p = start; p < end; p += 16) {
    const v = v128.load(p);
    const found = i8x16.bitmask(v128.or(v, i8x16.eq(v, backslash))) | 0x10000;
    if (<usize>ctz(found) < min<usize>(16, end - p)) return false;
  }
  return true;
}
