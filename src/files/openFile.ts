import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { Bytes } from "../log/bytes.js";

const CHUNK_BYTES = 1024 * 1024;
/** Reused for every file: callers copy what they keep. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Pushes the bytes of an open file from `offset` to `end`, in pieces that are only valid during the call. Returns the
 * offset after the last byte read; anything appended meanwhile is left for the next time. `room`: where to read the
 * next piece to, if whoever it is pushed to has room for it.
 */
export function readBytes(
  file: number,
  offset: number,
  end: number,
  push: (bytes: Bytes) => void,
  room: () => Bytes | undefined = () => undefined,
): number {
  let at = offset;
  while (at < end) {
    const piece = room() ?? chunk;
    const length = readSync(file, piece, 0, Math.min(piece.length, end - at), at);
    if (length === 0) break;
    at += length;
    push(piece.subarray(0, length));
  }
  return at;
}

/**
 * Opening a pipe waits for a writer, and reading a pipe or a device may wait forever. The type of a path is only known
 * once it is open, so it is opened without waiting. (Windows has neither flag.)
 */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens a regular file for reading; a folder is rejected with `EISDIR`, anything else with `EINVAL`. */
export function openRegularFile(path: string): { readonly file: number; readonly stats: Stats } {
  const file = openSync(path, WITHOUT_WAITING);
  try {
    const stats = fstatSync(file);
    if (stats.isFile()) return { file, stats };
    const code = stats.isDirectory() ? "EISDIR" : "EINVAL";
    throw Object.assign(new Error("not a file"), { code, syscall: "open" });
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** The same for the duration of a call. */
export function withOpenFile<T>(path: string, use: (file: number, stats: Stats) => T): T {
  const { file, stats } = openRegularFile(path);
  try {
    return use(file, stats);
  } finally {
    closeSync(file);
  }
}

/** Pushes a whole file. */
export function readLog(path: string, push: (bytes: Bytes) => void): void {
  withOpenFile(path, (file, { size }) => readBytes(file, 0, size, push));
}

const SMALL_CHUNK_BYTES = 64 * 1024;

/** The bytes of a file that a person wrote or named: settings, prices, a map. Over `maxBytes`, it fails with `EFBIG`. */
export function readSmallFile(path: string, { maxBytes }: { maxBytes: number }): Buffer {
  return withOpenFile(path, (file, { size }) => {
    const pieces: Buffer[] = [];
    // A file's size may be outdated a moment later, and is 0 for files that the system generates.
    let wanted = size === 0 ? SMALL_CHUNK_BYTES : size + 1;
    for (let bytes = 0; bytes <= maxBytes; wanted = SMALL_CHUNK_BYTES) {
      const piece = Buffer.allocUnsafe(Math.min(wanted, maxBytes + 1 - bytes));
      const length = readSync(file, piece, 0, piece.length, null);
      // There was room for one more byte than its size: this is the end.
      if (bytes === 0 && length > 0 && length === size && length < piece.length) return piece.subarray(0, length);
      // Usually it is one piece: copying it would take longer than reading it.
      if (length === 0) return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces.push(piece.subarray(0, length));
      bytes += length;
    }
    throw Object.assign(new Error(`larger than ${maxBytes} bytes`), { code: "EFBIG", syscall: "read" });
  });
}

const NOT_A_FILE = "not a file";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "no permission to read",
  EPERM: "no permission to read",
  EBUSY: "another program is using it",
  EISDIR: "is a folder",
  ELOOP: "a link that leads to itself",
  EMFILE: "too many open files",
  EINVAL: NOT_A_FILE,
  // For a socket.
  ENXIO: NOT_A_FILE,
  EFBIG: "too large",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "no space left on the device",
  EIO: "the device reported an error",
  ERR_UNC_HOST_NOT_ALLOWED: "VS Code is not allowed to use this network host (security.allowedUNCHosts)",
};

/** A file system error in words for the user. */
export function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && PROBLEMS[code]) ?? code ?? message;
}

/** The same for writing. */
export function writeProblemOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM" ? "no permission to write" : problemOf(error);
}
