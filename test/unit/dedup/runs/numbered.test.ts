import { describe, expect, it } from "vitest";
import {
  hintStart,
  numberCode,
  numberOfCode,
  prefixLength,
  prefixOf,
  styleOfCode,
} from "../../../../src/dedup/runs/numbered.js";

describe("line numbers", () => {
  const parts = (line: string) => {
    const code = numberCode(line);
    return code === 0 ? undefined : [styleOfCode(code), numberOfCode(code), line.slice(prefixLength(code))];
  };

  it.each([
    ["     7→text", ["arrow", 7, "text"]],
    ["1234567→text", ["arrow", 1_234_567, "text"]],
    ["12\ttext", ["tab", 12, "text"]],
    ["999999999\t", ["tab", 999_999_999, ""]],
    ["0\tzero", ["tab", 0, "zero"]],
  ])("are recognised as Read writes them: %j", (line, expected) => {
    expect(parts(line)).toEqual(expected);
  });

  it.each(["7→text", "     07→text", "007\ttext", "text", "", "1234567890\ttext", "  12\ttext", "12", "      7→x"])(
    "are nothing else: %j",
    line => {
      expect(parts(line)).toBeUndefined();
    },
  );

  it.each([
    ["     7→> [ref", 7],
    ["12\t> [ref", 3],
    ["12:> [ref", 3],
    ["0:> [ref", 2],
    ["999999999:> [ref", 10],
    ["1234567890:> [ref", 0],
    ["012:> [ref", 0],
    [" 12:> [ref", 0],
    [":> [ref", 0],
    ["> [ref", 0],
    ["12", 0],
  ])("may have any form before a hint: %j", (line, expected) => {
    expect(hintStart(line)).toBe(expected);
  });

  it("are written as they are read", () => {
    expect([prefixOf("arrow", 123), prefixOf("tab", 123)]).toEqual(["   123→", "123\t"]);
    for (const style of ["arrow", "tab"] as const) {
      for (const number of [0, 9, 10, 999_999, 1_000_000, 999_999_999]) {
        expect(parts(`${prefixOf(style, number)}x`)).toEqual([style, number, "x"]);
      }
    }
  });
});
