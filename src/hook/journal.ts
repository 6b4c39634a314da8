/**
 * What is not in the log yet, recorded by the hook itself: edits whose results have not been written, compactions that
 * have begun, resumed sessions; and what the model has been told. Each entry is one appended line, so parallel calls
 * never damage each other's. A line that was cut short, by a kill or a full disk, could have been any of these.
 */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { Fingerprint } from "../dedup/fingerprint.js";
import { makeFolder } from "../files/makeFolder.js";
import { readSmallFile } from "../files/openFile.js";
import { appendTo } from "./ownFile.js";

/** Hints may no longer refer to results that are in the log before `at`. */
export type JournalEntry =
  /** Results that show the file, and earlier shell output. */
  | { readonly at: number; readonly edited: string }
  /** Results of the tools that this tool makes stale. */
  | { readonly at: number; readonly ran: string }
  /** All results, until the log has the compaction and what it kept. */
  | { readonly at: number; readonly compacting: true }
  /** All results; only the newest such entry counts. */
  | { readonly at: number; readonly begun: true }
  /** No result: this text was asked for again after hints had replaced it. */
  | { readonly at: number; readonly asked: Fingerprint }
  /** No result: the model was told which texts that hints refer to were cleared, up to here. */
  | { readonly at: number; readonly told: true };

/** More than a session writes; larger files are too slow to read on every call. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * An unknown offset: a fork's log does not exist yet when the fork begins. No hint is given until the first call in
 * the log shows where that was.
 */
export const SOMEWHERE = Number.MAX_SAFE_INTEGER;

export class Journal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  add(entry: JournalEntry): void {
    makeFolder(dirname(this.#path));
    // Never on the same line as one that was cut short.
    appendTo(this.#path, `\n${JSON.stringify(entry)}\n`);
  }

  /** Throws if it exists but cannot be read: then nothing is certain. */
  entries(): JournalEntry[] {
    // Most conversations have none, and an exception would cost more than this check.
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

/** The log offset where this session was last resumed; `SOMEWHERE` if not known yet. */
export function beginOf(entries: readonly JournalEntry[]): number {
  return entries.find(isBeginning)?.at ?? 0;
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
