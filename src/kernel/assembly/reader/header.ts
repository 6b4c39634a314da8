/** A log's own metadata: src/log/logHeader.ts. It is noted in the order of lines, and the wrapper keeps it. */

import { begins } from "../../../scanner/assembly/cut";
import * as Value from "../../../scanner/assembly/values";
import * as Scan from "../../../scanner/layout";
import * as Layout from "../../readerLayout";
import { blockWord, headWord, isThere, slotEnd, slotStart, slotState } from "./line";
import { note, notePrompt, noteTime, noteTitle } from "./notes";
import { seconds, setTime, stringAt, timeEnd, timeStart } from "./place";
import { charsIn, intern, setStringWord, stringWord } from "./strings";

/** See `NEEDS_SESSION`. */
let needs: i32 = 0;

export function setNeeds(newNeeds: i32): void {
  needs = newNeeds;
}

/** Finds the line's time; false if it is unusual, or none at all. */
export function findTime(): bool {
  setTime(slotStart(Scan.TIMESTAMP), slotEnd(Scan.TIMESTAMP));
  return timeStart === 0 || seconds >= 0;
}

/** Notes what any line may have. */
export function noteLine(): void {
  noteTime(timeStart, timeEnd);
  noteNeeded(Layout.NEEDS_SESSION, Scan.SESSION_ID, Layout.NOTED_SESSION);
  noteNeeded(Layout.NEEDS_PROJECT, Scan.CWD, Layout.NOTED_PROJECT);
  // One that is the same as in the previous line is known.
  if (slotState(Scan.VERSION) === Scan.PRESENT) {
    noteNew(stringAt(Scan.VERSION), Layout.IS_VERSION, Layout.NOTED_VERSION);
  }
}

function noteNeeded(need: i32, slot: i32, what: i32): void {
  if ((needs & need) === 0 || !isThere(slot)) return;
  needs &= ~need;
  note(what, stringAt(slot));
}

/** Notes a string once. */
function noteNew(string: i32, mark: i32, what: i32): void {
  const marks = stringWord(string, Layout.STRING_MARKS);
  if ((marks & mark) !== 0 || stringWord(string, Layout.STRING_BYTES) === 0) return;
  setStringWord(string, Layout.STRING_MARKS, marks | mark);
  note(what, string);
}

export function noteModel(model: i32): void {
  noteNew(model, Layout.IS_MODEL, Layout.NOTED_MODEL);
}

/** `task`: from the call that started it. */
export function noteAgent(task: i32): void {
  const agent = stringAt(Scan.STARTED_AGENT);
  const hasTask = stringWord(task, Layout.STRING_BYTES) > 0;
  if (agent !== Layout.NONE && hasTask) note(Layout.NOTED_AGENT, agent, task);
}

/** The line's title, if it has one. */
export function noteTitleOfLine(): void {
  let title = Scan.CUSTOM_TITLE;
  if (!isThere(title)) title = Scan.AI_TITLE;
  if (!isThere(title)) title = Scan.SUMMARY;
  if (!isThere(title)) return;
  needs &= ~Layout.NEEDS_TITLE;
  noteTitle(slotStart(title), slotEnd(title));
}

/** Whether the prompt found last is only text, and its address. */
let isText: bool = false;
let start: usize = 0;
let end: usize = 0;

/** Finds the line's prompt; false if it is doubtful. */
export function findPrompt(): bool {
  const blocks = headWord(Scan.HEAD_BLOCKS);
  isText = true;
  Value.beginText();
  for (let block = 0; block < blocks; block++) {
    if (blockWord(block, Scan.BLOCK_KIND) !== Scan.TEXT_BLOCK) {
      isText = false;
      return true;
    }
    if (block > 0) Value.addLineBreak();
    const quote = <usize>blockWord(block, Scan.BLOCK_START);
    if (!Value.addToText(quote + 1, <usize>blockWord(block, Scan.BLOCK_END) - 1)) return false;
  }
  start = Value.madeStart;
  end = Value.madeEnd;
  return true;
}

/** Notes the prompt that was found. */
export function notePromptOfLine(isMain: bool): void {
  if ((headWord(Scan.HEAD_FLAGS) & (Scan.IS_META | Scan.IS_COMPACT_SUMMARY)) !== 0) return;
  const isWrapped = isText && (start === end || begins(start, end, "<"));
  if ((needs & Layout.NEEDS_TITLE) !== 0 && isText && !isWrapped) {
    needs &= ~Layout.NEEDS_TITLE;
    note(Layout.NOTED_FIRST_PROMPT, intern(start, end, charsIn(start, end)));
  }
  if (!isMain) return;
  const isInterruption = isText && begins(start, end, "[Request interrupted by user");
  if (isInterruption || !isWrapped) notePrompt(isInterruption);
}
