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
}

/** All of the user's projects; this project, for everyone who works on it; this project, for the user alone. */
export const SCOPES = ["user", "project", "local"] as const;
export type Scope = (typeof SCOPES)[number];

/** By which ways into Claude Code live hints are on for a project: as a mod, as hooks, or both. */
export type LiveHintsState = "off" | "mod" | "hooks" | "both";

export const NO_CHOICES: LiveSettings = { commandLine: {}, vscode: {} };

/** How the file begins, by which it is known as ours. */
export const LIVE_SETTINGS_START = '{"dedup-inspector":"live hints"';

/** What makes no sense counts as not chosen. */
export function parseLiveSettings(text: string): LiveSettings {
  const { commandLine, vscode } = objectOf(jsonOf(text));
  return { commandLine: choicesIn(commandLine), vscode: choicesIn(vscode) };
}

export function renderLiveSettings({ commandLine, vscode }: LiveSettings): string {
  return `${LIVE_SETTINGS_START},"commandLine":${JSON.stringify(commandLine)},"vscode":${JSON.stringify(vscode)}}\n`;
}

export function settingsInForce({ commandLine, vscode }: LiveSettings): ValuesOf<typeof REPLAY> {
  return { ...defaultsOf(REPLAY), ...vscode, ...commandLine };
}

/** What VS Code says now. Where that is new, it takes the place of what was chosen on the command line. */
export function withConfiguration({ commandLine, vscode }: LiveSettings, now: Settings): LiveSettings {
  const before: Settings = { ...defaultsOf(HINTS), ...vscode };
  const changed = Object.keys(vscode).length === 0 ? [] : namesOf(now).filter(name => !isSame(before[name], now[name]));
  const kept = namesOf(commandLine).filter(name => !changed.includes(name));
  return { commandLine: only(kept, commandLine), vscode: only(namesOf(now), now) };
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
