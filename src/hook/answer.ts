/** One event in, at most one answer out. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { compileInvalidation } from "../dedup/settings.js";
import { EXPLANATION, SPAN_EXPLANATION } from "../log/explanation.js";
import { kindOfTool, pathOfCall } from "../log/tools.js";
import { cacheFolder } from "../tail/folders.js";
import type { HookEvent } from "./event.js";
import { hintFor, replaceable } from "./hint.js";
import { Journal } from "./journal.js";
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
      const updatedToolOutput = shape && hintFor(event, shape, parts);
      noteChanges(event, settings, journal);
      if (updatedToolOutput === undefined) return { reach: shape === undefined ? 0 : 1 };
      return { said: { hookSpecificOutput: { hookEventName: event.name, updatedToolOutput } }, reach: 2 };
    }
    case "PreCompact":
      journal.add({ at: sizeOf(event.log), compacting: true });
      return SILENCE;
    case "PostCompact":
      noteCompaction(event, journal);
      return SILENCE;
    case "SessionStart":
      if (existsSync(hookFolder(settings))) tidy(hookFolder(settings));
      return { said: beginSession(event, settings, journal), reach: 0 };
    default:
      return SILENCE;
  }
}

const SILENCE: Answer = { reach: 0 };

/** A change is known here before its result is in the log, where a call of the same message may already look. */
function noteChanges({ tool, input, cwd, log }: HookEvent, { engine }: HookSettings, journal: Journal): void {
  const kind = kindOfTool(tool);
  const edited = kind === "mutate" ? pathOfCall(kind, input, cwd) : undefined;
  if (edited !== undefined) journal.add({ at: sizeOf(log), edited });
  if (compileInvalidation(engine.invalidates)(tool) !== undefined) journal.add({ at: sizeOf(log), ran: tool });
}

/** Where the beginning of the compaction was noted, the log tells the rest. */
function noteCompaction({ log }: HookEvent, journal: Journal): void {
  const isNoted = journal.entries().some(entry => "compacting" in entry);
  if (!isNoted) journal.add({ at: sizeOf(log), compacting: true });
}

function beginSession(event: HookEvent, { spans }: HookSettings, journal: Journal): unknown {
  if (event.source === "compact") noteCompaction(event, journal);
  else if (event.source !== "startup") journal.add({ at: sizeOf(event.log), begun: true });
  // A session that is taken up again still has the explanation in its history.
  if (event.source === "resume" || event.source === "fork") return undefined;
  const additionalContext = spans ? SPAN_EXPLANATION : EXPLANATION;
  return { hookSpecificOutput: { hookEventName: event.name, additionalContext } };
}

function sizeOf(log: string): number {
  return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
}
