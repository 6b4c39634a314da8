/** What the reader notes of a log besides its facts, until the wrapper asks. */
import { NONE } from "../../readerLayout";
import { List } from "../lists";

/** Longer times are left to the wrapper. */
export const MAX_TIME_BYTES: usize = 64;

/** The first and the last time: how many bytes they have, and these. */
export const firstAt: usize = memory.data(8 + <i32>MAX_TIME_BYTES, 16);
export const lastAt: usize = memory.data(8 + <i32>MAX_TIME_BYTES, 16);

/** What lines say to the header: see `NOTE_WORDS`. */
export let notes = new List<i32>();
/** The newest title: its bytes, and how many there are. Titles are written again and again. */
let title = new StaticArray<u8>(0);
let titleBytes: i32 = NONE;
let prompts: i32 = 0;
let interruptions: i32 = 0;

/** The uuids of results that nobody has asked for yet, as strings, and their lines. */
export let resultUuids = new List<i32>();

export function beginNotes(): void {
  store<i32>(firstAt, NONE);
  store<i32>(lastAt, NONE);
  notes = new List<i32>();
  title = new StaticArray<u8>(0);
  titleBytes = NONE;
  prompts = interruptions = 0;
  resultUuids = new List<i32>();
}

/** `start`: 0 where the line does not say. */
export function noteTime(start: usize, end: usize): void {
  if (start === 0) return;
  if (load<i32>(firstAt) === NONE || compared(start, end, firstAt) < 0) keepTime(start, end, firstAt);
  if (load<i32>(lastAt) === NONE || compared(start, end, lastAt) > 0) keepTime(start, end, lastAt);
}

function compared(start: usize, end: usize, noted: usize): i32 {
  const length = <i32>(end - start);
  const other = load<i32>(noted);
  const difference = memory.compare(start, noted + 8, min<i32>(length, other));
  return difference === 0 ? length - other : difference;
}

function keepTime(start: usize, end: usize, noted: usize): void {
  store<i32>(noted, <i32>(end - start));
  memory.copy(noted + 8, start, end - start);
}

export function addResultUuid(uuid: i32, line: i32): void {
  resultUuids.push(uuid);
  resultUuids.push(line);
}

export function note(what: i32, string: i32 = NONE, other: i32 = NONE): void {
  notes.push(what);
  notes.push(string);
  notes.push(other);
}

export function noteTitle(start: usize, end: usize): void {
  titleBytes = <i32>(end - start);
  if (titleBytes > title.length) title = new StaticArray<u8>(2 * titleBytes);
  memory.copy(titleAt(), start, titleBytes);
}

export function notePrompt(isInterruption: bool): void {
  if (isInterruption) interruptions++;
  else prompts++;
}

/** How many numbers were noted since this was asked last. */
export function takeNotes(): i32 {
  const count = notes.length;
  notes.length = 0;
  return count;
}

export function titleAt(): usize {
  return changetype<usize>(title);
}

/** How many bytes the title has that was noted since this was asked last; `NONE` if there is none. */
export function takeTitle(): i32 {
  const bytes = titleBytes;
  titleBytes = NONE;
  return bytes;
}

/** How many prompts there were since this was asked last. */
export function takePrompts(): i32 {
  const count = prompts;
  prompts = 0;
  return count;
}

export function takeInterruptions(): i32 {
  const count = interruptions;
  interruptions = 0;
  return count;
}
