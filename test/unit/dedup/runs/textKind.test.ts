/** What is replaced as a whole or not at all: people count or compare its lines. */
import { describe, expect, it } from "vitest";
import { isWholeOrNothing } from "../../../../src/dedup/runs/textKind.js";

const PROSE = "one line\nanother line\na third line";
const MATCHES = "src/a.ts:12:export const a = 1;\nsrc/b.ts:7:import a;\nC:\\w\\c.ts:1:x";

describe("a text is replaced as a whole or not at all", () => {
  it.each([
    ["a search", "Grep", PROSE],
    ["a list of files", "Glob", PROSE],
    ["a shell's list of matches", "Bash", MATCHES],
    ["a list of matches that is half of the text", "PowerShell", `a.ts:1:x\nnothing`],
    ["a diff of files", "Bash", `${PROSE}\ndiff --git a/x b/x\n${PROSE}`],
    ["a diff with long heads", "mcp__git__show", `${PROSE}\n@@ -1${" +1".repeat(100_000)} @@`],
    ["a part of a diff", "mcp__git__show", `${PROSE}\n@@ -1,3 +1,4 @@ function f()\n${PROSE}`],
  ])("if it is %s", (_, tool, text) => {
    expect(isWholeOrNothing(tool, text)).toBe(true);
  });

  it.each([
    ["a file", "Read", PROSE],
    ["a file that holds matches", "Read", MATCHES],
    ["a command's output", "Bash", PROSE],
    ["mostly something else", "Bash", `a.ts:1:x\n${PROSE}`],
    ["the head of a hunk without its end", "Bash", `@@ -1${" +1".repeat(1_000_000)}`],
    ["the head of a hunk with its end too close", "Bash", `@@ -1${" +1".repeat(1_000_000)}@@`],
    ["the head of a hunk without what it adds", "Bash", `@@ -1${" -1".repeat(1_000_000)} @@`],
    ["a text of carriage returns", "Bash", "x\r".repeat(1_000_000)],
    ["a diff behind a carriage return, which ends no line", "Bash", "Progress\rdiff --git a/x b/x\u2028@@ -1 +1 @@"],
    ["a match behind one", "Bash", "found: nothing\ra.ts:1:x"],
    ["a text about diffs", "Bash", "see diff --git a b\nand @@ -1 +1 @@"],
  ])("but not if it is %s", (_, tool, text) => {
    expect(isWholeOrNothing(tool, text)).toBe(false);
  });
});
