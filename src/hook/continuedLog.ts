/** What a call inherits from earlier calls: how far they have read the log, and V8's code cache. */
import { readSync } from "node:fs";

/** If a log has grown by more, only its end is read, and everything before is ignored. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Smaller additions are read again by the next call, so that not every call has to write. */
export const MIN_SAVED_BYTES = 12 * 1024;
/** Enough for the uuid of the last line. */
const TAIL_BYTES = 1024;

/** Whether this is still the same log, and has not grown too much since it was read up to `offset`. */
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

/** The parts of the programs, as bits: V8's code cache is written again after a call that ran a new one. */
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
 * Functions that ran often are optimized, and V8's code cache remembers that: later processes optimize them as soon as
 * they run, which costs more than it saves there. So no cache is written after a call that read more than this.
 */
const MAX_TYPICAL_BYTES = 32 * 1024;

/** Which parts ran in a call that read this many bytes; 0 if no code cache should be written after it. */
export function partsRun(bytes: number, isContinued: boolean, isSaved: boolean): number {
  if (bytes > MAX_TYPICAL_BYTES) return 0;
  const read = PARTS.open | (isContinued ? PARTS.continued : 0) | (bytes > 0 ? PARTS.lines : 0);
  return isSaved ? read | PARTS.save : read;
}

/** Adds a part. */
export function withPart(parts: number, part: number): number {
  return parts === 0 ? 0 : parts | part;
}
