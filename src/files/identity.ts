import { hash } from "node:crypto";
import { fstatSync, readSync } from "node:fs";

/**
 * How many bytes of a log's two ends tell it from another that has taken its place: enough for the uuid of the last
 * line, which stands in front of the working folder and the branch.
 */
const END_BYTES = 1024;

/** What tells whether a log is still the one that was read, and whether it has only grown since. */
export interface LogIdentity {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** Hashes of the first bytes and of the last bytes before `size`. */
  readonly head: string;
  readonly tail: string;
}

/** The identity of an open file as it would be if it ended at `size`; by default at its present end. */
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

/** The same file with the same bytes up to `before.size`, as far as its ends tell; it may have grown. */
export function continues(now: LogIdentity, before: LogIdentity): boolean {
  return now.inode === before.inode && now.head === before.head && now.tail === before.tail && now.size === before.size;
}

/** What tells one piece of a file from another of the same length; "" where it is empty. */
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
