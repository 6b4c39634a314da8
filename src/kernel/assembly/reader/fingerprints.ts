/** The fingerprints of texts, which identify them. */
import * as Host from "./host";
import { intern } from "./strings";

/** False if only the kernel gets fingerprints: any hash that differs for different texts will do. */
let arePublic: bool = true;
/** Whether the wrapper compares texts that may be JSON objects. */
let areCompared: bool = false;
let key: u64 = 0;
let otherKey: u64 = 0;
/** In hexadecimal digits, like the public ones: the wrapper requests fingerprints of its own texts, as strings. */
const DIGITS: i32 = 32;
const digits: usize = memory.data(DIGITS, 16);

/** The keys are secret, so that nobody can write a log with two texts that count as one. */
export function beginFingerprints(isPublic: bool, compares: bool, newKey: u64, newOtherKey: u64): void {
  arePublic = isPublic;
  areCompared = compares;
  key = newKey;
  otherKey = newOtherKey;
}

/** The string that identifies a result's text. `context`: its id. */
export function fingerprintAt(start: usize, end: usize, context: i32, uuid: i32): i32 {
  const fingerprint = arePublic ? Host.fingerprint(start, end) : ownFingerprint(start, end);
  if (areCompared && mayBeObject(start, end)) Host.takeText(start, end, fingerprint, context, uuid);
  return fingerprint;
}

/** A quick check for most texts: after a non-ASCII character, which may be white space, the wrapper decides. */
function mayBeObject(start: usize, end: usize): bool {
  for (let p = start; p < end; p++) {
    const byte = load<u8>(p);
    if (byte >= 0x80) return true;
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return byte === 0x7b;
  }
  return false;
}

/** The same if only the kernel gets it. */
export function ownFingerprint(start: usize, end: usize): i32 {
  hashText(start, end);
  return intern(digits, digits + DIGITS, DIGITS);
}

/** Combines two halves. */
function whole(high: u32, low: u32): u64 {
  return ((<u64>high) << 32) | <u64>low;
}

function putDigits(number: u64, at: usize): void {
  for (let digit = 0; digit < 16; digit++) {
    const value = <u8>(number >> (<u64>digit * 4)) & 15;
    store<u8>(at + digit, value + (value < 10 ? 0x30 : 0x57));
  }
}

/** SipHash-1-3 with 128 bits: for small texts, and before V8 has optimized anything, far faster than SHA-256. */
function hashText(start: usize, end: usize): void {
  let v0 = key ^ whole(0x736f6d65, 0x70736575);
  let v1 = otherKey ^ whole(0x646f7261, 0x6e646f6d) ^ 0xee;
  let v2 = key ^ whole(0x6c796765, 0x6e657261);
  let v3 = otherKey ^ whole(0x74656462, 0x79746573);
  let p = start;
  let isPadded = false;
  // After the words of the text, there are two more steps, each of which produces half of the digest.
  let half = 0;
  while (half < 2) {
    let word: u64 = 0;
    let rounds = 1;
    if (p + 8 <= end) {
      word = load<u64>(p);
      p += 8;
    } else if (!isPadded) {
      isPadded = true;
      word = load<u64>(p) & (((<u64>1) << (<u64>(end - p) * 8)) - 1);
      word |= (<u64>(end - start)) << 56;
    } else {
      if (half === 0) v2 ^= 0xee;
      else v1 ^= 0xdd;
      rounds = 3;
    }
    v3 ^= word;
    for (let round = 0; round < rounds; round++) {
      v0 += v1;
      v2 += v3;
      v1 = rotl(v1, 13) ^ v0;
      v3 = rotl(v3, 16) ^ v2;
      v0 = rotl(v0, 32) + v3;
      v2 += v1;
      v1 = rotl(v1, 17) ^ v2;
      v3 = rotl(v3, 21) ^ v0;
      v2 = rotl(v2, 32);
    }
    v0 ^= word;
    if (rounds === 3) putDigits(v0 ^ v1 ^ v2 ^ v3, digits + 16 * half++);
  }
}
