/**
 * The settings of live hints: one file that the command line and VS Code write, and that the hook program and the mod
 * read. A choice on the command line applies until it is made again there, or until that setting changes in VS Code.
 */
import { defaultsOf, fromMembers, type ValuesOf } from "./kinds.js";
import { HINTS, REPLAY } from "./table.js";

type Settings = ValuesOf<typeof HINTS>;
type Choices = Partial<Settings>;

export interface LiveSettings {
  /** The options of `hooks install`. */
  readonly commandLine: Choices;
  /** The last known settings of the user in VS Code; empty if there were none. */
  readonly vscode: Choices;
  readonly trial?: Trial | undefined;
  /** Live hints are off everywhere, and only the record of a trial is left. */
  readonly isOff?: true | undefined;
}

/** Some sessions get hints and others do not, at random, to measure the effect of hints. */
export interface Trial {
  /** Decides which sessions get hints: see trial/assign.ts. Must stay secret. */
  readonly key: string;
  /** Only sessions that began in between count, as ISO 8601; `until` is undefined while the trial is running. */
  readonly since: string;
  readonly until?: string | undefined;
  /** Only sessions in this folder count, if live hints are on nowhere else. */
  readonly folder?: string | undefined;
}

/** All of the user's projects; this project, for everyone who works on it; this project, for the user alone. */
export const SCOPES = ["user", "project", "local"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Through which doors live hints are on for a project: as a mod, as hooks, or both. "plugin": only as the mod that
 * `claude plugin install` installed, which only Claude Code's own commands turn off.
 */
export type LiveHintsState = "off" | "mod" | "hooks" | "both" | "plugin";

export const NO_CHOICES: LiveSettings = { commandLine: {}, vscode: {} };

/** The file's name, in the program's data folder. */
export const LIVE_SETTINGS_FILE = "liveHints.json";

/** The start of the file, which identifies it as ours. */
export const LIVE_SETTINGS_START = '{"dedup-inspector":"live hints"';

/** Invalid values count as not chosen. */
export function parseLiveSettings(text: string): LiveSettings {
  const { commandLine, vscode, trial, isOff } = objectOf(jsonOf(text));
  const known = trialIn(trial);
  return {
    commandLine: choicesIn(commandLine),
    vscode: choicesIn(vscode),
    ...(known && { trial: known }),
    ...(isOff === true && { isOff }),
  };
}

export function renderLiveSettings({ commandLine, vscode, trial, isOff }: LiveSettings): string {
  const members = Object.entries({ commandLine, vscode, trial, isOff }).filter(([, value]) => value !== undefined);
  const texts = members.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `${LIVE_SETTINGS_START}${texts.join("")}}\n`;
}

export function settingsInForce({ commandLine, vscode }: LiveSettings): ValuesOf<typeof REPLAY> {
  return { ...defaultsOf(REPLAY), ...vscode, ...commandLine };
}

/** Applies VS Code's current settings. Changed ones override what was chosen on the command line. */
export function withConfiguration({ commandLine, vscode, ...rest }: LiveSettings, now: Settings): LiveSettings {
  const before: Settings = { ...defaultsOf(HINTS), ...vscode };
  const changed = Object.keys(vscode).length === 0 ? [] : namesOf(now).filter(name => !isSame(before[name], now[name]));
  const kept = namesOf(commandLine).filter(name => !changed.includes(name));
  return { ...rest, commandLine: only(kept, commandLine), vscode: only(namesOf(now), now) };
}

/** Ignores a trial without a key or a start. */
function trialIn(value: unknown): Trial | undefined {
  const { key, since, until, folder } = objectOf(value);
  if (typeof key !== "string" || key === "" || typeof since !== "string") return undefined;
  return {
    key,
    since,
    ...(typeof until === "string" && { until }),
    ...(typeof folder === "string" && { folder }),
  };
}

function choicesIn(value: unknown): Choices {
  return fromMembers(HINTS, objectOf(value), "live hints");
}

function namesOf(choices: Choices): (keyof Settings)[] {
  return Object.keys(HINTS).filter((name): name is keyof Settings => name in choices);
}

function only(names: readonly (keyof Settings)[], choices: Choices): Choices {
  return Object.fromEntries(names.map(name => [name, choices[name]]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
