/** The lengths of hints: src/dedup/hints.ts and runs/runHints.ts. No hint is written here. */
import { MUTATE_TOOL, READ_TOOL } from "../layout";
import { bytesOfName, charsOfName, isShell } from "./names";
import { Entry } from "./result";
import { VERBOSITY_LOCATED, VERBOSITY_TERSE, VERBOSITY_VERBOSE } from "./settings";

/** A hint is at most half as long as what it replaces, in UTF-16 characters. */
export const BREAK_EVEN: i32 = 2;

/** Of the hint measured last. */
export let hintChars: i32 = 0;
export let hintBytes: i32 = 0;

function begin(text: string): void {
  hintChars = hintBytes = text.length;
}

function addText(text: string): void {
  hintChars += text.length;
  hintBytes += text.length;
}

function addName(name: i32): void {
  hintChars += charsOfName(name);
  hintBytes += bytesOfName(name);
}

function addNumber(number: i32): void {
  const digits = digitsOf<i32>(number);
  hintChars += digits;
  hintBytes += digits;
}

/** For a number below 10⁹, or for any floating-point number. */
export function digitsOf<T>(number: T): i32 {
  let digits = 1;
  for (let limit: T = <T>10; number >= limit; limit *= <T>10) digits++;
  return digits;
}

/** `tool(target)`. */
function addCall(tool: i32, target: i32): void {
  addName(tool);
  if (charsOfName(target) === 0) return;
  addText("()");
  addName(target);
}

function measureStandard(id: i32): void {
  begin("> [ref: ");
  addName(id);
  addText(", byte-identical]");
}

/** Whether a result of this length is too short for a hint to its own call in the standard form. */
export function isTooShort(chars: i32, id: i32): bool {
  measureStandard(id);
  return chars < BREAK_EVEN * hintChars;
}

/** The hint in the requested form; in the standard form if that is longer than half of what it replaces. */
export function measureHint(chars: i32, entry: Entry, verbosity: i32): void {
  if (verbosity === VERBOSITY_TERSE) {
    begin("> [ref: ");
    addName(entry.id);
    addText("]");
  } else {
    measureStandard(entry.id);
    if (verbosity === VERBOSITY_VERBOSE) {
      addText(", from: ");
      addText(entry.kind === READ_TOOL ? "file-read" : entry.kind === MUTATE_TOOL ? "file-mutate" : "other");
    } else if (verbosity === VERBOSITY_LOCATED && charsOfName(entry.tool) > 0) {
      addText(", from: ");
      addCall(entry.tool, entry.target);
      if (isShell(entry.tool)) addText(", run again now");
    }
  }
  if (hintChars * BREAK_EVEN > chars) measureStandard(entry.id);
}

/** A near-reference, whose length without its id is given. */
export function measureNearHint(id: i32, chars: i32, bytes: i32): void {
  hintChars = chars;
  hintBytes = bytes;
  addName(id);
}

/** How a line may replace another one with the same text. */
export const VERBATIM: i32 = 0;
export const RENUMBERED: i32 = 1;
export const NUMBERED: i32 = 2;

/** The plain form of a hint for lines of a text. `input`: negative for a result. */
export function measureRunHint(id: i32, input: i32, from: i32, to: i32, relation: i32, number: i32): void {
  begin("> [ref: ");
  addName(id);
  if (input >= 0) {
    addText(" input.");
    addName(input);
  }
  addText(" lines ");
  addNumber(from);
  addText("-");
  addNumber(to);
  if (relation !== VERBATIM) {
    addText(relation === RENUMBERED ? ", renumbered from " : ", numbered from ");
    addNumber(number);
  }
  addText("]");
}

/** Adds the call's tool and target: follows `measureRunHint`. */
export function addOrigin(tool: i32, target: i32): void {
  if (charsOfName(tool) === 0) return;
  addText(", from: ");
  addCall(tool, target);
}
