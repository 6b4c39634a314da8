/** Facts as numbers, tables of lines and names: src/kernel/factPacker.ts. */

import { cutText } from "../../../scanner/assembly/cut";
import { tableStart } from "../../../scanner/assembly/room";
import { isText } from "../../../scanner/assembly/values";
import { FLAG_BITS, HAS_ODD_SPACE, MAY_HOLD_DIFF, MAY_HOLD_MATCHES } from "../../../scanner/layout";
import { ABSENT, IS_NAME, IS_PLAIN, IS_SHELL, IS_UNSHARED, NAME_FLAG_BITS } from "../../layout";
import { STRING_CHARS, STRING_NAME, STRING_TEXT } from "../../readerLayout";
import { CELLS } from "../lines";
import { List } from "../lists";
import { addName } from "../names";
import { cutLong } from "./host";
import { addString, bytesOf, setStringWord, startOf, stringWord } from "./strings";

/** No part of a fact is longer, except lists. */
const MARGIN: i32 = 64;
const MANY_NUMBERS: i32 = 1 << 15;
const MANY_CELLS: i32 = 1 << 18;

export let numbers = new List<f64>();
export let cells = new List<u32>();
/** By name, its string. */
export let nameStrings = new List<i32>();
/** The first name of the current chunk, and the characters of its names. */
export let firstName: i32 = 0;
let chars: i32 = 0;
/** False if only the kernel gets the facts: anything it does not need is omitted. */
export let keepsAll: bool = false;
/** The time of the newest fact. */
let time: i32 = ABSENT;
let timeName: i32 = ABSENT;

export function beginFacts(keepAll: bool): void {
  numbers = new List<f64>();
  cells = new List<u32>();
  nameStrings = new List<i32>();
  firstName = chars = 0;
  keepsAll = keepAll;
  time = timeName = ABSENT;
}

export function areMany(): bool {
  return numbers.length > MANY_NUMBERS || cells.length > MANY_CELLS;
}

export function beginChunk(): void {
  numbers.length = cells.length = 0;
  firstName = nameStrings.length;
  chars = 0;
}

export function reserve(): void {
  numbers.reserve(numbers.length + MARGIN);
}

/** Only after `reserve`. */
export function put(number: f64): void {
  store<f64>(numbers.address + ((<usize>numbers.length) << 3), number);
  numbers.length++;
}

/** A name that a hint may use: an id, a tool, a target or a member of an input. */
export function nameOf(string: i32): i32 {
  const known = stringWord(string, STRING_NAME);
  if (known !== 0) return <i32>known - 1;
  const start = startOf(string);
  const bytes = bytesOf(string);
  const end = start + bytes;
  const isShell = isText(start, end, "Bash") || isText(start, end, "PowerShell");
  const flags = IS_NAME | (isPlain(start, end) ? IS_PLAIN : 0) | (isShell ? IS_SHELL : 0);
  const name = mentioned(string, (bytes << NAME_FLAG_BITS) | flags);
  setStringWord(string, STRING_NAME, name + 1);
  return name;
}

/** Any other name. */
export function textOf(string: i32): i32 {
  const known = stringWord(string, STRING_TEXT);
  if (known !== 0) return <i32>known - 1;
  const name = mentioned(string, 0);
  setStringWord(string, STRING_TEXT, name + 1);
  return name;
}

/** A time between two addresses, in ASCII. `start`: 0 if there is none. */
export function nameOfTime(start: usize, end: usize): i32 {
  if (!keepsAll || start === 0) {
    time = timeName = ABSENT;
    return ABSENT;
  }
  if (!isPresentTime(start, end)) mentionTime(addString(start, end, <i32>(end - start)));
  return timeName;
}

function isPresentTime(start: usize, end: usize): bool {
  const bytes = <i32>(end - start);
  return time !== ABSENT && bytesOf(time) === bytes && memory.compare(startOf(time), start, bytes) === 0;
}

function mentionTime(string: i32): void {
  time = string;
  timeName = mentioned(string, IS_UNSHARED);
}

/** The same for a time that is already a string. */
export function nameOfTimeString(string: i32): i32 {
  const start = startOf(string);
  if (!isPresentTime(start, start + bytesOf(string))) mentionTime(string);
  return timeName;
}

/** Uuids are hardly ever repeated. */
export function nameOfUuid(string: i32): i32 {
  return keepsAll ? mentioned(string, IS_UNSHARED) : ABSENT;
}

export function mentioned(string: i32, bytes: i32): i32 {
  const length = <i32>stringWord(string, STRING_CHARS);
  nameStrings.push(string);
  const name = addName(chars, length, bytes);
  chars += length;
  return name;
}

/** `isPlain` in src/dedup/runs/runIndex.ts. */
function isPlain(start: usize, end: usize): bool {
  for (let p = start; p < end; p++) {
    const c = load<u8>(p);
    const isLetter = <u32>(c | 0x20) - 0x61 < 26;
    // Dashes, dots, digits and colons; underscores.
    const isOther = (c >= 0x30 && c <= 0x3a) || c === 0x2d || c === 0x2e || c === 0x5f;
    if (!isLetter && !isOther) return false;
  }
  return end > start;
}

/** Shorter texts contain no runs: see src/dedup/digest.ts. */
export const MIN_TEXT_CHARS: i32 = 17;

/** What is known about the text split last. */
export let mayHoldDiff: bool = false;
export let mayHoldMatches: bool = false;
export let isUncertain: bool = false;

/** Splits a text, keeps its lines and puts their number of cells. */
export function putLines(start: usize, end: usize, length: i32): void {
  if (length < MIN_TEXT_CHARS) return put(ABSENT);
  const cut = cutText(start, end);
  isUncertain = cut < 0 || (cut & HAS_ODD_SPACE) !== 0;
  if (cut < 0) return put(cutLong(start, end));
  mayHoldDiff = (cut & MAY_HOLD_DIFF) !== 0;
  mayHoldMatches = (cut & MAY_HOLD_MATCHES) !== 0;
  const count = (cut >>> FLAG_BITS) * CELLS;
  const first = cells.length;
  cells.reserve(first + count);
  memory.copy(cells.address + ((<usize>first) << 2), tableStart(), (<usize>count) << 2);
  cells.length = first + count;
  put(count);
}
