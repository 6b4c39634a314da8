/** A file that only one process at a time can create: its holder continues, and the others wait. */
import { closeSync, linkSync, lstatSync, openSync, readFileSync, renameSync, utimesSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { makeFolder } from "./makeFolder.js";
import { withOpenFile } from "./openFile.js";
import { removeIfPossible } from "./wholeFile.js";

export interface LockFile {
  readonly folder: string;
  readonly name: string;
  /** What it is held for; with the program's name, these are its first words. */
  readonly purpose: string;
}

export interface LockOptions {
  readonly tryAgainMs?: number;
  /** Identifies this process; for tests. */
  readonly pid?: number;
}

/** The holder keeps updating the lock; if it has not for this long, it is gone, even if its pid is in use again. */
const SHOW_MS = 5000;
const LOST_MS = 30_000;
const TRY_AGAIN_MS = 500;
/** The holder may be removing it, and its folder, at this moment; if the error persists, it has another cause. */
const TURNS: ReadonlySet<string> = new Set(["ENOENT", "EEXIST", "EPERM", "EBUSY"]);
const MAX_FAILURES = 3;

/**
 * Waits for the lock and returns a function to release it; undefined if `signal` was aborted meanwhile. If it cannot be
 * created, or something else is in its place, nobody waits.
 */
export async function takeLock(
  { folder, name, purpose }: LockFile,
  signal: AbortSignal,
  { tryAgainMs = TRY_AGAIN_MS, pid = process.pid }: LockOptions = {},
): Promise<(() => void) | undefined> {
  const path = join(folder, name);
  const begin = `dedup-inspector ${purpose}, `;
  // Also distinguishes several holders in one process.
  const own = `${begin}${hostname()} ${pid} ${Math.random().toString(36).slice(2)}\n`;
  for (let failures = 0; !signal.aborted; ) {
    try {
      if (take(path, begin, own)) return held(path, own);
    } catch (error) {
      const isTurn = TURNS.has((error as NodeJS.ErrnoException).code ?? "");
      if (!isTurn || ++failures > MAX_FAILURES) return () => {};
    }
    await wait(tryAgainMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** False if somebody else has it; true also if something else is in its place. */
function take(path: string, begin: string, own: string): boolean {
  makeFolder(dirname(path));
  if (create(path, own)) return true;
  const modified = modifiedAt(path);
  const text = textOf(path);
  if (modified === undefined || text === undefined) {
    // Something else is in its place for good. If it is gone, the next attempt will succeed.
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  }
  // The clock may have been set back since.
  if (!isLost(text.slice(begin.length), Math.abs(Date.now() - modified))) return false;
  // An empty one was never finished.
  if (text !== "" && !text.startsWith(begin)) return true;
  removeLost(path, text);
  return create(path, own);
}

/** False if somebody else has it. */
function create(path: string, own: string): boolean {
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, own);
    } catch (error) {
      removeIfPossible(path);
      throw error;
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Renamed first: if another process has taken it over in the meantime, it gets its lock back. */
function removeLost(path: string, lost: string): void {
  const aside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  renameSync(path, aside);
  try {
    if (textOf(aside) !== lost) linkSync(aside, path);
  } finally {
    removeIfPossible(aside);
  }
}

function held(path: string, own: string): () => void {
  const isOurs = () => textOf(path) === own;
  const showing = setInterval(() => {
    try {
      if (isOurs()) utimesSync(path, Date.now() / 1000, Date.now() / 1000);
    } catch {
      // Then another process may take it.
    }
  }, SHOW_MS);
  showing.unref();
  return () => {
    clearInterval(showing);
    if (isOurs()) removeIfPossible(path);
  };
}

/** Whether the process that wrote this is gone. */
function isLost(holder: string, sinceShownMs: number): boolean {
  if (sinceShownMs > LOST_MS) return true;
  const [, host, pid] = /^(\S+) (\d+) /.exec(holder) ?? [];
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
function modifiedAt(path: string): number | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.mtimeMs : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return withOpenFile(path, file => readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
