/**
 * What live hints go by: one file that the command line and VS Code write, and that the hook program and the mod read. A
 * choice on the command line counts until it is made anew there, or until that very setting changes in VS Code.
 */
import { defaultsOf, fromMembers, type ValuesOf } from "./kinds.js";
import { HINTS, REPLAY } from "./table.js";

type Settings = ValuesOf<typeof HINTS>;
type Choices = Partial<Settings>;

export interface LiveSettings {
  /** What `hooks install` was told. */
  readonly commandLine: Choices;
  /** What the user's settings in VS Code said last; empty if it never said anything. */
  readonly vscode: Choices;
  readonly trial?: Trial | undefined;
}

/** Sessions are given hints or not, by chance, to find out what hints do. */
export interface Trial {
  /** Decides which sessions are: see trial/assign.ts. Nobody else must know it. */
  readonly key: string;
  /** Only sessions that began in between count, as ISO 8601; `until` is undefined as long as it runs. */
  readonly since: string;
  readonly until?: string | undefined;
  /** Only sessions in this folder count, if live hints are on nowhere else. */
  readonly folder?: string | undefined;
}

/** All of the user's projects; this project, for everyone who works on it; this project, for the user alone. */
export const SCOPES = ["user", "project", "local"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * By which ways into Claude Code live hints are on for a project: as a mod, as hooks, or both. "plugin": only as the mod
 * that `claude plugin install` has brought, which only Claude Code's own commands turn off.
 */
export type LiveHintsState = "off" | "mod" | "hooks" | "both" | "plugin";

export const NO_CHOICES: LiveSettings = { commandLine: {}, vscode: {} };

/** Its name, in the program's data folder. */
export const LIVE_SETTINGS_FILE = "liveHints.json";

/** How the file begins, by which it is known as ours. */
export const LIVE_SETTINGS_START = '{"dedup-inspector":"live hints"';

/** What makes no sense counts as not chosen. */
export function parseLiveSettings(text: string): LiveSettings {
  const { commandLine, vscode, trial } = objectOf(jsonOf(text));
  const known = trialIn(trial);
  return { commandLine: choicesIn(commandLine), vscode: choicesIn(vscode), ...(known && { trial: known }) };
}

export function renderLiveSettings({ commandLine, vscode, trial }: LiveSettings): string {
  const members = Object.entries({ commandLine, vscode, trial }).filter(([, value]) => value !== undefined);
  const texts = members.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `${LIVE_SETTINGS_START}${texts.join("")}}\n`;
}

export function settingsInForce({ commandLine, vscode }: LiveSettings): ValuesOf<typeof REPLAY> {
  return { ...defaultsOf(REPLAY), ...vscode, ...commandLine };
}

/** What VS Code says now. Where that is new, it takes the place of what was chosen on the command line. */
export function withConfiguration({ commandLine, vscode, ...rest }: LiveSettings, now: Settings): LiveSettings {
  const before: Settings = { ...defaultsOf(HINTS), ...vscode };
  const changed = Object.keys(vscode).length === 0 ? [] : namesOf(now).filter(name => !isSame(before[name], now[name]));
  const kept = namesOf(commandLine).filter(name => !changed.includes(name));
  return { ...rest, commandLine: only(kept, commandLine), vscode: only(namesOf(now), now) };
}

/** A trial without a key or a beginning is none. */
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
