/** Reads what was added to a log since the last call, in bounded time, and saves how far it got. */
import { fstatSync, readSync } from "node:fs";
import { readBytes, withOpenFile } from "../files/openFile.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { LiveContext } from "./context.js";
import { LineFinder } from "./lineFinder.js";
import type { HookSettings } from "./settings.js";
import type { SavedState, StateFile } from "./stateFile.js";

/** If a log has grown by more, only its end is read, and no hint refers to what is before. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Less than this is read again by the next call, so that not every call has to write. */
const MIN_SAVED_BYTES = 8 * 1024;
/** On a slow disk, the next call reads the rest. */
const MAX_MS = 250;
/** How much is read between two checks of the time. */
const PIECE_BYTES = 1024 * 1024;
/** Enough for the uuid of the last line. */
const TAIL_BYTES = 1024;

export interface LiveLog {
  readonly context: LiveContext;
  /** The log has been read to its end. */
  readonly isUpToDate: boolean;
}

/** `wanted`: the text to be answered, see `LiveOptions`. */
export function readLive(log: string, settings: HookSettings, state: StateFile, wanted?: string): LiveLog {
  return withOpenFile(log, file => {
    const startedAt = Date.now();
    const { size, ino: inode } = fstatSync(file);
    const key = JSON.stringify(settings);
    const saved = state.load();
    const isKnown = saved?.settings === key && saved.inode === inode && isContinued(file, size, saved);
    const known = isKnown ? saved.context : undefined;
    const begin = known?.begin ?? Math.max(0, size - MAX_BYTES);
    const { offset: end, lines } = known?.reader ?? { offset: begin, lines: 0 };
    const finder = new LineFinder({ file, agentOfFile: agentOfFile(log), begin, end, lines });
    const lookUp = finder.find.bind(finder);
    const context = new LiveContext(log, settings, { begin, saved: known, lookUp, wanted });
    const from = context.consumed;
    let at = from;
    do at = readBytes(file, at, Math.min(size, at + PIECE_BYTES), bytes => context.push(bytes));
    while (at < size && Date.now() - startedAt < MAX_MS);
    if (context.consumed - from > MIN_SAVED_BYTES || finder.hasSearched) {
      state.save({ settings: key, inode, tail: tailAt(file, context.consumed), context: context.state });
    }
    return { context, isUpToDate: at >= size };
  });
}

/** Whether this is still the same log, and has not grown by too much. */
function isContinued(file: number, size: number, { context, tail }: SavedState): boolean {
  const { offset } = context.reader;
  if (size < offset || size - offset > MAX_BYTES) return false;
  return tailAt(file, offset) === tail;
}

function tailAt(file: number, end: number): string {
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, end));
  readSync(file, bytes, 0, bytes.length, end - bytes.length);
  return bytes.toString("latin1");
}
