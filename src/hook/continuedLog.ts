/** Whether a log is still the one that an earlier call has read, so that only what was added has to be read. */
import { readSync } from "node:fs";

/** If a log has grown by more, only its end is read, and what is before does not count. */
export const MAX_BYTES = 4 * 1024 * 1024;
/** Less than this is read again by the next call, so that not every call has to write. */
export const MIN_SAVED_BYTES = 8 * 1024;
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
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, end));
  readSync(file, bytes, 0, bytes.length, end - bytes.length);
  return bytes.toString("latin1");
}
