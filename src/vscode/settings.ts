/** Settings as the engine takes them. A value that is not of its kind counts as not set: settings.json is hand-written. */
import { join, resolve } from "node:path";
import { VERBOSITIES } from "../dedup/hints.js";
import { DEFAULT_SETTINGS, type DedupSettings, type InvalidationMap } from "../dedup/settings.js";
import type { Looks } from "../engine/engineMessages.js";
import { homeFolder } from "../files/folders.js";
import { withPrices } from "../inspect/prices.js";
import { DEFAULT_STRATEGY_OPTIONS } from "../inspect/strategies.js";
import { CHARS_PER_TOKEN } from "../log/calibration.js";
import { SETTINGS } from "./ids.js";
import { texts } from "./strings.js";

export const CAPACITY = { least: 1, most: 1000 };
export const MIN_BYTES = { least: 0, most: 1_000_000 };
export const SPAN_MIN_BYTES = { least: 1, most: 1_000_000 };

export type Axis = "order" | "time";

export interface HostSettings {
  readonly engine: DedupSettings;
  readonly looks: Looks;
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
    looks: looksFrom(get),
    logRoots: textsIn(get(SETTINGS.logRoots)).map(absolute),
    axis: get(SETTINGS.timelineAxis) === "time" ? "time" : "order",
    followLive: get(SETTINGS.followLive) !== false,
    statusBar: get(SETTINGS.statusBar) !== false,
  };
}

function looksFrom(get: (name: string) => unknown): Looks {
  const charsPerToken = get(SETTINGS.charsPerToken);
  const prices = get(SETTINGS.prices);
  return {
    strategies: {
      spanMinBytes: wholeNumber(get(SETTINGS.spanMinBytes), SPAN_MIN_BYTES, DEFAULT_STRATEGY_OPTIONS.spanMinBytes),
    },
    charsPerToken:
      typeof charsPerToken === "number" && charsPerToken > 0 ? within(charsPerToken, CHARS_PER_TOKEN) : undefined,
    // None set, and nothing is said to be from the settings.
    prices: Object.keys(prices ?? {}).length === 0 ? undefined : withPrices(prices, texts.priceSource),
  };
}

function wholeNumber(value: unknown, range: typeof CAPACITY, other: number): number {
  return Number.isSafeInteger(value) ? within(value as number, range) : other;
}

function within(value: number, { least, most }: typeof CAPACITY): number {
  return Math.min(most, Math.max(least, value));
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === "string" && one.trim() !== "") : [];
}

function invalidationMap(value: unknown): InvalidationMap {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return DEFAULT_SETTINGS.invalidates;
  return Object.fromEntries(Object.entries(value).map(([tool, stale]) => [tool, textsIn(stale)]));
}

/** `~` is the home folder; any other relative path starts there too, as settings belong to no folder. */
function absolute(path: string): string {
  const trimmed = path.trim();
  const home = homeFolder();
  return resolve(home, /^~(?=$|[\\/])/.test(trimmed) ? join(home, trimmed.slice(1)) : trimmed);
}
