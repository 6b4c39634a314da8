/** Answers one Claude Code event. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { compileInvalidation } from "../dedup/settings.js";
import { cacheFolder } from "../files/folders.js";
import { EXPLANATION, SPAN_EXPLANATION } from "../log/explanation.js";
import { kindOfTool, pathOfCall } from "../log/tools.js";
import { clearedTexts } from "./clearedTexts.js";
import { lostTexts } from "./compactedTexts.js";
import type { HookEvent } from "./event.js";
import { hintFor, type Replacement, replaceable } from "./hint.js";
import type { HookSettings } from "./hookSettings.js";
import { Journal, SOMEWHERE } from "./journal.js";
import { quickName } from "./quick.js";
import { refusal } from "./refusal.js";
import { isUnchangedFile, restoredRead } from "./restored.js";
import { removeOldSessions, StateFile } from "./stateFile.js";

export function hookFolder(settings: HookSettings): string {
  return settings.folder ?? join(cacheFolder(), "hook");
}

export interface Answer {
  /** Written to stdout as JSON; undefined if there is no answer. */
  readonly output?: unknown;
  /** Which parts of the program ran: see `PARTS`. */
  readonly parts: number;
}

export interface AnswerOptions {
  /** Whether asking again brings the text; false only for comparison with a replay, which provides no texts. */
  readonly honorsReasks?: boolean;
  /** The session gets no hints and is told about none: it is in a trial's control group. */
  readonly isControl?: boolean;
}

export function answer(event: HookEvent, settings: HookSettings, options: AnswerOptions = {}): Answer {
  const { honorsReasks = true, isControl = false } = options;
  const name = join(hookFolder(settings), quickName(event.log));
  const journal = new Journal(`${name}.journal`);
  switch (event.name) {
    case "PostToolUse": {
      const shape = isControl ? undefined : replaceable(event, settings);
      const given = { settings, state: new StateFile(`${name}.state`), journal, honorsReasks };
      try {
        const {
          output: updatedToolOutput,
          parts,
          clearedAt,
        }: Replacement = shape
          ? hintFor(event, shape, given)
          : isUnchangedFile(event)
            ? restoredRead(event, given)
            : SILENCE;
        const lost = clearedAt === undefined ? "" : clearedTexts(event.log, clearedAt, journal);
        const additionalContext = lost === "" ? undefined : `${explanationOf(settings)}\n${lost}`;
        const isSilent = updatedToolOutput === undefined && additionalContext === undefined;
        return {
          ...(!isSilent && { output: specific(event, { updatedToolOutput, additionalContext }) }),
          // Looking for lost texts reads far more than most calls do.
          parts: clearedAt === undefined ? parts : 0,
        };
      } finally {
        noteChanges(event, settings, journal);
      }
    }
    case "PreToolUse": {
      const refused = refusal(event);
      return refused === undefined ? SILENCE : { output: specific(event, refused), parts: 0 };
    }
    case "PreCompact":
      journal.add({ at: endOf(event.log), compacting: true });
      return SILENCE;
    case "PostCompact":
      noteCompaction(event, journal);
      return SILENCE;
    case "SessionStart":
      noteBeginning(event, journal);
      removeOldSessions(hookFolder(settings));
      return { output: explanation(event, settings, isControl), parts: 0 };
    case "SubagentStart":
      return { output: explanation(event, settings, isControl), parts: 0 };
    default:
      return SILENCE;
  }
}

const SILENCE: Answer = { parts: 0 };

/** An answer that depends on the event's name. */
function specific({ name }: HookEvent, members: object): unknown {
  return { hookSpecificOutput: { hookEventName: name, ...members } };
}

/** Recorded before the log has the result: another call of the same message may be looking for hints already. */
function noteChanges({ tool, input, cwd, log }: HookEvent, { engine }: HookSettings, journal: Journal): void {
  const kind = kindOfTool(tool);
  const edited = kind === "mutate" ? pathOfCall(kind, input, cwd) : undefined;
  if (edited !== undefined) journal.add({ at: endOf(log), edited });
  if (compileInvalidation(engine.invalidates)(tool) !== undefined) journal.add({ at: endOf(log), ran: tool });
}

/** If the start of the compaction was recorded, the log has the rest. */
function noteCompaction({ log }: HookEvent, journal: Journal): void {
  if (!isCompacting(journal)) journal.add({ at: endOf(log), compacting: true });
}

/** False for an unreadable journal; it is still written to, in case it becomes readable. */
function isCompacting(journal: Journal): boolean {
  try {
    return journal.entries().some(entry => "compacting" in entry);
  } catch {
    return false;
  }
}

/** No hint refers to anything before: a resumed session may have lost some of it. */
function noteBeginning(event: HookEvent, journal: Journal): void {
  if (event.source === "compact") return noteCompaction(event, journal);
  if (event.source === "startup") return;
  const end = endOf(event.log);
  // A log that does not exist yet will begin with a copy of another one.
  journal.add({ at: end === 0 && isResumed(event) ? SOMEWHERE : end, begun: true });
}

function isResumed({ source }: HookEvent): boolean {
  return source === "resume" || source === "fork";
}

function explanation(event: HookEvent, settings: HookSettings, isControl: boolean): unknown {
  // A resumed session still has the explanation in its history.
  if (isResumed(event)) return undefined;
  const lost = event.source === "compact" ? lostTextsIn(event.log) : "";
  const what = isControl ? "" : explanationOf(settings);
  const additionalContext = [what, lost].filter(text => text !== "").join("\n");
  return additionalContext === "" ? undefined : specific(event, { additionalContext });
}

function explanationOf({ engine: { runs } }: HookSettings): string {
  return runs ? SPAN_EXPLANATION : EXPLANATION;
}

function lostTextsIn(log: string): string {
  try {
    return lostTexts(log);
  } catch {
    // An unreadable log has no hints: giving one requires reading it.
    return "";
  }
}

/** The log's current size; `SOMEWHERE` if unknown. */
function endOf(log: string): number {
  try {
    return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return SOMEWHERE;
  }
}
