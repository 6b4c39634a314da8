import { type ParseArgsConfig, parseArgs } from "node:util";
import { problemOf, readSmallFile } from "../files/openFile.js";
import { sortableTime } from "../log/times.js";
import { messageOf } from "../protocol/channel.js";
import {
  fromOptions,
  type OptionValues,
  parseWholeNumber,
  type SettingTable,
  UsageError,
  type ValuesOf,
} from "../settings/kinds.js";

export { type OptionValues, oneOf, UsageError } from "../settings/kinds.js";

type OptionSpecs = NonNullable<ParseArgsConfig["options"]>;

/** The options for sections of the settings. */
export function optionsFor(...tables: readonly SettingTable[]): OptionSpecs {
  const settings = tables.flatMap(table => Object.values(table));
  return Object.fromEntries(
    settings.flatMap(({ kind, flag }) =>
      flag === undefined ? [] : [[flag, { type: kind === "toggle" ? "boolean" : "string" }]],
    ),
  );
}

export function settingsIn<T extends SettingTable>(table: T, values: OptionValues): ValuesOf<T> {
  return fromOptions(table, values, readJson);
}

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
    throw new UsageError(`${messageOf(error).split(/[.\n]/)[0]}${wayToWrite(args, error)}`);
  }
}

/** Claude Code's folders of projects begin with "-", which looks like options. */
function wayToWrite(args: readonly string[], error: unknown): string {
  const message = messageOf(error);
  const option = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message)?.[1];
  if (option !== undefined) return `: if its value begins with "-", write ${option}=VALUE`;
  const letter = /^Unknown option '-([^-])'/.exec(message)?.[1] ?? "";
  const name = letter === "" ? undefined : args.find(arg => /^-[^-]/.test(arg) && arg.includes(letter));
  return name === undefined ? "" : `: if "${name}" is a file or a folder, write ./${name}`;
}

/** Rejects an option that would have no effect. */
export function onlyWith(values: OptionValues, names: readonly string[], holds: boolean, what: string): void {
  const given = holds ? undefined : names.find(name => values[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} requires ${what}`);
}

export function text(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

export function wholeNumber(
  values: OptionValues,
  name: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const given = text(values, name);
  return given === undefined ? undefined : parseWholeNumber(given, name, { min, max });
}

/** `2026-01-31`, optionally with a time: `2026-01-31T23:59`, with seconds and a zone as in ISO 8601. */
const DATE =
  /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/;

/** A day, which begins in UTC, or a time, in the local time zone unless it names another. As a sortable string. */
export function dateOption(values: OptionValues, name: string): string | undefined {
  const given = text(values, name);
  if (given === undefined) return undefined;
  const day = DATE.exec(given)?.groups?.["day"];
  // `Date` turns February 30 into March 2.
  const time = day !== undefined && isSameDay(day) ? sortableTime(given.replace(" ", "T")) : null;
  if (time === null) {
    throw new UsageError(`--${name} must be a date such as 2026-01-31, or 2026-01-31T23:59, not "${given}"`);
  }
  return time;
}

function isSameDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

/** Larger than any price list or tool map written by hand. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

function readJson(file: string, flag: string): unknown {
  let bytes: Buffer;
  try {
    bytes = readSmallFile(file, { maxBytes: MAX_JSON_BYTES });
  } catch (error) {
    throw new UsageError(`--${flag}: ${problemOf(error)}: ${file}`);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `is not valid JSON: ${error.message}` : "is not UTF-8 text";
    throw new UsageError(`--${flag}: ${file} ${reason}`);
  }
}
