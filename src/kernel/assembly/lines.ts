/** The lines of a text, as a table of numbers: src/dedup/runs/lines.ts and numbered.ts. */
import { digitsOf } from "./hints";

const LINE_BYTES: usize = 20;
/** The cells of a line: half of its hash, the other half, its number, its characters, its bytes. */
export const HASH: usize = 0;
export const HASH_HIGH: usize = 4;
export const NUMBER: usize = 8;
export const CHARS: usize = 12;
export const BYTES: usize = 16;
export const CELLS: i32 = 5;

/** Nothing may refer to a line that looks like a hint. No line number has this code. */
export const NEVER: u32 = 0xffffffff;

const ARROW_WIDTH: i32 = 6;

export function cell(lines: usize, line: i32, which: usize): u32 {
  return load<u32>(lines + <usize>line * LINE_BYTES + which);
}

/** Styles of line numbers; `NO_STYLE` if there is none, or more than one. */
export const NO_STYLE: i32 = -1;
export const TAB: i32 = 0;

export function styleOfCode(code: u32): i32 {
  return code & 1;
}

export function numberOfCode(code: u32): i32 {
  return (<i32>code - 1) >> 1;
}

/** The length of the prefix with this code. */
export function prefixLength(code: u32): i32 {
  return code === 0 ? 0 : prefixChars(styleOfCode(code), digitsOf<i32>(numberOfCode(code)));
}

/** The length of a line number prefix with this many digits. */
export function prefixChars(style: i32, digits: i32): i32 {
  return 1 + (style === TAB ? digits : max<i32>(ARROW_WIDTH, digits));
}

/** A text with a line that looks like a hint is left alone: its own lines could be mistaken for ours. */
export function looksHinted(lines: usize, count: i32): bool {
  for (let line = 0; line < count; line++) if (cell(lines, line, NUMBER) === NEVER) return true;
  return false;
}

/** The style of all numbered lines. */
export function onlyStyle(lines: usize, count: i32): i32 {
  let style = NO_STYLE;
  for (let line = 0; line < count; line++) {
    const code = cell(lines, line, NUMBER);
    if (code === 0) continue;
    if (style !== NO_STYLE && style !== styleOfCode(code)) return NO_STYLE;
    style = styleOfCode(code);
  }
  return style;
}
