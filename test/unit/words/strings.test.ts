import { describe, expect, it } from "vitest";
import { strings } from "../../../src/words/strings.js";
import { counted, fill, pieces, plural } from "../../../src/words/text.js";

function textsIn(bag: object): string[] {
  return Object.values(bag).flatMap(value => (typeof value === "string" ? [value] : textsIn(value as object)));
}

describe("the page's strings", () => {
  it("are plain data, so that a host can pass a translation", () => {
    expect(JSON.parse(JSON.stringify(strings))).toEqual(strings);
  });

  it("are all non-empty, and no brace is left open", () => {
    const texts = textsIn(strings);
    expect(texts.length).toBeGreaterThan(150);
    for (const text of texts) {
      expect(text.trim()).toBe(text);
      expect(text).not.toBe("");
      expect(text.replace(/\{\w+\}/g, "")).not.toMatch(/[{}]/);
      const [one = "", many = one, ...more] = text.split("|");
      expect(more).toEqual([]);
      expect([one.includes("{n}"), many.includes("{n}")]).toEqual(Array(2).fill(text.includes("{n}")));
    }
  });

  it("are filled in, and what is missing stays visible", () => {
    expect(fill("{a} of {b}", { a: 12_345, b: "two" })).toBe("12,345 of two");
    expect(fill("{a}" as string, {})).toBe("{a}");
    expect(fill("{a}", { a: "{b} $& $1" })).toBe("{b} $& $1");
  });

  it("have one name for what hints would save", () => {
    const { bar, columns, figures, partitions } = strings;
    for (const text of [columns.saved, bar.couldSave, partitions.couldSave]) {
      expect(text.toLowerCase()).toContain(figures.saved.toLowerCase());
    }
  });

  it("are reduced to one form before they are filled in", () => {
    // @ts-expect-error: "1 hit|1 hits"
    fill("{n} hit|{n} hits", { n: 1 });
    // @ts-expect-error
    pieces("{n} hit|{n} hits", { n: 1 });
    expect(fill(plural("{n} hit|{n} hits", 1), { n: 1 })).toBe("1 hit");
  });

  it("are counted", () => {
    expect(counted("{n} hit|{n} hits", 1)).toBe("1 hit");
    expect(counted("{n} hit|{n} hits", 0)).toBe("0 hits");
    expect(counted("{n} hit|{n} hits", 12345)).toBe("12,345 hits");
    expect(counted("{n} kept", 1)).toBe("1 kept");
  });
});
