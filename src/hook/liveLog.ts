/** Reads what was added to a log since the last call, in bounded time, and saves how far it got. */
import { readBytes, withOpenFile } from "../files/openFile.js";
import { agentOfFile } from "../log/sessionFiles.js";
import { isContinued, MAX_BYTES, MIN_SAVED_BYTES, partsRun, tailAt } from "./continuedLog.js";
import type { HookSettings } from "./hookSettings.js";
import { LineFinder } from "./lineFinder.js";
import { LiveContext } from "./liveContext.js";
import type { StateFile } from "./stateFile.js";

/** On a slow disk, the next call reads the rest. */
const MAX_MS = 250;
/** How much to read between two checks of the time. */
const PIECE_BYTES = 1024 * 1024;

export interface LiveLog {
  readonly context: LiveContext;
  /** The log has been read to its end. */
  readonly isUpToDate: boolean;
  /** Which of `PARTS` ran; 0 if far more was read than in most calls. */
  readonly parts: number;
}

/** `wanted`: the text to answer, see `LiveOptions`. */
export function readLive(log: string, settings: HookSettings, state: StateFile, wanted?: string): LiveLog {
  return withOpenFile(log, (file, { size, ino: inode }) => {
    const startedAt = Date.now();
    const key = JSON.stringify(settings);
    const saved = state.load();
    const isKnown =
      saved?.settings === key && saved.inode === inode && isContinued(file, size, saved.context.reader, saved);
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
    const isSaved = context.consumed - from > MIN_SAVED_BYTES || finder.hasSearched;
    if (isSaved) {
      state.save({ settings: key, inode, tail: tailAt(file, context.consumed), context: context.state });
    }
    return { context, isUpToDate: at >= size, parts: partsRun(at - from, isKnown, isSaved) };
  });
}
