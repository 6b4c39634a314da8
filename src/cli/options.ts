import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { VERBOSITIES, type Verbosity } from "../dedup/hints.js";
import { DEFAULT_SETTINGS, type DedupSettings, type InvalidationMap } from "../dedup/settings.js";
import { type PriceTable, withPrices } from "../inspect/prices.js";
import { DEFAULT_STRATEGY_OPTIONS } from "../inspect/strategies.js";
import type { Looks } from "../panel/engineMessages.js";
import { problemOf } from "../tail/discover.js";

/** Wrong usage: one line for the user, exit status 2. */
export class UsageError extends Error {}

type OptionSpecs = NonNullable<ParseArgsConfig["options"]>;

/** The options that change what the engine does, shared by all commands. */
export const ENGINE_OPTIONS = {
  capacity: { type: "string" },
  "min-bytes": { type: "string" },
  "near-ref": { type: "boolean" },
  verbosity: { type: "string" },
  invalidates: { type: "string" },
  "span-min-bytes": { type: "string" },
} satisfies OptionSpecs;

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** Parses a command's arguments; every mistake becomes one plain line. */
export function readArguments(args: string[], options: OptionSpecs): { values: OptionValues; paths: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    return { values: values as OptionValues, paths: positionals };
  } catch (error) {
    throw new UsageError(String((error as Error).message).split(/[.\n]/)[0]);
  }
}

export function engineSettings(values: OptionValues): DedupSettings {
  spanMinBytes(values);
  return {
    capacity: wholeNumber(values, "capacity", 1) ?? DEFAULT_SETTINGS.capacity,
    minBytes: wholeNumber(values, "min-bytes", 0) ?? DEFAULT_SETTINGS.minBytes,
    nearRef: values["near-ref"] === true,
    verbosity: verbosityOf(text(values, "verbosity")),
    invalidates: invalidationsOf(text(values, "invalidates")),
  };
}

/** Every command takes it; only span references use it. */
export function spanMinBytes(values: OptionValues): number {
  return wholeNumber(values, "span-min-bytes", 1) ?? DEFAULT_STRATEGY_OPTIONS.spanMinBytes;
}

/** The options that change how figures are made of what the engine did. */
export const LOOK_OPTIONS = {
  prices: { type: "string" },
  "chars-per-token": { type: "string" },
} satisfies OptionSpecs;

export function looksOf(values: OptionValues): Looks {
  return {
    strategies: { spanMinBytes: spanMinBytes(values) },
    prices: pricesOption(values),
    charsPerToken: positiveNumber(values, "chars-per-token"),
  };
}

/** The user's prices; undefined where none were named. */
function pricesOption(values: OptionValues): PriceTable | undefined {
  const file = text(values, "prices");
  if (file === undefined) return undefined;
  const prices = withPrices(readJson(file, "prices"), file);
  if (prices !== undefined) return prices;
  throw new UsageError(
    `${file} must map models to US dollars per million input tokens, such as {"claude-opus-5": 5, "mine": {"input": 3, "cacheRead": 0.3}}`,
  );
}

function positiveNumber(values: OptionValues, name: string): number | undefined {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new UsageError(`--${name} must be a number above 0, not "${given}"`);
  }
  return value;
}

export function text(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export function wholeNumber(values: OptionValues, name: string, least: number): number | undefined {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < least || !Number.isSafeInteger(value)) {
    throw new UsageError(`--${name} must be a whole number of at least ${least}, not "${given}"`);
  }
  return value;
}

export function oneOf<T extends string>(given: string, name: string, allowed: readonly T[]): T {
  const found = allowed.find(value => value === given);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${allowed.join(", ")}, not "${given}"`);
  return found;
}

/** A day or an exact time, as a sortable ISO text. */
export function dateOption(values: OptionValues, name: string): string | undefined {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const time = new Date(given);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`--${name} must be a date such as 2026-01-31, not "${given}"`);
  }
  return time.toISOString();
}

function verbosityOf(given: string | undefined): Verbosity {
  return given === undefined ? DEFAULT_SETTINGS.verbosity : oneOf(given, "verbosity", VERBOSITIES);
}

function invalidationsOf(file: string | undefined): InvalidationMap {
  if (file === undefined) return DEFAULT_SETTINGS.invalidates;
  const map = readJson(file, "invalidates");
  if (!isInvalidationMap(map)) {
    throw new UsageError(`${file} must map tool names to lists of tool names, such as {"Bash": ["Grep", "mcp__*"]}`);
  }
  return map;
}

function readJson(file: string, option: string): unknown {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--${option}: ${problemOf(error)}: ${file}`);
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new UsageError(`--${option}: ${file} is not valid JSON: ${(error as Error).message}`);
  }
}

function isInvalidationMap(value: unknown): value is InvalidationMap {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(list => Array.isArray(list) && list.every(name => typeof name === "string"))
  );
}
