import { type ParseArgsConfig, parseArgs } from "node:util";
import { VERBOSITIES, type Verbosity } from "../dedup/hints.js";
import { DEFAULT_SETTINGS, type DedupSettings, type InvalidationMap } from "../dedup/settings.js";
import type { Looks } from "../engine/engineMessages.js";
import { readSmallFile } from "../files/smallFile.js";
import { type PriceTable, withPrices } from "../inspect/prices.js";
import { DEFAULT_STRATEGY_OPTIONS } from "../inspect/strategies.js";
import { CHARS_PER_TOKEN } from "../log/calibration.js";
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

/** An option that would change nothing is a mistake that somebody should hear of. */
export function onlyWith(values: OptionValues, names: readonly string[], holds: boolean, what: string): void {
  const given = holds ? undefined : names.find(name => values[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} requires ${what}`);
}

export function engineSettings(values: OptionValues): DedupSettings {
  return {
    capacity: wholeNumber(values, "capacity", 1) ?? DEFAULT_SETTINGS.capacity,
    minBytes: wholeNumber(values, "min-bytes", 0) ?? DEFAULT_SETTINGS.minBytes,
    nearRef: values["near-ref"] === true,
    verbosity: verbosityOf(text(values, "verbosity")),
    invalidates: invalidationsOf(text(values, "invalidates")),
  };
}

export function spanMinBytes(values: OptionValues): number {
  return wholeNumber(values, "span-min-bytes", 1) ?? DEFAULT_STRATEGY_OPTIONS.spanMinBytes;
}

/** The options that change how figures are made of what the engine did. */
export const LOOK_OPTIONS = {
  prices: { type: "string" },
  "chars-per-token": { type: "string" },
  "span-min-bytes": { type: "string" },
} satisfies OptionSpecs;

export function looksOf(values: OptionValues): Looks {
  return {
    strategies: { spanMinBytes: spanMinBytes(values) },
    prices: pricesOption(values),
    charsPerToken: charsPerToken(values),
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

function charsPerToken(values: OptionValues): number | undefined {
  const given = text(values, "chars-per-token");
  if (given === undefined) return undefined;
  const { least, most } = CHARS_PER_TOKEN;
  const value = Number(given);
  if (given.trim() === "" || !(value >= least && value <= most)) {
    throw new UsageError(`--chars-per-token must be a number from ${least} to ${most}, not "${given}"`);
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

/** `2026-01-31`, or with a time after it: `2026-01-31T23:59`, seconds and a zone as in ISO 8601 if need be. */
const DATE =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/;

/** A day, which begins as in UTC, or a time, by the clock of this machine unless it names a zone. As a sortable text. */
export function dateOption(values: OptionValues, name: string): string | undefined {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const day = DATE.exec(given)?.groups?.["day"];
  // A day that no month has is taken for one of the next month: then it does not come back as it was.
  if (day === undefined || !isSameDay(day)) {
    throw new UsageError(`--${name} must be a date such as 2026-01-31, or 2026-01-31T23:59, not "${given}"`);
  }
  return new Date(given.replace(" ", "T")).toISOString();
}

function isSameDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
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

/** More than any price list or map of tools that a person writes. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

function readJson(file: string, option: string): unknown {
  let bytes: Buffer;
  try {
    bytes = readSmallFile(file, { maxBytes: MAX_JSON_BYTES });
  } catch (error) {
    throw new UsageError(`--${option}: ${problemOf(error)}: ${file}`);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not valid JSON: ${error.message}` : "is not UTF-8 text";
    throw new UsageError(`--${option}: ${file} ${reason}`);
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
