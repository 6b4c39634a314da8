/** Writing to files and pipes so that all of it arrives, and no call waits for what may never come. */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/** Opening a pipe for writing waits for a reader; opened so, it fails at once. (Windows knows neither flag.) */
const WITHOUT_WAITING = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Appends to a regular file of the user's alone, or begins it anew. Throws where that is not done in full. */
export function appendTo(path: string, text: string, { anew = false } = {}): void {
  const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | (anew ? O_TRUNC : O_APPEND) | WITHOUT_WAITING, 0o600);
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

/**
 * Whoever reads a pipe may be slow: it takes a part, or nothing for now. Throws where it has not taken everything in
 * time.
 */
export function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  const deadline = Date.now() + MAX_WAIT_MS;
  for (let at = 0; at < bytes.length; ) {
    if (Date.now() > deadline) throw new Error("nobody takes what is written");
    at += orWait(deadline, () => writeSync(file, bytes, at));
  }
}

/** What a system call gives; where it would have to wait, it is tried again until the deadline. */
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
