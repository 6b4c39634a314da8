import { describe, expect, it } from "vitest";
import { hintedId, hintWithin, renderHint, renderNearHint } from "../../../src/dedup/hints.js";

const ID = "toolu_01ABCdefGHIjklMNOpqrSTU";
const read = { id: "tc_42", kind: "read", tool: "Read", target: "src/a.ts" } as const;

describe("a hint", () => {
  it("is terse: the id alone", () => {
    expect(renderHint({ id: "tc_1" }, "terse")).toBe("> [ref: tc_1]");
  });

  it("is standard: the id and the promise, in fewer than 40 characters for a short id", () => {
    expect(renderHint(read, "standard")).toBe("> [ref: tc_42, byte-identical]");
    expect(renderHint(read, "standard").length).toBeLessThan(40);
  });

  it.each([
    ["read", "> [ref: tc_42, byte-identical, from: file-read]"],
    ["mutate", "> [ref: tc_42, byte-identical, from: file-mutate]"],
    ["other", "> [ref: tc_42, byte-identical, from: other]"],
  ] as const)("is verbose: with the kind of a referenced %s call", (kind, text) => {
    expect(renderHint({ ...read, kind }, "verbose")).toBe(text);
  });

  it("is verbose without a known kind: the standard one", () => {
    expect(renderHint({ id: "tc_42" }, "verbose")).toBe("> [ref: tc_42, byte-identical]");
  });

  it("is located: with the referenced tool and its target", () => {
    expect(renderHint(read, "located")).toBe("> [ref: tc_42, byte-identical, from: Read(src/a.ts)]");
    expect(renderHint({ ...read, tool: "Bash", target: "npm test" }, "located")).toBe(
      "> [ref: tc_42, byte-identical, from: Bash(npm test), run again now]",
    );
  });
});

describe("a hint within a text's length", () => {
  const located = renderHint(read, "located");

  it("has the requested form if that is at most half as long", () => {
    expect(hintWithin(2 * located.length, read, "located")).toBe(located);
  });

  it("has the standard form otherwise", () => {
    expect(hintWithin(2 * located.length - 1, read, "located")).toBe(renderHint(read, "standard"));
    expect(hintWithin(2 * located.length - 1, read, "terse")).toBe(renderHint(read, "terse"));
  });
});

describe("a near hint", () => {
  it("names every changed value, in 65 bytes for the two in the example", () => {
    const hint = renderNearHint("tc_42", [
      { key: "status", from: "pending", to: "success" },
      { key: "duration", from: "12", to: "34" },
    ]);
    expect(hint).toBe("> [near-ref: tc_42, status: pending→success, duration: 12→34]");
    expect(Buffer.byteLength(hint)).toBe(65);
  });

  it("escapes nothing", () => {
    expect(renderNearHint("a", [{ key: "k", from: "x, y]", to: "" }])).toBe("> [near-ref: a, k: x, y]→]");
  });
});

const HINTS = [
  ["terse", `> [ref: ${ID}]`],
  ["standard", `> [ref: ${ID}, byte-identical]`],
  ["verbose, read", `> [ref: ${ID}, byte-identical, from: file-read]`],
  ["verbose, mutate", `> [ref: ${ID}, byte-identical, from: file-mutate]`],
  ["verbose, other", `> [ref: ${ID}, byte-identical, from: other]`],
  ["located", `> [ref: ${ID}, byte-identical, from: Read(src/a.ts)]`],
  ["located, odd target", `> [ref: ${ID}, byte-identical, from: Bash(echo "a, b]" | grep [x])]`],
] as const;

describe("a body that is one of our own hints", () => {
  it.each(HINTS)("has its id: %s", (_, text) => {
    expect(hintedId(text)).toBe(ID);
  });

  it.each(HINTS)("has its id after Read's padded line number: %s", (_, text) => {
    expect(hintedId(`     1→${text}`)).toBe(ID);
  });

  it.each(HINTS)("has its id after Read's tabbed line number: %s", (_, text) => {
    expect(hintedId(`12\t${text}`)).toBe(ID);
  });

  it.each(HINTS)("has its id after a line number with a colon: %s", (_, text) => {
    expect(hintedId(`12:${text}`)).toBe(ID);
  });

  it("has its id if it is a near hint", () => {
    const delta = [{ key: "status", from: "a", to: "b, c]" }];
    expect(hintedId(renderNearHint(ID, delta))).toBe(ID);
  });

  it("is recognized as rendered, whatever the verbosity", () => {
    for (const verbosity of ["terse", "standard", "verbose", "located"] as const) {
      expect(hintedId(renderHint(read, verbosity))).toBe("tc_42");
    }
  });
});

describe("a body that only looks like a hint is text like any other", () => {
  it.each([
    ["nothing", ""],
    ["a hint without an id", "> [ref: ]"],
    ["a hint with more text behind it", `> [ref: ${ID}] and so on`],
    ["a hint followed by a line", `> [ref: ${ID}, byte-identical]\nmore`],
    ["a hint after a line", `first\n> [ref: ${ID}, byte-identical]`],
    ["a hint after an empty line", `\n1\t> [ref: ${ID}, byte-identical]`],
    ["a hint without its mark", `[ref: ${ID}, byte-identical]`],
    ["a hint that is not closed", `> [ref: ${ID}, byte-identical`],
    ["an unknown promise", `> [ref: ${ID}, nearly identical]`],
    ["an id with a blank", "> [ref: a b, byte-identical]"],
    ["a near hint that tells no change", `> [near-ref: ${ID}]`],
    ["a near hint followed by a line", `> [near-ref: ${ID}, status: a→b]\nmore`],
    ["a span hint", `> [ref: ${ID} lines 1-20]`],
    ["two line numbers", `1\t2\t> [ref: ${ID}]`],
    ["a line number and a match's", `1\t2:> [ref: ${ID}]`],
    ["a match in a file", `a.md:2:> [ref: ${ID}]`],
    ["other words before it", `see > [ref: ${ID}]`],
  ])("%s", (_, text) => {
    expect(hintedId(text)).toBeUndefined();
  });

  it("a megabyte of text is decided immediately: a pattern that tries every start at every end would take minutes", () => {
    expect(hintedId(`> [ref: ${"x".repeat(1_000_000)}`)).toBeUndefined();
    expect(hintedId(`${" ".repeat(1_000_000)}> [ref: a]`)).toBeUndefined();
  });
});
