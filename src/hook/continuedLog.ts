/** What a call takes over from the calls before it: how far they have read the log, and what V8 compiled for them. */
import { readSync } from "node:fs";

/** If a log has grown by more, only its end is read, and what is before does not count. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Less than this is read again by the next call, so that not every call has to write. */
export const MIN_SAVED_BYTES = 12 * 1024;
/** Enough for the uuid of the last line. */
const TAIL_BYTES = 1024;

/** Whether this is still the same log, and has not grown by too much since it was read up to `offset`. */
export function isContinued(
  file: number,
  size: number,
  { offset }: { readonly offset: number },
  { tail }: { readonly tail: string },
): boolean {
  if (size < offset || size - offset > MAX_BYTES) return false;
  return tailAt(file, offset) === tail;
}

export function tailAt(file: number, end: number): string {
  const bytes = Buffer.allocUnsafe(Math.min(TAIL_BYTES, end));
  const length = readSync(file, bytes, 0, bytes.length, end - bytes.length);
  return bytes.toString("latin1", 0, length);
}

/** The parts of the programs, a bit for each: V8's compiled code is kept again after a call in which a new one ran. */
export const PARTS = {
  open: 1,
  continued: 2,
  lines: 4,
  save: 8,
  file: 16,
  whole: 32,
  runs: 64,
  restored: 128,
} as const;

/**
 * Functions that ran often are compiled to machine code, and V8's compiled code remembers that: in later processes they
 * are as soon as they run, which takes longer than it saves there. So none is kept after a call that read more than this.
 */
const MAX_TYPICAL_BYTES = 32 * 1024;

/** Which parts ran in a call that read so many bytes of a log; 0 if nothing is to be kept after it. */
export function partsRun(bytes: number, isContinued: boolean, isSaved: boolean): number {
  if (bytes > MAX_TYPICAL_BYTES) return 0;
  const read = PARTS.open | (isContinued ? PARTS.continued : 0) | (bytes > 0 ? PARTS.lines : 0);
  return isSaved ? read | PARTS.save : read;
}

/** The same with another part. */
export function withPart(parts: number, part: number): number {
  return parts === 0 ? 0 : parts | part;
}
