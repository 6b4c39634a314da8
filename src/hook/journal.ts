/**
 * What the log does not tell yet, written down by the hook itself: edits whose results are still on their way into the
 * log, compactions that have begun, sessions taken up again. Each entry is one appended line, so that parallel calls
 * never damage one another's. A line that cannot be read, cut short by a kill or a full disk, may have been any of them.
 */
import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Fingerprint } from "../dedup/fingerprint.js";
import type { HeldResult } from "../dedup/replay.js";
import { readSmallFile } from "../files/smallFile.js";
import { isShell } from "../log/tools.js";
import { appendTo } from "./ownFile.js";

/** From then on, results that stood in the log before `at` are no longer to be pointed at. */
export type JournalEntry =
  /** Those that showed the file, and what shells said before. */
  | { readonly at: number; readonly edited: string }
  /** Those of the tools that this tool makes stale. */
  | { readonly at: number; readonly ran: string }
  /** All of them, until the log itself tells of the compaction and of what it kept. */
  | { readonly at: number; readonly compacting: true }
  /** All of them, since the newest such entry. */
  | { readonly at: number; readonly begun: true }
  /** None: this text was given with parts of it replaced, after so many requests. */
  | { readonly at: number; readonly spanned: Fingerprint; readonly requests: number };

/** More than a session writes; a file that is larger is not ours to read at every call. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Where the place is not known: the log of a fork is not there yet when it begins. All results are forbidden, until the
 * first call that the log tells of settles it.
 */
export const SOMEWHERE = Number.MAX_SAFE_INTEGER;

export class Journal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  add(entry: JournalEntry): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // Not behind a line that was cut short.
    appendTo(this.#path, `\n${JSON.stringify(entry)}\n`);
  }

  /** Throws where it is there and cannot be read: then nothing is known for sure. */
  entries(): JournalEntry[] {
    // Most conversations have none, and an error would cost more than the look.
    if (lstatSync(this.#path, { throwIfNoEntry: false }) === undefined) return [];
    const text = readSmallFile(this.#path, { maxBytes: MAX_BYTES }).toString("utf8");
    const lines = text.split("\n").filter(line => line !== "");
    const entries = lines.map(line => parsed(line) ?? UNKNOWN);
    const newest = entries.findLast(isBeginning);
    return entries.filter(entry => !isBeginning(entry) || entry === newest);
  }
}

function isBeginning(entry: JournalEntry): boolean {
  return "begun" in entry;
}

/** Whether it is still to be settled where in the log this session began. */
export function beginsSomewhere(entries: readonly JournalEntry[]): boolean {
  return entries.some(entry => isBeginning(entry) && entry.at === SOMEWHERE);
}

const UNKNOWN: JournalEntry = { at: SOMEWHERE, begun: true };

function parsed(line: string): JournalEntry | undefined {
  try {
    const entry = JSON.parse(line) as JournalEntry | null;
    return typeof entry?.at === "number" ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an entry forbids a hint to this result. */
export function forbids(
  entry: JournalEntry,
  held: HeldResult,
  boundaryOffset: number,
  staleAfter: (tool: string) => ((tool: string) => boolean) | undefined,
): boolean {
  if (held.offset >= entry.at) return false;
  if ("edited" in entry) return isShell(held.tool) || (held.kind === "read" && held.path === entry.edited);
  if ("ran" in entry) return staleAfter(entry.ran)?.(held.tool) ?? false;
  if ("compacting" in entry) return boundaryOffset < entry.at;
  return "begun" in entry;
}
