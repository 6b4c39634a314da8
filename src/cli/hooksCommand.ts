import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { LogCache } from "../cache/logCache.js";
import { claudeFolders } from "../files/folders.js";
import { backupOf } from "../hook/install/backup.js";
import {
  type Change,
  ChangedMeanwhile,
  install,
  installedPlugins,
  isChange,
  openDoors,
  planInstall,
  planRestore,
  planUninstall,
  restore,
  uninstall,
} from "../hook/install/installer.js";
import { lineDiff } from "../hook/install/lineDiff.js";
import type { Doors } from "../hook/install/liveHooks.js";
import { chosenSettings } from "../hook/install/ownCopies.js";
import { removalOf } from "../hook/install/places.js";
import { type Places, settingsFilesOf } from "../hook/install/settingsFile.js";
import { endTrialWithoutHints, filesWithHints } from "../hook/install/trialEnd.js";
import { runningTrial, withoutTrial, withTrial } from "../hook/install/trials.js";
import type { SavedInSessions } from "../inspect/figures.js";
import { messageOf } from "../protocol/channel.js";
import { givenIn, toArguments } from "../settings/kinds.js";
import { type LiveSettings, NO_CHOICES, SCOPES, type Scope, settingsInForce } from "../settings/liveSettings.js";
import { HINTS } from "../settings/table.js";
import { reportOf } from "../sums/report.js";
import { defaultRoots, findLogs } from "../tail/discover.js";
import { aboutLiveHints } from "../words/liveHintsTexts.js";
import { strings } from "../words/strings.js";
import { fill, visible } from "../words/text.js";
import {
  type OptionValues,
  oneOf,
  onlyWith,
  optionsFor,
  readArguments,
  settingsIn,
  text,
  UsageError,
} from "./options.js";
import { replayLogs } from "./replayLogs.js";
import { painter, printLine, type Terminal, wrapped } from "./terminal.js";
import { endTrial, keptIn, tellingOfTrial, trialLine } from "./trialCommand.js";

const words = strings.liveHints;
const HINT_OPTIONS = optionsFor(HINTS);
const ACTIONS = ["install", "uninstall", "restore", "status", "end-trial"] as const;

/** The program to copy is next to this one. */
export function shippedProgram(): string {
  return join(__dirname, "hook.js");
}

export async function hooksCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, paths } = readArguments(args, {
    ...HINT_OPTIONS,
    scope: { type: "string" },
    "config-dir": { type: "string" },
    yes: { type: "boolean" },
    trial: { type: "boolean" },
    keep: { type: "string" },
  });
  const [action, ...more] = paths;
  if (action === undefined || more.length > 0) throw new UsageError(`hooks takes one of ${ACTIONS.join(", ")}`);
  const places = placesOf(values);
  const known = ACTIONS.find(name => name === action);
  if (known === undefined) throw new UsageError(`hooks takes one of ${ACTIONS.join(", ")}, not "${action}"`);
  onlyWith(values, [...Object.keys(HINT_OPTIONS), "trial"], known === "install", "hooks install");
  onlyWith(values, ["keep"], known === "end-trial", "hooks end-trial");
  onlyWith(values, ["scope", "yes"], known !== "status", "an action that changes something");
  if (known === "status") return status(places, terminal);
  const scope = scopeOf(values);
  const files = settingsFilesOf(scope, places);
  if (known === "end-trial") {
    return endTrial(keptIn(values), terminal, { withoutHints: () => turnOffEverywhere(places, values, terminal) });
  }
  userOnly(values);
  if (known === "install") return forEach(files, terminal, file => turnOn(file, scope, values, terminal));
  const change = async (file: string) => {
    if (known === "restore") return bringBack(file, values, terminal);
    await turnOff(file, scope, values, terminal);
    return 0;
  };
  return tellingOfTrial(terminal, () => forEach(files, terminal, change));
}

/** A file that cannot be changed does not stop the others. */
export async function forEach(
  files: readonly string[],
  terminal: Terminal,
  planAndChange: (file: string) => Promise<number>,
): Promise<number> {
  const change = (file: string) => asItIsNow(terminal, () => planAndChange(file));
  if (files.length === 1) return change(files[0] ?? "");
  let exitStatus = 0;
  for (const file of files) {
    try {
      exitStatus = Math.max(exitStatus, await change(file));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      terminal.say(messageOf(error));
      exitStatus = 1;
    }
  }
  return exitStatus;
}

/** More than this, and it is not a command next to this one that changes the file. */
const MAX_ATTEMPTS = 10;

/** If the file has changed while it was shown, the change is planned, shown and agreed to again. */
async function asItIsNow<T>(terminal: Terminal, planAndChange: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await planAndChange();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === MAX_ATTEMPTS) throw error;
      terminal.say(`${error.message}; trying again`);
    }
  }
}

async function turnOn(file: string, scope: Scope, values: OptionValues, terminal: Terminal): Promise<number> {
  const change = planInstall(file);
  const isTrial = values["trial"] === true;
  let hadTrial = false;
  const choose = (before: LiveSettings) => {
    const chosen = withOptions(before, values);
    hadTrial = runningTrial(chosen) !== undefined;
    return isTrial ? withTrial(chosen, scope === "user" ? undefined : process.cwd()) : withoutTrial(chosen);
  };
  const wanted = choose(chosenSettings() ?? NO_CHOICES);
  if (isChange(change)) {
    const saved = values["yes"] === true || !canAsk() ? null : await savedInSessions(wanted);
    for (const sentence of aboutLiveHints(saved)) terminal.out(`${wrapped(sentence, terminal.width)}\n\n`);
    terminal.out(`${words.scopes[scope]}${scope === "user" ? " (--scope local: only this one)" : ""}:\n`);
    show(change, terminal);
    if (scope === "project") terminal.out(`${words.shared}\n`);
    if (!(await agreed(words.on, values))) return refused(terminal);
  }
  const settings = await install(change, shippedProgram(), choose);
  printLine(terminal, isChange(change) ? fill(words.isOn, { file }) : `Live hints are already on: ${file}`);
  showSettings(settings, terminal);
  if (isTrial || hadTrial) terminal.out(trialLine(settings));
  if (isChange(change) && change.before !== undefined) {
    printLine(terminal, `Backup of the original file: ${backupOf(file)}`);
  }
  return 0;
}

/** Long enough for logs that were read before; a first read of gigabytes is not worth the wait. */
const MAX_READING_MS = 10_000;

/** What live hints would have saved so far; null if that takes too long, or if there is nothing to read. */
async function savedInSessions(chosen: LiveSettings): Promise<SavedInSessions | null> {
  const { logs } = findLogs(defaultRoots());
  if (logs.length === 0) return null;
  const settings = settingsInForce(chosen);
  const signal = AbortSignal.timeout(MAX_READING_MS);
  const options = { settings, keepEvents: false, keepDetails: false, keepFacts: false };
  const { data } = await replayLogs(logs, options, LogCache.ofUser(), undefined, signal);
  if (signal.aborted) return null;
  const { sessions, totals } = reportOf(data, settings, () => true);
  const { tokens, savedTokens, saved } = totals;
  return { sessions: sessions.length, tokens, savedTokens, wholeTokens: saved.whole.tokens + saved.near.tokens };
}

/** The given options replace everything chosen on the command line before. */
function withOptions(settings: LiveSettings, values: OptionValues): LiveSettings {
  const all = settingsIn(HINTS, values);
  return { ...settings, commandLine: Object.fromEntries(givenIn(HINTS, values).map(name => [name, all[name]])) };
}

function showSettings(settings: LiveSettings, terminal: Terminal): void {
  const changed = toArguments(HINTS, settingsInForce(settings), text => text);
  printLine(terminal, `Settings: ${changed.length === 0 ? "the defaults" : changed.join(" ")}`);
}

/** Returns false if the user declined. */
async function turnOff(file: string, scope: Scope, values: OptionValues, terminal: Terminal): Promise<boolean> {
  const change = planUninstall(file);
  if (isChange(change)) {
    show(change, terminal);
    if (!(await agreed(words.off, values))) {
      refused(terminal);
      return false;
    }
  }
  await uninstall(change);
  printLine(terminal, isChange(change) ? fill(words.isOff, { file }) : `Live hints are already off: ${file}`);
  for (const [id, isEnabled] of installedPlugins(file)) {
    const removal = removalOf({ id, scope });
    if (isEnabled) printLine(terminal, `The plugin ${id} still gives hints. To remove it, run: ${removal}`);
  }
  return true;
}

/** For the end of a trial: everywhere, or only where the user said. */
async function turnOffEverywhere(
  places: Places,
  values: OptionValues,
  terminal: Terminal,
): Promise<number | undefined> {
  const isNamed = values["scope"] !== undefined || values["config-dir"] !== undefined;
  const chosen = scopeOf(values);
  const known = SCOPES.flatMap(scope => settingsFilesOf(scope, places));
  const hasTarget = !isNamed && filesWithHints(known).length > 0;
  const { ended, declined, stillOn } = await endTrialWithoutHints(
    known,
    async file => {
      const scope = (isNamed ? undefined : scopeOfFile(file, places)) ?? chosen;
      try {
        const isOff = await asItIsNow(terminal, () => turnOff(file, scope, values, terminal));
        return isOff ? "off" : "declined";
      } catch (error) {
        if (error instanceof UsageError) throw error;
        terminal.say(messageOf(error));
        return "failed";
      }
    },
    hasTarget ? undefined : settingsFilesOf(chosen, places),
  );
  if (ended) return undefined;
  for (const file of stillOn) {
    const scope = scopeOfFile(file, places);
    terminal.say(`live hints are still on: ${file}${scope === undefined ? "" : ` (--scope ${scope})`}`);
  }
  if (stillOn.length > 0) terminal.say("without --scope and --config-dir, end-trial turns them off everywhere");
  return declined ? 0 : 1;
}

function scopeOfFile(file: string, places: Places): Scope | undefined {
  return SCOPES.find(scope => settingsFilesOf(scope, places).some(one => resolve(one) === file));
}

async function bringBack(file: string, values: OptionValues, terminal: Terminal): Promise<number> {
  const change = planRestore(file);
  show(change, terminal);
  if (!(await agreed("Restore the file to what it was before live hints?", values))) return refused(terminal);
  const kept = await restore(change);
  printLine(terminal, `The settings from before live hints were restored: ${file}`);
  if (kept !== undefined) printLine(terminal, `The broken file was kept as ${kept}`);
  return 0;
}

/** A file that cannot be read does not hide the others. */
function status(places: Places, terminal: Terminal): number {
  let exitStatus = 0;
  let isOn = false;
  for (const scope of SCOPES) {
    try {
      for (const file of settingsFilesOf(scope, places)) {
        const doors = openDoors(file);
        const plugins = installedPlugins(file);
        const hasPlugin = [...plugins.values()].includes(true);
        const isOpen = doors.mod || doors.hooks;
        printLine(terminal, `${scope.padEnd(8)} ${isOpen || hasPlugin ? "on " : "off"}  ${file}`);
        const lines = isOpen || hasPlugin ? doorLines(doors, hasPlugin) : [];
        for (const [id, isEnabled] of plugins) {
          if (isEnabled) lines.push(pluginLine(id, doors));
          else if (scope !== "user") lines.push(`plugin ${id}: off in this project`);
        }
        for (const line of lines) printLine(terminal, `${" ".repeat(14)}${line}`);
        isOn ||= isOpen;
      }
    } catch (error) {
      terminal.say(messageOf(error));
      exitStatus = 1;
    }
  }
  const settings = isOn ? chosenSettings() : undefined;
  if (settings !== undefined) showSettings(settings, terminal);
  if (settings?.trial !== undefined) terminal.out(trialLine(settings));
  return exitStatus;
}

function doorLines({ mod, hooks }: Doors, hasPlugin: boolean): string[] {
  const later = mod ? "mod" : hasPlugin ? "plugin" : hooks ? "hooks (the mod is turned off)" : "off";
  return [`Claude Code 2.1.287 and later: ${later}`, `earlier versions: ${hooks ? "hooks" : "off"}`];
}

/** Both see every session: the first one to see it gives hints there. */
function pluginLine(id: string, { mod }: Doors): string {
  const beside = mod ? "; in each session, either it or the mod above gives hints" : "";
  return `plugin ${id}: on, installed with claude plugin install${beside}`;
}

export function placesOf(values: OptionValues): Places {
  const named = text(values, "config-dir");
  if (named === "") throw new UsageError("--config-dir must name a folder");
  return { configFolders: () => (named === undefined ? claudeFolders() : [resolve(named)]), project: process.cwd() };
}

export function scopeOf(values: OptionValues): Scope {
  const given = text(values, "scope");
  return given === undefined ? "user" : oneOf(given, "scope", SCOPES);
}

/** A project's settings are in the project, wherever Claude Code's own folder is. */
export function userOnly(values: OptionValues): void {
  onlyWith(values, ["config-dir"], scopeOf(values) === "user", "--scope user");
}

export function show(change: Change, terminal: Terminal): void {
  const paint = painter(terminal.colour);
  const what = change.before === undefined ? " (new)" : change.after === undefined ? " (removed)" : "";
  terminal.out(`${paint("bold", visible(change.file))}${what}\n`);
  for (const { sign, text } of lineDiff(change)) {
    const line = `${sign} ${visible(text)}`;
    terminal.out(`${sign === " " ? line : paint(sign === "+" ? "green" : "red", line)}\n`);
  }
}

function canAsk(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

export async function agreed(question: string, values: OptionValues): Promise<boolean> {
  if (values["yes"] === true) return true;
  const { stdin: input, stdout: output } = process;
  if (!canAsk()) throw new UsageError("there is no terminal to ask for confirmation: use --yes");
  const asking = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

export function refused(terminal: Terminal): number {
  terminal.out("Nothing was changed.\n");
  return 0;
}
