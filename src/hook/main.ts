/** The hook program. Whatever goes wrong, Claude Code continues as if there were no hook. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/makeFolder.js";
import { isControl } from "../trial/assign.js";
import { answer, hookFolder } from "./answer.js";
import { type HookEvent, readEvent } from "./event.js";
import { HOOK_DEFAULTS, settingsFor } from "./hookSettings.js";
import { readInput } from "./input.js";
import { appendTo, writeAll } from "./ownFile.js";

/** Returns which parts of the program ran: see `PARTS`. `folder`: where the program is installed. */
export function runHook(args: readonly string[], folder?: string): number {
  let settings = HOOK_DEFAULTS;
  try {
    const chosen = settingsFor(args, folder);
    settings = chosen.settings;
    const event = readEvent(readInput());
    if (event === undefined || isHandledByMod(event)) return 0;
    const { output, parts } = answer(event, settings, { isControl: isControl(event.session, chosen.trial) });
    if (output !== undefined) write(`${JSON.stringify(output)}\n`);
    return parts;
  } catch (error) {
    note(hookFolder(settings), error);
    return 0;
  }
}

/** The mod provides the hints of sessions that it has marked (src/mod/register.ts). */
function isHandledByMod({ session }: HookEvent): boolean {
  return session !== "" && process.env["DEDUP_INSPECTOR_MOD"] === session;
}

/** If the write was incomplete, the exit code makes Claude Code ignore it. */
function write(text: string): void {
  try {
    writeAll(1, text);
  } catch (error) {
    process.exitCode = 1;
    throw error;
  }
}

const MAX_LOG_BYTES = 256 * 1024;

/** Writes one line to the hook's own log. If even that fails, there is no way to report it. */
function note(folder: string, error: unknown): void {
  try {
    const file = join(folder, "hook.log");
    makeFolder(folder);
    const isFull = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES;
    const line = `${new Date().toISOString()} ${String((error as Error)?.message ?? error).replace(/\s+/g, " ")}\n`;
    appendTo(file, line, { replace: isFull });
  } catch {
    // The tool's result reaches the model unchanged.
  }
}
