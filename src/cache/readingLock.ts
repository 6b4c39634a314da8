/**
 * Held while reading the whole history, so that several windows do not all read it: the others wait, and then find
 * everything in the cache. It only saves work. Nothing depends on it, so if it cannot be created, everybody reads.
 */
import { lstatSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { withOpenFile } from "../files/openFile.js";
import { type Mark, type OwnFile, removeIfOurs } from "../files/ownFiles.js";

const NAME = "reading.lock";
const MARK: Mark = { name: /^reading\.lock$/, begins: /^dedup-inspector reads, / };
/** The holder keeps updating the lock; if it has not for this long, it is gone, even if its pid is in use again. */
const SHOW_MS = 5000;
const LOST_MS = 30_000;
const TRY_AGAIN_MS = 500;

export interface LockOptions {
  readonly tryAgainMs?: number;
  /** Identifies this process; for tests. */
  readonly pid?: number;
}

/** Waits for the lock and returns a function to release it; undefined if `signal` was aborted meanwhile. */
export async function lockReading(
  folder: string,
  signal: AbortSignal,
  { tryAgainMs = TRY_AGAIN_MS, pid = process.pid }: LockOptions = {},
): Promise<(() => void) | undefined> {
  const path = join(folder, NAME);
  // Also distinguishes several engines in one process.
  const own = `dedup-inspector reads, ${hostname()} ${pid} ${Math.random().toString(36).slice(2)}\n`;
  while (!signal.aborted) {
    if (take(folder, path, own)) return held(path, own);
    await wait(tryAgainMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** Also true if locking is impossible. */
function take(folder: string, path: string, own: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (create(path, own)) return true;
    const lock = lockAt(path);
    const text = textOf(path);
    // Something else is in its place for good. If it is gone, the next attempt will succeed.
    if (lock === undefined || text === undefined) return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    if (!isLost(text, Date.now() - lock.modified)) return false;
    if (!MARK.begins.test(text)) return true;
    removeIfOurs(lock, MARK);
    return create(path, own);
  } catch {
    return true;
  }
}

/** False if somebody else has it. */
function create(path: string, own: string): boolean {
  try {
    writeFileSync(path, own, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function held(path: string, own: string): () => void {
  const isOurs = () => textOf(path) === own;
  const showing = setInterval(() => {
    try {
      if (isOurs()) utimesSync(path, Date.now() / 1000, Date.now() / 1000);
    } catch {
      // Then another process may take it, and reads the same logs.
    }
  }, SHOW_MS);
  showing.unref();
  return () => {
    clearInterval(showing);
    const lock = isOurs() ? lockAt(path) : undefined;
    if (lock !== undefined) removeIfOurs(lock, MARK);
  };
}

/** Whether the process that wrote this is gone. */
function isLost(text: string, sinceShownMs: number): boolean {
  if (sinceShownMs > LOST_MS) return true;
  const [, host, pid] = /^dedup-inspector reads, (\S+) (\d+) /.exec(text) ?? [];
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // The process of another user exists, too.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Undefined if there is none, or if it is not a file. */
function lockAt(path: string): OwnFile | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? { path, modified: stats.mtimeMs, bytes: stats.size, isWhole: true } : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return withOpenFile(path, file => readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
