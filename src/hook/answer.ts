/** One event in, at most one answer out. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { compileInvalidation } from "../dedup/settings.js";
import { cacheFolder } from "../files/folders.js";
import { EXPLANATION, SPAN_EXPLANATION } from "../log/explanation.js";
import { kindOfTool, pathOfCall } from "../log/tools.js";
import type { HookEvent } from "./event.js";
import { hintFor, replaceable } from "./hint.js";
import { Journal, SOMEWHERE } from "./journal.js";
import { lostTexts } from "./lostTexts.js";
import { quickName } from "./quick.js";
import type { HookSettings } from "./settings.js";
import { StateFile } from "./stateFile.js";
import { tidy } from "./tidy.js";

export function hookFolder(settings: HookSettings): string {
  return settings.folder ?? join(cacheFolder(), "hook");
}

export interface Answer {
  /** What goes to stdout, as an object; undefined for nothing. */
  readonly said?: unknown;
  /** How much of the program it took: 1 where the log was looked at, 2 for a hint, else 0. */
  readonly reach: number;
}

export function answer(event: HookEvent, settings: HookSettings): Answer {
  const name = join(hookFolder(settings), quickName(event.log));
  const journal = new Journal(`${name}.journal`);
  switch (event.name) {
    case "PostToolUse": {
      const shape = replaceable(event, settings);
      const parts = { settings, state: new StateFile(`${name}.state`), journal };
      try {
        const updatedToolOutput = shape && hintFor(event, shape, parts);
        if (updatedToolOutput === undefined) return { reach: shape === undefined ? 0 : 1 };
        return { said: { hookSpecificOutput: { hookEventName: event.name, updatedToolOutput } }, reach: 2 };
      } finally {
        noteChanges(event, settings, journal);
      }
    }
    case "PreCompact":
      journal.add({ at: endOf(event.log), compacting: true });
      return SILENCE;
    case "PostCompact":
      noteCompaction(event, journal);
      return SILENCE;
    case "SessionStart":
      noteBeginning(event, journal);
      tidy(hookFolder(settings));
      return { said: explanation(event, settings), reach: 0 };
    default:
      return SILENCE;
  }
}

const SILENCE: Answer = { reach: 0 };

/** A change is known here before its result is in the log, where a call of the same message may already look. */
function noteChanges({ tool, input, cwd, log }: HookEvent, { engine }: HookSettings, journal: Journal): void {
  const kind = kindOfTool(tool);
  const edited = kind === "mutate" ? pathOfCall(kind, input, cwd) : undefined;
  if (edited !== undefined) journal.add({ at: endOf(log), edited });
  if (compileInvalidation(engine.invalidates)(tool) !== undefined) journal.add({ at: endOf(log), ran: tool });
}

/** Where the beginning of the compaction was noted, the log tells the rest. */
function noteCompaction({ log }: HookEvent, journal: Journal): void {
  if (!isCompacting(journal)) journal.add({ at: endOf(log), compacting: true });
}

/** A journal that cannot be read says nothing; it is still written to, for when it can be. */
function isCompacting(journal: Journal): boolean {
  try {
    return journal.entries().some(entry => "compacting" in entry);
  } catch {
    return false;
  }
}

/** What was there before is not pointed at: a session that is taken up again may have lost some of it. */
function noteBeginning(event: HookEvent, journal: Journal): void {
  if (event.source === "compact") return noteCompaction(event, journal);
  if (event.source === "startup") return;
  const end = endOf(event.log);
  // A log that is not there yet will begin with what another one holds.
  journal.add({ at: end === 0 && isTakenUp(event) ? SOMEWHERE : end, begun: true });
}

function isTakenUp({ source }: HookEvent): boolean {
  return source === "resume" || source === "fork";
}

function explanation(event: HookEvent, { spans }: HookSettings): unknown {
  // A session that is taken up again still has it in its history.
  if (isTakenUp(event)) return undefined;
  const lost = event.source === "compact" ? lostTextsIn(event.log) : "";
  const additionalContext = [spans ? SPAN_EXPLANATION : EXPLANATION, lost].filter(text => text !== "").join("\n");
  return { hookSpecificOutput: { hookEventName: event.name, additionalContext } };
}

function lostTextsIn(log: string): string {
  try {
    return lostTexts(log);
  } catch {
    // A log that cannot be read has no hints either: none was given without reading it.
    return "";
  }
}

/** How far the log goes; where that cannot be told, any place may be meant. */
function endOf(log: string): number {
  try {
    return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return SOMEWHERE;
  }
}
