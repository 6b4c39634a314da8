/** What the reader notes about a log besides its facts, until the wrapper takes it. */
import { NONE } from "../../readerLayout";
import { List } from "../lists";
import { TIME_BYTES } from "./text";

/** The first and the last time: the number of bytes, then the bytes. */
export const firstAt: usize = memory.data(8 + TIME_BYTES, 16);
export const lastAt: usize = memory.data(8 + TIME_BYTES, 16);

/** Notes for the header: see `NOTE_WORDS`. */
export let notes = new List<i32>();
/** The newest title: its bytes, and their number. Titles are written again and again. */
let title = new StaticArray<u8>(0);
let titleBytes: i32 = NONE;
let prompts: i32 = 0;
let interruptions: i32 = 0;

export function beginNotes(): void {
  store<i32>(firstAt, NONE);
  store<i32>(lastAt, NONE);
  notes = new List<i32>();
  title = new StaticArray<u8>(0);
  titleBytes = NONE;
  prompts = interruptions = 0;
}

/** `start`: 0 if the line has none. */
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

/** The number of notes since the last call. */
export function takeNotes(): i32 {
  const count = notes.length;
  notes.length = 0;
  return count;
}

export function titleAt(): usize {
  return changetype<usize>(title);
}

/** The number of bytes of a title noted since the last call; `NONE` if there is none. */
export function takeTitle(): i32 {
  const bytes = titleBytes;
  titleBytes = NONE;
  return bytes;
}

/** The number of prompts since the last call. */
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
