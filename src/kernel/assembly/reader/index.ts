/** What the wrapper of the reader (src/kernel/compiledReader.ts) calls. */
import { readLineBefore } from "../../../scanner/assembly/line";
import { useRoom } from "../../../scanner/assembly/room";
import { IS_FULL, NO_LINE, RARE_LINE } from "../../readerLayout";
import { addressOfName } from "../names";
import * as Facts from "./facts";
import { beginFingerprints, ownFingerprint } from "./fingerprints";
import { setNeeds } from "./header";
import { beginLineIndexes } from "./lineIndex";
import { addContext, beginMemory, callAt, callCount, callWith, contextAt, contextCount, placeOfCall } from "./memory";
import {
  beginNotes,
  firstAt,
  lastAt,
  notes,
  takeInterruptions,
  takeNotes,
  takePrompts,
  takeTitle,
  titleAt,
} from "./notes";
import { beginReader, hooked, takeLine } from "./reader";
import { addResultUuid, beginResultLines, findResultLines, resultLinesAt } from "./resultLines";
import { addString, beginStrings, bytesOf, charsIn, intern, setStringWord, startOf, stringWord } from "./strings";

export {
  addContext as openContext,
  addResultUuid,
  callAt,
  callCount,
  callWith,
  contextCount as openContexts,
  findResultLines,
  firstAt,
  hooked,
  lastAt,
  placeOfCall,
  resultLinesAt,
  setNeeds,
  setStringWord,
  stringWord,
  takeInterruptions,
  takeNotes,
  takePrompts,
  takeTitle,
  titleAt,
};

/** Chunks, texts and tables of lines: see src/scanner/assembly/room.ts. */
const TABLE_BYTES: usize = 6 << 20;

let room: usize = 0;
let at: usize = 0;
let limit: usize = 0;
let start: usize = 0;
let lines: i32 = 0;
let offset: f64 = 0;
/** Where the wrapper puts strings. */
let scratch = new StaticArray<u8>(0);

/** Begins to read a log, after `begin`. `bytes`: the maximum size of a chunk. Returns where to put chunks. */
export function beginReading(bytes: i32, secret: i32, otherSecret: i32, keepAll: bool, comparesTexts: bool): usize {
  const key = ((<u64>secret) << 32) | (<u64>otherSecret & 0xffffffff);
  room = useRoom(heap.alloc(3 * <usize>bytes + TABLE_BYTES), bytes);
  lines = 0;
  offset = 0;
  scratch = new StaticArray<u8>(1 << 10);
  beginStrings(key);
  beginFingerprints(keepAll, comparesTexts, key, rotl(key, 32) ^ key);
  beginLineIndexes(secret ^ otherSecret);
  beginMemory();
  beginNotes();
  beginResultLines();
  Facts.beginFacts(keepAll);
  return room;
}

/** `agent`: the subagent whose own file it is, or `NONE`. */
export function beginContexts(agent: i32, main: i32, sidechain: i32, nothing: i32): void {
  beginReader(agent, main, sidechain, nothing);
}

/** This many bytes have been put there. */
export function loaded(bytes: i32): void {
  at = room;
  limit = room + bytes;
}

/** Reads lines, and returns why it stopped. */
export function readLines(): i32 {
  while (!Facts.areMany()) {
    start = at;
    const end = readLineBefore(at, limit);
    if (end === 0) return NO_LINE;
    at = end + 1;
    lines++;
    const lineOffset = offset;
    offset += <f64>(at - start);
    if (!takeLine(lines, lineOffset)) return RARE_LINE;
  }
  return IS_FULL;
}

/** The start of the line found last, and of the next one. */
export function lineStart(): usize {
  return start;
}

export function nextStart(): usize {
  return at;
}

export function lineCount(): i32 {
  return lines;
}

export function bytesTaken(): f64 {
  return offset;
}

/** A line of this length was read elsewhere. */
export function passLine(bytes: f64): void {
  lines++;
  offset += bytes;
}

export function scratchFor(bytes: i32): usize {
  if (bytes + 16 > scratch.length) scratch = new StaticArray<u8>(max<i32>(bytes + 16, 2 * scratch.length));
  return changetype<usize>(scratch);
}

/** The string of this length that the wrapper has put there. */
export function stringOf(bytes: i32): i32 {
  const from = changetype<usize>(scratch);
  return intern(from, from + bytes, charsIn(from, from + bytes));
}

export function newString(bytes: i32): i32 {
  const from = changetype<usize>(scratch);
  return addString(from, from + bytes, charsIn(from, from + bytes));
}

/** The fingerprint of a text that the wrapper has put there, if only the kernel gets fingerprints. */
export function fingerprintOf(bytes: i32): i32 {
  const from = changetype<usize>(scratch);
  return ownFingerprint(from, from + bytes);
}

export function nameOf(string: i32): i32 {
  return Facts.nameOf(string);
}

export function textOf(string: i32): i32 {
  return Facts.textOf(string);
}

export function nameOfUuid(string: i32): i32 {
  return Facts.nameOfUuid(string);
}

/** The time of a fact; negative if none. */
export function nameOfTime(string: i32): i32 {
  return string < 0 ? Facts.nameOfTime(0, 0) : Facts.nameOfTimeString(string);
}

/** Makes room for numbers, and for cells, which the wrapper fills in. */
export function addNumbers(count: i32): usize {
  const first = Facts.numbers.extend(count);
  return Facts.numbers.address + ((<usize>first) << 3);
}

export function addCells(count: i32): usize {
  const first = Facts.cells.extend(count);
  return Facts.cells.address + ((<usize>first) << 2);
}

export function numbersAt(): usize {
  return Facts.numbers.address;
}

export function numberCount(): i32 {
  return Facts.numbers.length;
}

export function cellsAt(): usize {
  return Facts.cells.address;
}

export function cellCount(): i32 {
  return Facts.cells.length;
}

export function nameStringsAt(): usize {
  return Facts.nameStrings.address;
}

export function nameCount(): i32 {
  return Facts.nameStrings.length;
}

export function nameWordsAt(): usize {
  return addressOfName(Facts.firstName);
}

export function firstName(): i32 {
  return Facts.firstName;
}

/** Copies the bytes of the chunk's names to the wrapper's buffer for strings, and returns their number. */
export function gatherNames(): i32 {
  const names = Facts.nameStrings;
  let bytes = 0;
  for (let name = Facts.firstName; name < names.length; name++) bytes += bytesOf(names.get(name));
  let to = scratchFor(bytes);
  for (let name = Facts.firstName; name < names.length; name++) {
    const string = names.get(name);
    memory.copy(to, startOf(string), bytesOf(string));
    to += bytesOf(string);
  }
  return bytes;
}

/** The address of a context's numbers. */
export function contextNumbers(which: i32): usize {
  return changetype<usize>(contextAt(which).numbers);
}

export function contextHasResult(which: i32, id: i32): bool {
  return contextAt(which).hasResult(id);
}

export function contextAddResult(which: i32, id: i32): void {
  contextAt(which).addResult(id);
}

export function contextResultsAt(which: i32): usize {
  return contextAt(which).results.address;
}

export function contextResults(which: i32): i32 {
  return contextAt(which).results.length;
}

export function contextSamplesAt(which: i32): usize {
  return contextAt(which).samples.address;
}

export function contextSamples(which: i32): i32 {
  return contextAt(which).samples.length;
}

export function contextRequest(which: i32, model: i32, input: f64, output: f64): void {
  contextAt(which).request(model, input, output);
}

export function indexLine(which: i32, high: i32, low: i32): i32 {
  return contextAt(which).index.lineOf(high, low);
}

export function indexNode(which: i32, high: i32, low: i32): i32 {
  return contextAt(which).index.nodeOf(high, low);
}

export function indexPut(which: i32, high: i32, low: i32, line: i32, node: i32): void {
  contextAt(which).index.put(high, low, line, node);
}

/** The entries of an index, including free ones, and their number of words. */
export function indexAt(which: i32): usize {
  return changetype<usize>(contextAt(which).index.words);
}

export function indexWords(which: i32): i32 {
  return contextAt(which).index.length;
}

export function notesAt(): usize {
  return notes.address;
}
