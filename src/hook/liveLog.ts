/** Takes in what a log has gained since the last call, in a bounded time, and remembers how far it came. */
import { fstatSync, readSync } from "node:fs";
import { readBytes, withOpenFile } from "../files/readLog.js";
import { agentOfFile } from "../log/layout.js";
import { LiveContext } from "./context.js";
import { LineFinder } from "./lineFinder.js";
import type { LiveSettings } from "./settings.js";
import type { SavedState, StateFile } from "./stateFile.js";

/** Of a log that has grown by more, only its end is read: what stands before it is never pointed at. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Less than this is read again the next time rather than remembered: not every call writes. */
const REMEMBER_BYTES = 16 * 1024;
/** On a slow disk the rest is for the next call. */
const MOST_MS = 250;
/** How often the clock is looked at. */
const PIECE_BYTES = 1024 * 1024;
/** Enough for the uuid of the last line. */
const TAIL_BYTES = 1024;

export interface LiveLog {
  readonly context: LiveContext;
  /** The log has been taken in to its end. */
  readonly isUpToDate: boolean;
}

export function readLive(log: string, settings: LiveSettings, state: StateFile): LiveLog {
  return withOpenFile(log, file => {
    const startedAt = Date.now();
    const { size, ino: inode } = fstatSync(file);
    const key = JSON.stringify(settings);
    const saved = state.load();
    const isKnown = saved?.settings === key && saved.inode === inode && isContinued(file, size, saved);
    const known = isKnown ? saved.context : undefined;
    const begin = known?.begin ?? Math.max(0, size - MOST_BYTES);
    const { offset: end, lines } = known?.reader ?? { offset: begin, lines: 0 };
    const finder = new LineFinder({ file, agentOfFile: agentOfFile(log), begin, end, lines });
    const lookUp = finder.find.bind(finder);
    const context = new LiveContext(log, settings, { begin, saved: known, lookUp });
    const from = context.consumed;
    let at = from;
    do at = readBytes(file, at, Math.min(size, at + PIECE_BYTES), bytes => context.push(bytes));
    while (at < size && Date.now() - startedAt < MOST_MS);
    if (context.consumed - from > REMEMBER_BYTES || finder.hasSearched) {
      state.save({ settings: key, inode, tail: tailAt(file, context.consumed), context: context.state });
    }
    return { context, isUpToDate: at >= size };
  });
}

/** Whether the log still begins as it did, and has not run away since. */
function isContinued(file: number, size: number, { context, tail }: SavedState): boolean {
  const { offset } = context.reader;
  if (size < offset || size - offset > MOST_BYTES) return false;
  return tailAt(file, offset) === tail;
}

function tailAt(file: number, end: number): string {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, end));
  readSync(file, bytes, 0, bytes.length, end - bytes.length);
  return bytes.toString("latin1");
}
