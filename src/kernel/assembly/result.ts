/** The result being decided on (`Digest`), and what a cache keeps of one (`HeldResult`). */
import { HINT_KIND, HINT_NUMBERS, RUN_HINT } from "../layout";

export class Result {
  line: i32 = 0;
  /** The offsets of its line and of its call's line. */
  offset: f64 = 0;
  callOffset: f64 = 0;
  /** Seconds since 1970; 0 if the line has no time. */
  at: f64 = 0;
  kind: i32 = 0;
  id: i32 = 0;
  tool: i32 = 0;
  path: i32 = 0;
  target: i32 = 0;
  fingerprint: i32 = 0;
  callLine: i32 = 0;
  bytes: i32 = 0;
  chars: i32 = 0;
  copyHigh: u32 = 0;
  copyLow: u32 = 0;
  error: bool = false;
  native: bool = false;
  text: bool = false;
  isListing: bool = false;
  hasRange: bool = false;
  rangeFrom: i32 = 0;
  rangeLines: i32 = 0;
  hints: i32 = 0;
  hintsAt: usize = 0;
  /** The table of its lines, and their number; negative if there is no table. */
  lines: usize = 0;
  lineCount: i32 = 0;

  hint(which: i32, part: i32): f64 {
    return load<f64>(this.hintsAt + ((<usize>(which * HINT_NUMBERS + part)) << 3));
  }

  /** Only parts of it were replaced by live hints. */
  get isPartial(): bool {
    return this.hints > 0 && <i32>this.hint(0, HINT_KIND) === RUN_HINT;
  }
}

export class Entry {
  fingerprint: i32 = 0;
  id: i32 = 0;
  tool: i32 = 0;
  kind: i32 = 0;
  path: i32 = 0;
  target: i32 = 0;
  line: i32 = 0;
  callLine: i32 = 0;
  order: i32 = 0;
  bytes: i32 = 0;
  chars: i32 = 0;
  /** The wrapper has its text, for near-references. */
  hasText: bool = false;
}

export function heldResult(result: Result, order: i32): Entry {
  const entry = new Entry();
  entry.fingerprint = result.fingerprint;
  entry.id = result.id;
  entry.tool = result.tool;
  entry.kind = result.kind;
  entry.path = result.path;
  entry.target = result.target;
  entry.line = result.line;
  entry.callLine = result.callLine;
  entry.order = order;
  entry.bytes = result.bytes;
  entry.chars = result.chars;
  return entry;
}
