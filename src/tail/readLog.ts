import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Bytes } from "../log/bytes.js";

const CHUNK_BYTES = 1024 * 1024;
/** Reused for every file: sinks copy what they keep. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Hands the bytes of an open file on from `offset` to `end`, in pieces each valid only during the call. Gives the
 * position after the last byte read; what is appended meanwhile is for the next time.
 */
export function readBytes(file: number, offset: number, end: number, push: (bytes: Bytes) => void): number {
  let at = offset;
  while (at < end) {
    const length = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, end - at), at);
    if (length === 0) break;
    at += length;
    push(chunk.subarray(0, length));
  }
  return at;
}

export function withOpenFile<T>(path: string, use: (file: number) => T): T {
  const file = openSync(path, "r");
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** Hands a whole file on. Pipes and devices are refused before they are opened: they could wait for ever. */
export function readLog(path: string, push: (bytes: Bytes) => void): void {
  const stats = statSync(path);
  if (!stats.isFile()) {
    throw Object.assign(new Error("not a file"), { code: stats.isDirectory() ? "EISDIR" : "EINVAL" });
  }
  withOpenFile(path, file => readBytes(file, 0, fstatSync(file).size, push));
}
