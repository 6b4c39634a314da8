import { hash } from "node:crypto";
import { fstatSync, readSync } from "node:fs";

/**
 * How many bytes at each end of a log distinguish it from another one in its place: enough to include the uuid of the
 * last line, which comes before the working folder and the branch.
 */
const END_BYTES = 1024;

/** Shows whether a log is still the one that was read, and whether it has only grown since. */
export interface LogIdentity {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** Hashes of the first bytes and of the last bytes before `size`. */
  readonly head: string;
  readonly tail: string;
}

/** The identity of an open file as if it ended at `size`; by default at its current end. */
export function identify(file: number, size?: number): LogIdentity {
  const stats = fstatSync(file);
  const end = Math.min(size ?? stats.size, stats.size);
  return {
    size: end,
    mtimeMs: stats.mtimeMs,
    inode: stats.ino,
    head: hashAt(file, 0, Math.min(END_BYTES, end)),
    tail: hashAt(file, Math.max(0, end - END_BYTES), end),
  };
}

/** The same file with the same bytes up to `before.size`, as far as its two ends show. */
export function continues(now: LogIdentity, before: LogIdentity): boolean {
  return now.inode === before.inode && now.head === before.head && now.tail === before.tail && now.size === before.size;
}

/** Whether the log is unchanged or has only grown. With the same size but another time, its middle may have changed. */
export function hasOnlyGrown(file: number, before: LogIdentity): boolean {
  const { size, mtimeMs } = fstatSync(file);
  const isUntouched = size === before.size && mtimeMs === before.mtimeMs;
  return (isUntouched || size > before.size) && continues(identify(file, before.size), before);
}

/** Distinguishes one piece of a file from another of the same length; "" if it is empty. */
export function endsOf(file: number, start: number, end: number): string {
  if (start >= end) return "";
  const middle = Math.min(END_BYTES, end - start);
  return hashAt(file, start, start + middle) + hashAt(file, Math.max(start + middle, end - END_BYTES), end);
}

function hashAt(file: number, start: number, end: number): string {
  const bytes = Buffer.allocUnsafe(end - start);
  const length = readSync(file, bytes, 0, bytes.length, start);
  return hash("sha256", bytes.subarray(0, length), "hex").slice(0, 16);
}
