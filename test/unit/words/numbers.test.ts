import { describe, expect, it } from "vitest";
import { grouped, percent, short } from "../../../src/words/numbers.js";

describe("numbers for people", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1900, "1.9k"],
    [-1900, "-1.9k"],
    [167_200, "167k"],
    [999_700, "1.0M"],
  ])("shorten %i to %s", (value, text) => expect(short(value)).toBe(text));

  it.each([
    [0, "0"],
    [-7, "-7"],
    [999, "999"],
    [1000, "1,000"],
    [-123_456, "-123,456"],
    [1_234_567, "1,234,567"],
    [1_234_567.6, "1,234,568"],
    [Number.MAX_SAFE_INTEGER, "9,007,199,254,740,991"],
  ])("group the digits of %d", (value, text) => expect(grouped(value)).toBe(text));

  it.each([
    [1, 0, "–"],
    [0, 9, "0 %"],
    [1, 3, "33 %"],
    [1, 30, "3.3 %"],
    [1, 3000, "0.03 %"],
  ])("give the share of %d in %d", (part, whole, text) => expect(percent(part, whole)).toBe(text));
});
