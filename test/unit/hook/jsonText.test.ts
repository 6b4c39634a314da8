import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonNode, JsonProblem, parseJson } from "../../../src/hook/install/jsonText.js";

/** The value that the places of a text stand for. */
function meaningOf(text: string, node: JsonNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.children.map(child => meaningOf(text, child.node));
  return Object.fromEntries(node.children.map(child => [child.key, meaningOf(text, child.node)]));
}

describe("JSON with places", () => {
  it("means what JSON.parse means", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2, "\t"), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(meaningOf(text, parseJson(text))).toEqual(Object.fromEntries([["x", JSON.parse(text)]])["x"]);
      }),
    );
  });

  it("accepts and refuses the same texts as JSON.parse", () => {
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
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
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
    ["", 1, 1, "a value"],
    ['{\n  "a": 1,\n}', 3, 1, "a key in quotes"],
    ['{\n  "a" 1\n}', 2, 7, '":"'],
    ['{ "a": 1 // why\n}', 1, 10, '"," or "}"'],
    ["[1, 2]\n]", 2, 1, "the end of the file"],
    ['{"a": tru}', 1, 7, "a value"],
    [`${"[".repeat(5000)}`, 1, 202, "less nesting"],
  ])("says where %j stops being JSON", (text, line, column, expected) => {
    expect(() => parseJson(text)).toThrow(`not valid JSON at line ${line}, column ${column}: ${expected} expected`);
  });

  it("passes over a byte order mark", () => {
    expect(meaningOf("\ufeff{}", parseJson("\ufeff{}"))).toEqual({});
  });
});
