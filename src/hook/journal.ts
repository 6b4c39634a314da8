/**
 * What the log does not tell yet, written down by the hook itself: edits whose results are still on their way into the
 * log, compactions that have begun, sessions taken up again. Each entry is one appended line, so that parallel calls
 * never damage one another's; a line cut short by a kill is passed over.
 */
import { appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Fingerprint } from "../dedup/fingerprint.js";
import type { HeldResult } from "../dedup/replay.js";

/** From then on, results that stood in the log before `at` are no longer to be pointed at. */
export type JournalEntry =
  /** Those that showed the file. */
  | { readonly at: number; readonly edited: string }
  /** Those of the tools that this tool makes stale. */
  | { readonly at: number; readonly ran: string }
  /** All of them, until the log itself tells of the compaction and of what it kept. */
  | { readonly at: number; readonly compacting: true }
  /** All of them. */
  | { readonly at: number; readonly begun: true }
  /** None: this text was given with parts of it replaced, after so many requests. */
  | { readonly at: number; readonly spanned: Fingerprint; readonly requests: number };

/** More than a session writes; a file that is larger is not ours to read at every call. */
const MOST_BYTES = 4 * 1024 * 1024;

export class Journal {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  add(entry: JournalEntry): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // Not behind a line that a full disk has cut short.
    appendFileSync(this.#path, `\n${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  /** Throws where it is there and cannot be read: then nothing is known for sure. */
  entries(): JournalEntry[] {
    // Most conversations have none, and an error would cost more than the look.
    if (statSync(this.#path, { throwIfNoEntry: false }) === undefined) return [];
    const text = readFileSync(this.#path, "utf8");
    if (text.length > MOST_BYTES) throw new Error("the journal has grown too large");
    return text.split("\n").flatMap(line => parsed(line) ?? []);
  }
}

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
  if ("edited" in entry) return held.kind === "read" && held.path === entry.edited;
  if ("ran" in entry) return staleAfter(entry.ran)?.(held.tool) ?? false;
  if ("compacting" in entry) return boundaryOffset < entry.at;
  return "begun" in entry;
}
