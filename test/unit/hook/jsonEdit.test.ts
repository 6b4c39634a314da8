import fc from "fast-check";
import { getNodeValue } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { JsonProblem, memberOf, parseJson, withChild, withoutChildren } from "../../../src/hook/install/jsonEdit.js";
import { turning } from "../../support/turns.js";

describe("parseJson", () => {
  it("agrees with JSON.parse", async () => {
    await fc.assert(
      turning(fc.json(), fc.constantFrom(0, 2, "\t"), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(JSON.stringify(getNodeValue(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it("accepts and refuses the same texts as JSON.parse", async () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"\\u00e9"',
      '"\\x"',
      "1",
      "-",
      "01",
      "1e5",
      "true",
      "nul",
      " ",
      "\n",
    );
    await fc.assert(
      turning(fc.array(piece, { maxLength: 12 }), pieces => {
        const text = pieces.join("");
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (isJson) expect(() => parseJson(text)).not.toThrow();
        else expect(() => parseJson(text)).toThrow(JsonProblem);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["", 1, 1, "value expected"],
    ['{\n  "a": 1,\n}', 3, 1, "property name expected"],
    ["[1,]", 1, 4, "value expected"],
    ['{\n  "a" 1\n}', 2, 7, "colon expected"],
    ['{"a": 1 "b": 2}', 1, 9, "comma expected"],
    ['{ "a": 1 // why\n}', 1, 10, "invalid comment token"],
    ["{\n/* why", 2, 1, "invalid comment token"],
    ["[1, 2]\n]", 2, 1, "end of file expected"],
    ['{"a": tru}', 1, 7, "invalid symbol"],
    ['{"a": "b', 1, 7, "unexpected end of string"],
    [`${"[".repeat(5000)}`, 1, 202, "nested too deep"],
  ])("says where %j stops being JSON", (text, line, column, problem) => {
    expect(() => parseJson(text)).toThrow(`not valid JSON at line ${line}, column ${column}: ${problem}`);
  });

  it("skips a byte order mark", () => {
    expect(parseJson("\ufeff{}")).toMatchObject({ type: "object", offset: 1, length: 2 });
  });

  it.each([
    ["brackets", "["],
    ["braces", '{"a":'],
    ["slashes", "/"],
    ["comments", "/**/"],
    ["quotes", '"'],
    ["backslashes", "\\"],
    ["commas", ","],
  ])("refuses a million %s without running out of stack or memory", (_, piece) => {
    for (const before of ["", '{"a":', '["'])
      expect(() => parseJson(before + piece.repeat(1_000_000 / piece.length))).toThrow(JsonProblem);
  });

  it("takes a million characters of values", () => {
    expect(parseJson(`[${"0,".repeat(500_000)}0]`).children).toHaveLength(500_001);
    expect(parseJson(`{"a": "${"\\n".repeat(500_000)}"${" ".repeat(500_000)}}`).type).toBe("object");
  });
});

describe("an edit", () => {
  it("follows the last of several equal keys, as every reader of JSON does", () => {
    const text = '{"a": [1], "a": [2]}';
    const list = memberOf(parseJson(text), "a");
    expect(list && withChild(text, list, 3, 0)).toBe('{"a": [1], "a": [2, 3]}');
  });

  it.each([
    ["[1,2]", [1], "[1]"],
    ["[1,2]", [0], "[2]"],
    ["[ 1 ]", [0], "[]"],
    ["[ 1, 2 ]", [0, 1], "[]"],
    ["[1, 2, 3, 4, 5]", [1, 2, 4], "[1, 4]"],
    ["[1, 2, 3, 4, 5]", [0, 1, 3], "[3, 5]"],
    ["[\n  1,\n  2\n]", [1], "[\n  1\n]"],
    ['{"a":1,"b":2}', [1], '{"a":1}'],
    ['{\n\t"a": 1,\n\t"b": 2\n}', [0], '{\n\t"b": 2\n}'],
  ])("removes from %j children %j", (text, indices, expected) => {
    const children = parseJson(text).children ?? [];
    expect(withoutChildren(text, new Set(indices.flatMap(index => children[index] ?? [])))).toBe(expected);
  });

  it("removes a hundred thousand items in one go", () => {
    const text = `[${Array.from({ length: 200_000 }, (_, item) => item % 2).join(", ")}]`;
    const gone = parseJson(text).children?.filter(({ value }) => value === 1) ?? [];
    expect(JSON.parse(withoutChildren(text, new Set(gone)))).toEqual(Array(100_000).fill(0));
  });

  it("does not repeat indentation of a million blanks", () => {
    const text = `{\n${" ".repeat(1_000_000)}"a": 1\n}`;
    const added = withChild(text, parseJson(text), { x: { y: 1 } }, 2, "b");
    expect(JSON.parse(added)).toEqual({ a: 1, b: { x: { y: 1 } } });
    expect(added.length).toBeLessThan(text.length + 2000);
  });
});
