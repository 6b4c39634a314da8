/**
 * The kinds of settings, and the only code to read and print them: from VS Code's configuration, from the command line,
 * and back into flags. Everything here works on any section of the table.
 */

interface Named {
  /** Its name in VS Code, after `dedup.`. */
  readonly key?: string;
  /** Its name on the command line, after `--`. A toggle's flag inverts the default, as in `--no-…`. */
  readonly flag?: string;
  /** Its description in the command line's help. */
  readonly help?: string;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

interface IntegerKind extends Named, Range {
  readonly kind: "integer";
  readonly default: number;
}

/** Undefined: not set, and determined in some other way. */
interface NumberKind extends Named, Range {
  readonly kind: "number";
  readonly default: undefined;
}

interface ToggleKind extends Named {
  readonly kind: "toggle";
  readonly default: boolean;
}

interface ChoiceKind extends Named {
  readonly kind: "choice";
  readonly choices: readonly string[];
  readonly default: string;
}

/** An object in VS Code's configuration, a file on the command line, and the JSON text itself for the hook. */
interface JsonKind extends Named {
  readonly kind: "json";
  readonly default: unknown;
  /** Undefined if the value has another shape. `source`: where it is from. */
  parse(value: unknown, source: string): unknown;
  /** The parts of a value that have the right shape; if not defined, a value is used whole or not at all. */
  salvage?(value: unknown): unknown;
  /** Describes a file with the right shape: `must map …, such as …`. */
  readonly shape?: string;
}

export type Setting = IntegerKind | NumberKind | ToggleKind | ChoiceKind | JsonKind;
export type SettingTable = Readonly<Record<string, Setting>>;

type ValueOf<S> = S extends { kind: "integer" }
  ? number
  : S extends { kind: "number" }
    ? number | undefined
    : S extends { kind: "toggle" }
      ? boolean
      : S extends { kind: "choice"; choices: readonly (infer Choice)[] }
        ? Choice
        : S extends { kind: "json"; default: infer Default; parse(value: unknown, source: string): infer Value }
          ? undefined extends Default
            ? Value
            : Exclude<Value, undefined>
          : never;

/** The values of a section's settings, by their names in the table. */
export type ValuesOf<T extends SettingTable> = { readonly [Name in keyof T]: ValueOf<T[Name]> };

function valuesOf<T extends SettingTable>(table: T, read: (setting: Setting) => unknown): ValuesOf<T> {
  return Object.fromEntries(Object.entries(table).map(([name, one]) => [name, read(one)])) as ValuesOf<T>;
}

export function defaultsOf<T extends SettingTable>(table: T): ValuesOf<T> {
  return valuesOf(table, setting => setting.default);
}

/**
 * The settings in VS Code's configuration. People write it by hand: a number out of range is clamped, and a value of
 * another type counts as not set. `get` returns the value of `dedup.KEY`.
 */
export function fromConfiguration<T extends SettingTable>(
  table: T,
  get: (key: string) => unknown,
  source: string,
): ValuesOf<T> {
  return valuesOf(table, setting => {
    const value = setting.key === undefined ? undefined : get(setting.key);
    return configured(setting, value, source) ?? setting.default;
  });
}

/**
 * The settings in one of our files or in a plugin's options, by their names in the table. A number out of range is
 * clamped; anything missing or of another type is omitted.
 */
export function fromMembers<T extends SettingTable>(
  table: T,
  members: Readonly<Record<string, unknown>>,
  source: string,
): Partial<ValuesOf<T>> {
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    const value = Object.hasOwn(members, name) ? configured(setting, members[name], source) : undefined;
    if (value !== undefined) values[name] = value;
  }
  return values as Partial<ValuesOf<T>>;
}

function configured(setting: Setting, value: unknown, source: string): unknown {
  switch (setting.kind) {
    case "integer":
      return typeof value === "number" && Number.isSafeInteger(value) ? nearest(value, setting) : undefined;
    case "number":
      return typeof value === "number" && value > 0 ? nearest(value, setting) : undefined;
    case "toggle":
      return typeof value === "boolean" ? value : undefined;
    case "choice":
      return setting.choices.find(choice => choice === value);
    case "json":
      // VS Code has no other way to unset an object.
      if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return undefined;
      return setting.parse(setting.salvage ? setting.salvage(value) : value, source);
    default:
      return setting satisfies never;
  }
}

function nearest(value: number, { min, max }: Range): number {
  return Math.min(max, Math.max(min, value));
}

/** For a program that only knows numbers: 1 for a toggle that is on or an object that is not empty, the index of a choice. */
export function asNumbers<T extends SettingTable>(table: T, values: ValuesOf<T>): Readonly<Record<keyof T, number>> {
  const numbers = Object.entries(table).map(([name, setting]) => [name, asNumber(setting, values[name])]);
  return Object.fromEntries(numbers);
}

function asNumber(setting: Setting, value: unknown): number {
  switch (setting.kind) {
    case "integer":
    case "number":
      return value as number;
    case "toggle":
      return value ? 1 : 0;
    case "choice":
      return setting.choices.indexOf(String(value));
    case "json":
      return Object.keys(value ?? {}).length > 0 ? 1 : 0;
    default:
      return setting satisfies never;
  }
}

/** The options on a command line, by flag: a string, or `true` for a flag without a value. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** Wrong usage, in one line for the user; the exit status is 2. */
export class UsageError extends Error {}

/** The names of the settings that were given on a command line. */
export function givenIn<T extends SettingTable>(table: T, options: OptionValues): (keyof T)[] {
  return Object.keys(table).filter(name => options[table[name]?.flag ?? ""] !== undefined);
}

/**
 * The settings given on a command line, with defaults for the others. `readJson` returns the value for the argument of
 * a JSON option.
 */
export function fromOptions<T extends SettingTable>(
  table: T,
  options: OptionValues,
  readJson: (argument: string, flag: string) => unknown,
): ValuesOf<T> {
  return valuesOf(table, setting => {
    const { flag = "" } = setting;
    const given = options[flag];
    if (setting.kind === "toggle") return given === undefined ? setting.default : !setting.default;
    return typeof given === "string" ? parsed(setting, given, flag, readJson) : setting.default;
  });
}

function parsed(
  setting: Exclude<Setting, { kind: "toggle" }>,
  given: string,
  flag: string,
  readJson: (argument: string, flag: string) => unknown,
): unknown {
  switch (setting.kind) {
    case "integer":
      return parseWholeNumber(given, flag, setting);
    case "number":
      return numberWithin(given, flag, setting);
    case "choice":
      return oneOf(given, flag, setting.choices);
    case "json": {
      const value = setting.parse(readJson(given, flag), given);
      if (value === undefined) throw new UsageError(`--${flag}: ${given} ${setting.shape}`);
      return value;
    }
    default:
      return setting satisfies never;
  }
}

export function parseWholeNumber(given: string, flag: string, { min, max }: Range): number {
  const value = Number(given);
  if (/^\d+$/.test(given) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`--${flag} must be a whole number ${range}, not "${given}"`);
}

function numberWithin(given: string, flag: string, { min, max }: Range): number {
  const value = Number(given);
  if (given.trim() !== "" && value >= min && value <= max) return value;
  throw new UsageError(`--${flag} must be a number from ${min} to ${max}, not "${given}"`);
}

export function oneOf<T extends string>(given: string, flag: string, choices: readonly T[]): T {
  const found = choices.find(choice => choice === given);
  if (found === undefined) throw new UsageError(`--${flag} must be one of ${choices.join(", ")}, not "${given}"`);
  return found;
}

/**
 * The arguments for everything that differs from the defaults: `fromOptions` reads the same values back. `writeJson`
 * returns the argument of a JSON option for its text.
 */
export function toArguments<T extends SettingTable>(
  table: T,
  values: ValuesOf<T>,
  writeJson: (text: string, flag: string) => string,
): string[] {
  return Object.entries(table).flatMap(([name, { kind, flag, default: byDefault }]) => {
    const text = JSON.stringify(values[name]);
    if (flag === undefined || text === undefined || text === JSON.stringify(byDefault)) return [];
    if (kind === "toggle") return [`--${flag}`];
    return [`--${flag}=${kind === "json" ? writeJson(text, flag) : values[name]}`];
  });
}
