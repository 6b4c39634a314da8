import {
  type Change,
  hasOtherStatusLine,
  install,
  isChange,
  planNoStatusLine,
  planStatusLine,
  uninstall,
} from "../hook/install/installer.js";
import { type Places, settingsFilesOf } from "../hook/install/settingsFile.js";
import { runHook as answer } from "../hook/status/statusLine.js";
import { SCOPES, type Scope } from "../settings/liveSettings.js";
import { agreed, forEach, placesOf, refused, scopeOf, shippedProgram, show, userOnly } from "./hooksCommand.js";
import { type OptionValues, readArguments, UsageError } from "./options.js";
import { printLine, type Terminal } from "./terminal.js";
import { tellingOfTrial } from "./trialCommand.js";

const OPTIONS = { scope: { type: "string" }, "config-dir": { type: "string" }, yes: { type: "boolean" } } as const;

/** Sets up Claude Code's status line or removes it. Claude Code itself runs the program `hook.js`: see start.ts. */
export async function statusLineCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, OPTIONS);
  const [action, ...more] = paths;
  if (args.length === 0 && !process.stdin.isTTY) return answered();
  if ((action !== "install" && action !== "uninstall") || more.length > 0) {
    throw new UsageError("statusline takes install or uninstall, or Claude Code's session data on stdin");
  }
  const [places, scope] = [placesOf(values), scopeOf(values)];
  userOnly(values);
  if (action === "install") expectNoneBelow(scope, places);
  const files = settingsFilesOf(scope, places);
  if (action === "install") return forEach(files, terminal, file => turnOn(planStatusLine(file), values, terminal));
  const change = (file: string) => turnOff(planNoStatusLine(file), values, terminal);
  return tellingOfTrial(terminal, () => forEach(files, terminal, change));
}

/** With bad session data, it prints less, or nothing. */
function answered(): number {
  try {
    answer();
  } catch {
    // As if there were no status line.
  }
  return 0;
}

/** A project's status line replaces the user's, so that must not be another program's. */
function expectNoneBelow(scope: Scope, places: Places): void {
  const below = SCOPES.slice(0, SCOPES.indexOf(scope)).flatMap(one => settingsFilesOf(one, places));
  const other = below.find(hasOtherStatusLine);
  if (other !== undefined) throw new Error(`${other}: it has a status line of its own; nothing was changed`);
}

async function turnOn(change: Change, values: OptionValues, terminal: Terminal): Promise<number> {
  if (isChange(change)) {
    show(change, terminal);
    if (!(await agreed("Set up the status line?", values))) return refused(terminal);
  }
  await install(change, shippedProgram());
  printLine(terminal, `The status line is ${isChange(change) ? "" : "already "}set up: ${change.file}`);
  return 0;
}

async function turnOff(change: Change, values: OptionValues, terminal: Terminal): Promise<number> {
  if (isChange(change)) {
    show(change, terminal);
    if (!(await agreed("Remove the status line?", values))) return refused(terminal);
  }
  await uninstall(change);
  const isRemoved = isChange(change);
  const what = isRemoved ? "The status line was removed" : "Dedup Inspector's status line is not set up";
  printLine(terminal, `${what}: ${change.file}`);
  return 0;
}
