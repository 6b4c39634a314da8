import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defaultsOf,
  fromConfiguration,
  fromOptions,
  type OptionValues,
  type Setting,
  type SettingTable,
  toArguments,
} from "../../../src/settings/kinds.js";
import { FIGURES, REPLAY, SECTIONS } from "../../../src/settings/table.js";
import { turning } from "../../support/turns.js";

/** A toggle that is on by default has a flag that turns it off. */
const ON_BY_DEFAULT = { runs: { kind: "toggle", flag: "no-runs", default: true } } as const satisfies SettingTable;

/** How the CLI reads arguments, without its files. */
function optionsIn(args: readonly string[]): OptionValues {
  return Object.fromEntries(args.map(arg => (/^--([^=]+)=(.*)$/s.exec(arg) ?? [arg, arg.slice(2), true]).slice(1)));
}

const inline = (text: string) => text;
const readBack = <T extends SettingTable>(table: T, args: readonly string[]) =>
  fromOptions(table, optionsIn(args), text => JSON.parse(text));

function anyValue(setting: Setting): fc.Arbitrary<unknown> {
  switch (setting.kind) {
    case "integer":
      return fc.integer({ min: setting.min, max: setting.max });
    case "number":
      return fc.option(fc.double({ min: setting.min, max: setting.max, noNaN: true }), { nil: undefined });
    case "toggle":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...setting.choices);
    case "json":
      return setting === FIGURES.prices
        ? fc.option(fc.record({ source: fc.string(), models: fc.constant({ m: { input: 3 } }) }), { nil: undefined })
        : fc.dictionary(fc.stringMatching(/^[A-Z*]+$/), fc.array(fc.string()));
    default:
      return setting satisfies never;
  }
}

describe("arguments made from settings", () => {
  it.each([
    ["the replay's", REPLAY as SettingTable],
    ["the figures'", FIGURES],
    ["a toggle's that is on by default", ON_BY_DEFAULT],
  ])("are read back as the same settings: %s", async (_, table) => {
    const values = fc.record(Object.fromEntries(Object.entries(table).map(([name, one]) => [name, anyValue(one)])));
    await fc.assert(
      turning(values, given => {
        expect(readBack(table, toArguments(table, given, inline))).toEqual(given);
      }),
    );
  });

  it("name only what differs from the defaults", () => {
    expect(toArguments(REPLAY, defaultsOf(REPLAY), inline)).toEqual([]);
    const changed = { ...defaultsOf(REPLAY), capacity: 9, nearRef: true, invalidates: { Bash: ["Grep"] } };
    expect(toArguments(REPLAY, changed, inline)).toEqual([
      "--capacity=9",
      "--near-ref",
      '--invalidates={"Bash":["Grep"]}',
    ]);
    expect(toArguments(ON_BY_DEFAULT, { runs: false }, inline)).toEqual(["--no-runs"]);
  });
});

describe("a number out of its range", () => {
  const integers = [...Object.values<Setting>(REPLAY), ...Object.values<Setting>(FIGURES)].filter(
    setting => setting.kind === "integer",
  );

  it.each(integers)("is refused on the command line, and the message names the flag and the range: $flag", setting => {
    const { flag = "", key = "", min, max } = setting;
    const table = { setting };
    for (const end of [min, max]) expect(readBack(table, [`--${flag}=${end}`])).toEqual({ setting: end });
    for (const outside of [min - 1, max + 1]) {
      expect(() => readBack(table, [`--${flag}=${outside}`])).toThrow(
        `--${flag} must be a whole number from ${min} to ${max}, not "${outside}"`,
      );
    }
    const configured = (value: number) => fromConfiguration(table, name => (name === key ? value : undefined), "");
    expect([configured(min - 1), configured(max + 1)]).toEqual([{ setting: min }, { setting: max }]);
  });
});

describe("VS Code's configuration", () => {
  const read = <T extends SettingTable>(table: T, values: Record<string, unknown>) =>
    fromConfiguration(table, key => values[key], "your settings");

  it("gives the defaults for whatever is not set or has another type", () => {
    for (const table of Object.values<SettingTable>(SECTIONS)) {
      for (const nonsense of [undefined, null, "x", [1], { not: "a value" }, Number.NaN]) {
        const values = fromConfiguration(table, key => (key === "invalidates" ? [1] : nonsense), "your settings");
        expect(values).toEqual(defaultsOf(table));
      }
    }
  });

  it("keeps the part of a map that makes sense", () => {
    const { invalidates } = read(REPLAY, { invalidates: { Bash: ["Grep", 5], Edit: "no list" } });
    expect(invalidates).toEqual({ Bash: ["Grep"], Edit: [] });
  });

  it("says where prices are from, unless there are none", () => {
    expect(read(FIGURES, { prices: { m: 3 } }).prices).toEqual({
      source: "your settings",
      models: { m: { input: 3 } },
    });
    expect(read(FIGURES, { prices: {} }).prices).toBeUndefined();
  });
});

describe("the table", () => {
  it("has no duplicate names", () => {
    const all = Object.values<SettingTable>(SECTIONS).flatMap(section => Object.values(section));
    for (const names of [all.map(({ key }) => key), all.map(({ flag }) => flag)]) {
      const given = names.filter(name => name !== undefined);
      expect(new Set(given).size).toBe(given.length);
    }
  });

  it("has defaults that are within their own ranges", () => {
    for (const table of Object.values<SettingTable>(SECTIONS)) {
      const given = Object.entries(table).map(([name, { key }]) => [key, defaultsOf(table)[name]]);
      const values = Object.fromEntries(given.filter(([key]) => key !== undefined));
      expect(fromConfiguration(table, key => values[key], "")).toEqual(defaultsOf(table));
    }
  });
});
