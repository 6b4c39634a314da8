/** The hook's own way to split texts into lines, compared with the one that everything else uses. */
import { describe, expect, it } from "vitest";
import { BYTES, CHARS, cell, HASH, HASH_HIGH, LineScanner, lineCount, NUMBER } from "../../../src/dedup/runs/lines.js";
import { QuickScanner } from "../../../src/hook/quickLines.js";
import { Chance } from "../../support/liveLog.js";

const LINES = [
  "",
  " ",
  "a",
  "ab",
  "abc",
  "abcd",
  "abcde",
  "}",
  "  return value;",
  "1\tconst one = 1;",
  "12\tconst one = 1;",
  "     7→const one = 1;",
  "123456→const one = 1;",
  "01\tnot a number",
  "12 is not one either",
  "      ",
  "     7→",
  "> [ref: toolu_1 lines 1-2]",
  "3\t> [ref: toolu_1 lines 1-2]",
  "3:> [ref: toolu_1 lines 1-2]",
  "03:> [ref: toolu_1 lines 1-2]",
  "123456789:> [near-ref: toolu_1",
  "1234567890:> [near-ref: toolu_1",
  "3\t4:> [ref: toolu_1 lines 1-2]",
  "3:const one = 1;",
  "3:",
  "> quoted",
  "naïve café",
  "5\tnaïve café",
  "日本語の行",
  "🙂🙂 and more",
  "half of a pair: \ud83d",
  "windows\r",
  "a line that is just long enough to be the beginning of a run",
];

/** A table without its hashes, and for each line the first one with the same hash. */
function told(scanner: LineScanner | QuickScanner, text: string) {
  const table = scanner.scan(text);
  const firsts = new Map<string, number>();
  return Array.from({ length: lineCount(table) }, (_, line) => {
    const hash = `${cell(table, line, HASH)} ${cell(table, line, HASH_HIGH)}`;
    if (!firsts.has(hash)) firsts.set(hash, line);
    return [firsts.get(hash), ...[NUMBER, CHARS, BYTES].map(which => cell(table, line, which))];
  });
}

describe("the hook's lines", () => {
  it.each([1, 2, 3, 4])("are numbered, measured and distinguished like all lines, seed %i", seed => {
    const chance = new Chance(seed);
    const [quick, plain] = [new QuickScanner(), new LineScanner()];
    for (let text = 0; text < 200; text++) {
      const lines = Array.from({ length: 1 + chance.below(60) }, () => {
        const line = chance.pick(LINES);
        return chance.is(0.3) ? line + chance.pick(LINES).repeat(chance.below(4)) : line;
      });
      const whole = lines.join("\n");
      expect(told(quick, whole)).toEqual(told(plain, whole));
    }
  });

  it("are the same in a text of any length, after any other", () => {
    const [quick, plain] = [new QuickScanner(), new LineScanner()];
    for (const count of [1, 3000, 2, 9000, 1]) {
      const text = Array.from({ length: count }, (_, line) => `${line % 700}: ${"x".repeat(line % 90)}é`).join("\n");
      expect(told(quick, text)).toEqual(told(plain, text));
    }
  });

  it("have the same hash wherever they are", () => {
    const line = "the same line, of some length";
    const alone = new QuickScanner().scan(line);
    for (const before of ["", "a", "ab", "abc", "abcd", "é"]) {
      const table = new QuickScanner().scan(`${before}\n${line}\nafter`);
      for (const which of [HASH, HASH_HIGH]) expect(cell(table, 1, which)).toBe(cell(alone, 0, which));
    }
  });

  it("differ in any character, at any place", () => {
    const line = "0123456789abcdefghi";
    const scanner = new QuickScanner();
    const hashOf = (text: string) => [...scanner.scan(text).slice(HASH, HASH_HIGH + 1)].join(" ");
    const changed = Array.from(line, (_, at) => `${line.slice(0, at)}x${line.slice(at + 1)}`);
    const hashes = [line, ...changed, `${line}x`, line.slice(1), line.slice(0, -1)].map(hashOf);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
