/**
 * Answers Claude Code's `statusLine`: session data as JSON on stdin, one line on stdout. The program is started after
 * every message, so it does little more than an empty one. If something goes wrong, it prints less, or nothing.
 */
import { fstatSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../files/folders.js";
import { readBytes, withOpenFile } from "../../files/openFile.js";
import type { ContextUse } from "../../inspect/contextUse.js";
import { type Members, membersOf, stringOf } from "../../log/record.js";
import { statusText } from "../../words/statusTexts.js";
import { isContinued, MAX_BYTES, MIN_SAVED_BYTES, partsRun, tailAt } from "../continuedLog.js";
import { readInput } from "../input.js";
import { writeAll } from "../ownFile.js";
import { quickName } from "../quick.js";
import { StateFile } from "../stateFile.js";
import { Repeats, type SavedRepeats } from "./repeats.js";

interface SavedStatus {
  readonly inode: number;
  /** The last bytes of the log that were read, to detect that it was replaced by another one. */
  readonly tail: string;
  readonly repeats: SavedRepeats;
}

/** Started like the hook. Returns which parts of the program ran: see `PARTS`. */
export function runHook(): number {
  const session = membersOf(readInput());
  const read = readLog(stringOf(session["transcript_path"]) ?? "");
  const { chars, repeated } = read?.repeats ?? { chars: 0, repeated: 0 };
  // Only percentages are shown, so characters work as well as tokens.
  const line = statusText({
    tokens: chars,
    savedTokens: repeated,
    realisedTokens: 0,
    use: contextUse(membersOf(session["context_window"])),
  });
  if (line !== "") writeAll(1, `${line}\n`);
  return read?.parts ?? 0;
}

/** How full the context is; undefined before the first answer, and after a compaction until the next. */
function contextUse(context: Members): ContextUse | undefined {
  const reported = context["used_percentage"];
  if (typeof reported === "number") return plausible(reported, 100);
  // Older versions of Claude Code do not compute the percentage.
  const usage = membersOf(context["current_usage"]);
  const size = context["context_window_size"];
  const parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map(name => usage[name]);
  const used = parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? part : 0), 0);
  return typeof size === "number" && used > 0 ? plausible(used, size) : undefined;
}

function plausible(tokens: number, window: number): ContextUse | undefined {
  return tokens >= 0 && tokens < 10 * window ? { tokens, window, cachedUntil: undefined } : undefined;
}

interface ReadLog {
  readonly repeats: Repeats;
  readonly parts: number;
}

function readLog(log: string): ReadLog | undefined {
  if (!log.endsWith(".jsonl")) return undefined;
  try {
    const state = new StateFile<SavedStatus>(join(cacheFolder(), "hook", `${quickName(log)}.status`));
    return withOpenFile(log, file => readNew(file, state));
  } catch {
    // Before the first message there is no log.
    return undefined;
  }
}

function readNew(file: number, state: StateFile<SavedStatus>): ReadLog {
  const { size, ino: inode } = fstatSync(file);
  const saved = state.load();
  const isKnown = saved?.inode === inode && isContinued(file, size, saved.repeats, saved);
  const repeats = new Repeats(Math.max(0, size - MAX_BYTES), isKnown ? saved.repeats : undefined);
  const from = repeats.consumed;
  readBytes(file, from, size, bytes => repeats.push(bytes));
  const isSaved = repeats.consumed - from > MIN_SAVED_BYTES;
  if (isSaved) state.save({ inode, tail: tailAt(file, repeats.consumed), repeats: repeats.state });
  return { repeats, parts: partsRun(size - from, isKnown, isSaved) };
}
