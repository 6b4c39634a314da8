/** Why nothing hit, and how results relate to their files: src/inspect/gates.ts and gateFigures.ts. */
import {
  GATE_BYTES,
  GATE_COUNTS,
  GATE_ENTRY_BYTES,
  GATE_ORDER,
  GATE_OVERLAPPING,
  GATE_OVERLAPPING_TOKENS,
  GATE_READS,
  GATE_REREADS,
  GATE_RESULTS,
  GATE_SEEN,
  GATE_STALE,
  GATE_STALE_TOKENS,
  GATE_TOKENS,
  LARGE_BYTES,
  LARGE_CONTEXT,
  LARGE_GATE,
  LARGE_ROW,
  ROW_CHARS,
  ROW_PARTITION,
  ROW_RANGE_FROM,
  ROW_RANGE_LINES,
  ROW_WORDS,
} from "../layout";
import { add, Pages, Room, word } from "./memory";

export const gates = new Pages(GATE_ENTRY_BYTES);
export const tools = new Pages(GATE_ENTRY_BYTES);
export const files = new Pages(GATE_ENTRY_BYTES);

/** The gates that are determined here. */
let gateOfNew: i32 = 0;
let gateOfOtherRange: i32 = 0;
let gateOfChanged: i32 = 0;

export function setGates(isNew: i32, otherRange: i32, changed: i32): void {
  gateOfNew = isNew;
  gateOfOtherRange = otherRange;
  gateOfChanged = changed;
}

/** A read in the context, in its file's list; in row order. */
const READ_WORDS: i32 = 4;
const READ_ROW: i32 = 0;
/** The next one of the same file, plus 1. */
const READ_NEXT: i32 = 1;
/** Whether the file has not changed since. */
const READ_FRESH: i32 = 2;
const readRoom = new Room();
const fileRoom = new Room();
let reads: usize = 0;
let readCount: i32 = 0;
/** By file of the context, the first and the last read, plus 1. */
let lists: usize = 0;
let rows: usize = 0;

/** Begins a context. */
export function beginReads(newRows: usize, rowCount: i32, fileCount: i32): void {
  rows = newRows;
  readCount = 0;
  reads = readRoom.take(rowCount * READ_WORDS * 4);
  lists = fileRoom.zeros(fileCount * 8);
}

/** How the result relates to its file. */
export class FileUse {
  read: bool = false;
  reread: bool = false;
  overlapping: bool = false;
}

function put(read: i32, field: i32, value: u32): void {
  store<u32>(reads + ((<usize>(read * READ_WORDS + field)) << 2), value);
}

function readAt(read: i32, field: i32): u32 {
  return word(reads, read * READ_WORDS + field);
}

function rowAt(row: i32): usize {
  return rows + ((<usize>(row * ROW_WORDS)) << 2);
}

/** A Read of lines of a file, `file` counted from 0; returns its gate. */
export function takeRead(row: i32, file: i32, ordinary: i32, use: FileUse): i32 {
  const list = lists + ((<usize>file) << 3);
  const cells = rowAt(row);
  const partition = word(cells, ROW_PARTITION);
  const from = word(cells, ROW_RANGE_FROM);
  const lines = word(cells, ROW_RANGE_LINES);
  const first = load<i32>(list);
  let isSame = false;
  use.read = true;
  use.reread = first !== 0;
  for (let read = first; read !== 0; read = readAt(read - 1, READ_NEXT)) {
    const earlier = rowAt(readAt(read - 1, READ_ROW));
    const earlierFrom = word(earlier, ROW_RANGE_FROM);
    const earlierLines = word(earlier, ROW_RANGE_LINES);
    if (earlierFrom === from && earlierLines === lines) isSame = true;
    if (use.overlapping || word(earlier, ROW_PARTITION) !== partition) continue;
    use.overlapping = <u64>earlierFrom < endOf(from, lines) && <u64>from < endOf(earlierFrom, earlierLines);
  }
  const read = readCount++;
  put(read, READ_ROW, row);
  put(read, READ_NEXT, 0);
  put(read, READ_FRESH, 1);
  const last = load<i32>(list, 4);
  if (last === 0) store<i32>(list, read + 1);
  else put(last - 1, READ_NEXT, read + 1);
  store<i32>(list, read + 1, 4);
  if (ordinary !== gateOfNew || first === 0) return ordinary;
  return isSame ? gateOfChanged : gateOfOtherRange;
}

/** Without a limit, a Read is assumed to go on to the file's end. */
function endOf(from: u32, lines: u32): u64 {
  return lines === 0 ? u64.MAX_VALUE : <u64>from + <u64>lines;
}

/** The file was changed: what the model has read from it is stale. `sums`: the file's, 0 if they do not count. */
export function makeStale(row: i32, file: i32, sums: usize, charsPerToken: f64): void {
  const partition = word(rowAt(row), ROW_PARTITION);
  for (let read = load<i32>(lists + ((<usize>file) << 3)); read !== 0; read = readAt(read - 1, READ_NEXT)) {
    const cells = rowAt(readAt(read - 1, READ_ROW));
    if (readAt(read - 1, READ_FRESH) === 0 || word(cells, ROW_PARTITION) !== partition) continue;
    put(read - 1, READ_FRESH, 0);
    if (sums === 0) continue;
    add(sums, GATE_STALE, 1);
    add(sums, GATE_STALE_TOKENS, <f64>word(cells, ROW_CHARS) / charsPerToken);
  }
}

/** Adds a result to the sums of its gate, its tool or its file. */
export function addGate(to: usize, gate: i32, bytes: f64, tokens: f64): void {
  add(to, GATE_RESULTS, 1);
  add(to, GATE_BYTES, bytes);
  add(to, GATE_TOKENS, tokens);
  const counts = to + GATE_COUNTS + ((<usize>gate) << 2);
  const count = load<u32>(counts);
  store<u32>(counts, count + 1);
  if (count > 0) return;
  const seen = load<u32>(to, GATE_SEEN);
  store<u8>(to + GATE_ORDER + seen, <u8>gate);
  store<u32>(to, seen + 1, GATE_SEEN);
}

export function addUse(to: usize, use: FileUse, tokens: f64): void {
  if (use.read) add(to, GATE_READS, 1);
  if (use.reread) add(to, GATE_REREADS, 1);
  if (!use.overlapping) return;
  add(to, GATE_OVERLAPPING, 1);
  add(to, GATE_OVERLAPPING_TOKENS, tokens);
}

/** The largest numbers seen, and the minimum of them once there are enough. */
class Largest {
  values: StaticArray<f64>;
  count: i32 = 0;

  constructor(public length: i32) {
    this.values = new StaticArray<f64>(length);
  }

  /** Smaller ones cannot be among the largest. */
  get smallest(): f64 {
    return this.count < this.length ? 0 : this.values[this.length - 1];
  }

  take(value: f64): void {
    if (this.count === this.length && value <= this.smallest) return;
    let at = this.count < this.length ? this.count++ : this.length - 1;
    for (; at > 0 && this.values[at - 1] < value; at--) this.values[at] = this.values[at - 1];
    this.values[at] = value;
  }
}

let listLength: i32 = 0;
let largest = new Largest(0);
let large = new StaticArray<u8>(0);
export let largeCount: i32 = 0;

export function beginLargest(length: i32): void {
  listLength = length;
  largest = new Largest(length);
  large = new StaticArray<u8>(4 * length * LARGE_BYTES);
}

export function largeResults(): usize {
  return changetype<usize>(large);
}

/** Keeps it as long as it may be one of the largest; the caller sorts ties, by name. */
export function keepLarge(context: i32, row: i32, gate: i32, tokens: f64): void {
  if (tokens < largest.smallest) return;
  largest.take(tokens);
  if ((largeCount + 1) * LARGE_BYTES > large.length) dropSmall();
  const at = largeResults() + <usize>(largeCount++ * LARGE_BYTES);
  store<f64>(at, tokens);
  store<i32>(at, context, LARGE_CONTEXT);
  store<i32>(at, row, LARGE_ROW);
  store<i32>(at, gate, LARGE_GATE);
}

/** Makes room by dropping results that are no longer among the largest. */
function dropSmall(): void {
  const from = largeResults();
  let kept = 0;
  for (let at = 0; at < largeCount; at++) {
    const one = from + <usize>(at * LARGE_BYTES);
    if (load<f64>(one) < largest.smallest) continue;
    memory.copy(from + <usize>(kept++ * LARGE_BYTES), one, LARGE_BYTES);
  }
  largeCount = kept;
  if (2 * kept * LARGE_BYTES <= large.length) return;
  const larger = new StaticArray<u8>(2 * large.length);
  memory.copy(changetype<usize>(larger), from, kept * LARGE_BYTES);
  large = larger;
}

let found = new StaticArray<i32>(0);

/** Finds the entries with the largest numbers, and all ties with the last of them; returns how many. */
export function findLargest(among: Pages, by: i32): i32 {
  const best = new Largest(listLength);
  for (let index = 0; index < among.count; index++) best.take(load<f64>(among.at(index) + ((<usize>by) << 3)));
  if (found.length < among.count) found = new StaticArray<i32>(among.count);
  let count = 0;
  for (let index = 0; index < among.count; index++) {
    const value = load<f64>(among.at(index) + ((<usize>by) << 3));
    if (value > 0 && value >= best.smallest) found[count++] = index;
  }
  return count;
}

export function foundEntries(): usize {
  return changetype<usize>(found);
}
