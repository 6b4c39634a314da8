/** All strings that the reader remembers, without duplicates. Each is represented by its number. */

import { copyFew } from "../../../scanner/assembly/copies";
import { isSame } from "../../../scanner/assembly/names";
import { NONE, STRING_BYTES, STRING_CHARS, STRING_HASH, STRING_START, STRING_WORDS } from "../../readerLayout";
import { List } from "../lists";
import { giveBack, roomFor, zeros } from "../numbers";

/** Bytes are kept in blocks, so that growing never copies them. */
const BLOCK_BYTES: i32 = 1 << 16;
/** Bytes are copied 16 at a time, and compared eight. */
const MARGIN: i32 = 16;
const FEWEST: i32 = 1 << 10;

const MIXER: u64 = ((<u64>0xff51afd7) << 32) | 0xed558ccd;

let words = new List<u32>();
/** The numbers plus 1, at places given by their hashes; 0 for free ones. A power of two, at most half full. */
let places = zeros<u32>(FEWEST);
let room: i32 = FEWEST;
let interned: i32 = 0;
let free: usize = 0;
let freeEnd: usize = 0;
let seed: u64 = 0;
let factor: u64 = 0;

/** `secret`: unknown to writers of logs, so that nobody can make all strings collide. */
export function beginStrings(secret: u64): void {
  words = new List<u32>();
  places = zeros<u32>(FEWEST);
  room = FEWEST;
  interned = 0;
  free = freeEnd = 0;
  seed = secret ^ MIXER;
  factor = (secret << 1) | 1;
}

export function stringWord(string: i32, word: i32): u32 {
  return words.get(string * STRING_WORDS + word);
}

export function setStringWord(string: i32, word: i32, value: u32): void {
  words.set(string * STRING_WORDS + word, value);
}

export function startOf(string: i32): usize {
  return <usize>stringWord(string, STRING_START);
}

export function bytesOf(string: i32): i32 {
  return stringWord(string, STRING_BYTES);
}

/** The string with these bytes; `NONE` if unknown. */
export function findString(start: usize, end: usize): i32 {
  const bytes = <i32>(end - start);
  return <i32>places[placeOf(start, bytes, hashOf(start, bytes))] - 1;
}

/** The same; adds an unknown one. `chars`: its UTF-16 characters. */
export function intern(start: usize, end: usize, chars: i32): i32 {
  const bytes = <i32>(end - start);
  const hash = hashOf(start, bytes);
  let place = placeOf(start, bytes, hash);
  const known = <i32>places[place] - 1;
  if (known !== NONE) return known;
  if (2 * interned >= room) {
    grow();
    place = placeOf(start, bytes, hash);
  }
  interned++;
  const string = addString(start, end, chars);
  setStringWord(string, STRING_HASH, hash);
  places[place] = string + 1;
  return string;
}

/** The string with the bytes of one that was added without a lookup: that one, if it is the first. */
export function internString(string: i32): i32 {
  const bytes = bytesOf(string);
  const hash = hashOf(startOf(string), bytes);
  if (2 * interned >= room) grow();
  const place = placeOf(startOf(string), bytes, hash);
  const known = <i32>places[place] - 1;
  if (known !== NONE) return known;
  interned++;
  setStringWord(string, STRING_HASH, hash);
  places[place] = string + 1;
  return string;
}

/** Adds one without a lookup: times and uuids are hardly ever repeated. */
export function addString(start: usize, end: usize, chars: i32): i32 {
  const string = words.extend(STRING_WORDS) / STRING_WORDS;
  setStringWord(string, STRING_START, <u32>kept(start, end - start));
  setStringWord(string, STRING_BYTES, <u32>(end - start));
  setStringWord(string, STRING_CHARS, chars);
  return string;
}

function kept(start: usize, bytes: usize): usize {
  if (freeEnd - free < bytes) {
    const block = max<i32>(BLOCK_BYTES, <i32>bytes + MARGIN);
    free = changetype<usize>(roomFor<u8>(block));
    freeEnd = free + block - MARGIN;
  }
  const at = free;
  copyFew(at, start, bytes);
  free += bytes;
  return at;
}

function placeOf(start: usize, bytes: i32, hash: u32): i32 {
  const mask = room - 1;
  let place = <i32>hash & mask;
  while (true) {
    const known = <i32>places[place] - 1;
    if (known === NONE) return place;
    const isEqual = stringWord(known, STRING_HASH) === hash && bytesOf(known) === bytes;
    if (isEqual && isSame(startOf(known), start, bytes)) return place;
    place = (place + 1) & mask;
  }
}

function grow(): void {
  const before = places;
  const length = room;
  room *= 2;
  places = zeros<u32>(room);
  const mask = room - 1;
  for (let from = 0; from < length; from++) {
    const known = before[from];
    if (known === 0) continue;
    let place = <i32>stringWord(<i32>known - 1, STRING_HASH) & mask;
    while (places[place] !== 0) place = (place + 1) & mask;
    places[place] = known;
  }
  giveBack<u32>(before, length);
}

function hashOf(start: usize, bytes: i32): u32 {
  let hash = seed ^ <u64>bytes;
  let left = bytes;
  let p = start;
  for (; left >= 8; left -= 8) {
    hash = (hash ^ load<u64>(p)) * factor;
    hash ^= hash >> 32;
    p += 8;
  }
  if (left > 0) {
    const mask = ((<u64>1) << (<u64>left * 8)) - 1;
    hash = (hash ^ (load<u64>(p) & mask)) * factor;
    hash ^= hash >> 32;
  }
  hash *= MIXER;
  return <u32>(hash >> 32);
}

/** The UTF-16 characters of a string in UTF-8. */
export function charsIn(start: usize, end: usize): i32 {
  let chars = 0;
  for (let p = start; p < end; p++) {
    const byte = load<u8>(p);
    if ((byte & 0xc0) !== 0x80) chars++;
    if (byte >= 0xf0) chars++;
  }
  return chars;
}
