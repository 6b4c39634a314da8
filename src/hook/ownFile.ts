/** Writes to files and pipes completely, and without waiting forever. */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/** Opening a pipe for writing waits for a reader; with these flags it fails immediately. Windows has neither. */
const WITHOUT_WAITING = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Appends to a regular file or replaces it; a new one is private to the user. Throws if the write is incomplete. */
export function appendTo(path: string, text: string, { replace = false } = {}): void {
  const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | (replace ? O_TRUNC : O_APPEND) | WITHOUT_WAITING, 0o600);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a file`);
    writeAll(file, text);
  } finally {
    closeSync(file);
  }
}

const WAIT_MS = 5;
/** Claude Code ends a hook after ten seconds. */
const MAX_WAIT_MS = 5000;

/** The reader of a pipe may accept only a part, or nothing for now. Throws if it does not accept everything in time. */
export function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  const deadline = Date.now() + MAX_WAIT_MS;
  for (let at = 0; at < bytes.length; ) {
    if (Date.now() > deadline) throw new Error("timed out: nothing reads the output");
    at += orWait(deadline, () => writeSync(file, bytes, at));
  }
}

/** Retries a system call that would block until the deadline. */
export function orWait(deadline: number, call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || Date.now() > deadline) throw error;
    }
    sleep(WAIT_MS);
  }
}

export function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
