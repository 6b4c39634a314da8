/**
 * Claude Code does not return an unchanged file again: it tells the model that it already has it. If the model got hints
 * instead of the file, it gets the text now.
 */
import { expandedText } from "../dedup/runs/expand.js";
import { numberedPart } from "../dedup/runs/numbered.js";
import { unnumbered } from "../dedup/toolShapes.js";
import { membersOf } from "../log/record.js";
import { kindOfTool, pathOfCall, rangeOfCall } from "../log/tools.js";
import { PARTS, withPart } from "./continuedLog.js";
import type { HookEvent } from "./event.js";
import { type HintParts, MAX_WAITS, type Replacement, WAIT_MS } from "./hint.js";
import type { JournalEntry } from "./journal.js";
import type { HintedRead } from "./liveContext.js";
import { readLive } from "./liveLog.js";
import { LogTexts } from "./logTexts.js";
import { sleep } from "./ownFile.js";

/** If the log does not have hints for the file so far, they could only be in what it gets next. */
const FEW_WAITS = 12;

export function isUnchangedFile({ tool, response }: HookEvent): boolean {
  return tool === "Read" && membersOf(response)["type"] === "file_unchanged";
}

/** What Claude Code would have returned if it had read the file; nothing if the model really has it. */
export function restoredRead(
  event: HookEvent,
  { settings, state, journal }: Pick<HintParts, "settings" | "state" | "journal">,
): Replacement {
  const { tool, input, cwd, log, call } = event;
  const path = pathOfCall(kindOfTool(tool), input, cwd);
  let clearedAt: number | undefined;
  for (let waits = 0; ; waits++) {
    const { context, isUpToDate, parts } = readLive(log, settings, state);
    // The next round may continue after it.
    clearedAt = context.clearedAt ?? clearedAt;
    const unchanged = { parts, clearedAt };
    if (context.hasResult(call)) return unchanged;
    const hinted = path === undefined ? undefined : context.hintedRead(path, rangeOfCall(tool, input));
    // The log may be about to get something that changed or read the file.
    if (!isUpToDate || !context.hasCall(call)) {
      if (waits >= (hinted === undefined ? FEW_WAITS : MAX_WAITS)) return unchanged;
      sleep(WAIT_MS);
      continue;
    }
    if (hinted === undefined || path === undefined) return unchanged;
    if (journal.entries().some(entry => endsRead(entry, hinted, path))) return unchanged;
    return { output: fileOf(hinted, path, log), parts: withPart(parts, PARTS.restored), clearedAt };
  }
}

/** Edits whose results the log does not have yet. The stub does not refer to anything read before a resume. */
function endsRead(entry: JournalEntry, { place }: HintedRead, path: string): boolean {
  return entry.at > place.offset && ("begun" in entry || ("edited" in entry && entry.edited === path));
}

const COLON = /^\d+:/;
/** Only a line feed ends a line: what follows a carriage return is the file's own text. */
const COLONS = /(?<![^\n])(\d+):/g;

function fileOf({ place, sources }: HintedRead, path: string, log: string): unknown {
  return LogTexts.with(log, texts => {
    const textOf = (id: string, input: string | undefined) => {
      const source = sources.find(one => one.id === id && one.input === input);
      return source && texts.at(source);
    };
    const { file } = texts.responseAt(place.offset);
    const { filePath = path, totalLines } = membersOf(file);
    const hinted = texts.at(place) ?? "";
    const expanded = expandedText(hinted, textOf) ?? "";
    // Turns the colons that some files have back into tabs: only the numbers are removed below.
    const text = COLON.test(hinted) ? expanded.replace(COLONS, "$1\t") : expanded;
    const part = numberedPart(text);
    if (part === undefined) return undefined;
    const { content, startLine } = unnumbered(text.slice(part.begin, part.end));
    const numLines = content.split("\n").length;
    const shown = { filePath, content, numLines, startLine };
    return { type: "text", file: { ...shown, totalLines: totalLines ?? startLine + numLines - 1 } };
  });
}
