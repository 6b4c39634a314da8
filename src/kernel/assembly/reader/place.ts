/** The current line as the place of facts. */
import * as Scan from "../../../scanner/layout";
import * as Layout from "../../readerLayout";
import { nameOfTime, put, reserve, textOf } from "./facts";
import { isAscii, isThere, slotEnd, slotStart } from "./line";
import { Context } from "./memory";
import { addString, charsIn, intern } from "./strings";
import { secondsAt } from "./text";

/** Its number, its offset, the address of its time (0 if none), its uuid as a string. */
export let line: i32 = 0;
export let offset: f64 = 0;
export let timeStart: usize = 0;
export let timeEnd: usize = 0;
/** The time since 1970: see `secondsAt`. */
export let seconds: f64 = 0;
let uuid: i32 = Layout.NONE;

export function setTime(start: usize, end: usize): void {
  timeStart = start;
  timeEnd = end;
  seconds = secondsAt(start, end);
}

export function setPlace(newLine: i32, newOffset: f64): void {
  line = newLine;
  offset = newOffset;
  uuid = Layout.NONE;
}

export function beginFact(context: Context, code: i32): void {
  reserve();
  let name = context.int(Layout.CONTEXT_NAME);
  if (name === Layout.NONE) {
    name = textOf(context.int(Layout.CONTEXT_ID));
    context.set(Layout.CONTEXT_NAME, name);
  }
  put(name);
  // The time's name comes before those of the fact.
  const time = nameOfTime(timeStart, timeEnd);
  put(code);
  put(line);
  put(offset);
  put(time);
}

/** The line's uuid as a string, shared by everything that uses it. */
export function uuidOfLine(): i32 {
  if (uuid === Layout.NONE) {
    const start = slotStart(Scan.UUID);
    uuid = addString(start, slotEnd(Scan.UUID), <i32>(slotEnd(Scan.UUID) - start));
  }
  return uuid;
}

/** Another string of the line; `NONE` if missing. */
export function stringAt(slot: i32): i32 {
  if (!isThere(slot)) return Layout.NONE;
  const start = slotStart(slot);
  const end = slotEnd(slot);
  return intern(start, end, isAscii(slot) ? <i32>(end - start) : charsIn(start, end));
}
