/** Settings as the engine takes them. A value that is not of its kind counts as not set: settings.json is hand-written. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { VERBOSITIES } from "../dedup/hints.js";
import { DEFAULT_SETTINGS, type DedupSettings, type InvalidationMap } from "../dedup/settings.js";
import { SETTINGS } from "./ids.js";

export const CAPACITY = { least: 1, most: 1000 };
export const MIN_BYTES = { least: 0, most: 1_000_000 };

export type Axis = "order" | "time";

export interface HostSettings {
  readonly engine: DedupSettings;
  /** Absolute paths; empty for Claude Code's own folders. */
  readonly logRoots: readonly string[];
  readonly axis: Axis;
  readonly followLive: boolean;
  readonly statusBar: boolean;
}

/** `get` gives a setting's value by its name after `dedup.`. */
export function settingsFrom(get: (name: string) => unknown): HostSettings {
  const verbosity = get(SETTINGS.hintVerbosity);
  return {
    engine: {
      capacity: wholeNumber(get(SETTINGS.capacity), CAPACITY, DEFAULT_SETTINGS.capacity),
      minBytes: wholeNumber(get(SETTINGS.minBytes), MIN_BYTES, DEFAULT_SETTINGS.minBytes),
      nearRef: get(SETTINGS.nearReference) === true,
      verbosity: VERBOSITIES.find(known => known === verbosity) ?? DEFAULT_SETTINGS.verbosity,
      invalidates: invalidationMap(get(SETTINGS.invalidates)),
    },
    logRoots: texts(get(SETTINGS.logRoots)).map(absolute),
    axis: get(SETTINGS.timelineAxis) === "time" ? "time" : "order",
    followLive: get(SETTINGS.followLive) !== false,
    statusBar: get(SETTINGS.statusBar) !== false,
  };
}

function wholeNumber(value: unknown, { least, most }: typeof CAPACITY, other: number): number {
  if (!Number.isSafeInteger(value)) return other;
  return Math.min(most, Math.max(least, value as number));
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === "string" && one.trim() !== "") : [];
}

function invalidationMap(value: unknown): InvalidationMap {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return DEFAULT_SETTINGS.invalidates;
  return Object.fromEntries(Object.entries(value).map(([tool, stale]) => [tool, texts(stale)]));
}

/** `~` is the home folder; any other relative path starts there too, as settings belong to no folder. */
function absolute(path: string): string {
  const trimmed = path.trim();
  return resolve(homedir(), /^~(?=$|[\\/])/.test(trimmed) ? join(homedir(), trimmed.slice(1)) : trimmed);
}
