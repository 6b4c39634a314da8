import { describe, expect, it } from "vitest";
import { texts } from "../../../src/vscode/vscodeStrings.js";
import { reasonCounts } from "../../../src/words/figureTexts.js";
import { grouped, localDate, percent, short } from "../../../src/words/numbers.js";
import { strings } from "../../../src/words/strings.js";
import { bytesText, counted, moneyText, plural, tokensText } from "../../../src/words/text.js";
import { textsIn } from "../../../src/words/translate.js";

describe("numbers for people", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1900, "1.9k"],
    [-1900, "-1.9k"],
    [-0.4, "0"],
    [167_200, "167k"],
    [999_700, "1.0M"],
  ])("shorten %i to %s", (value, text) => expect(short(value)).toBe(text));

  it.each([
    [0, "0"],
    [-7, "-7"],
    [-0.4, "0"],
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
    [996, 10_000, "10 %"],
    [994, 10_000, "9.9 %"],
    [-1, 3, "-33 %"],
    [-1, 30, "-3.3 %"],
    [3, 2, "150 %"],
  ])("give the share of %d in %d", (part, whole, text) => expect(percent(part, whole)).toBe(text));

  it.each([
    [9, 9, "100 %"],
    [0.1 + 0.2, 0.3, "100 %"],
    [0.3, 0.1 + 0.2, "100 %"],
    [994, 1000, "99 %"],
    [995, 1000, "> 99 %"],
    [199_400, 200_000, "> 99 %"],
    [999_999_999, 1_000_000_000, "> 99 %"],
    [5, 100_000, "0.01 %"],
    [4, 100_000, "< 0.01 %"],
    [1, 1_000_000_000, "< 0.01 %"],
    [-5, 100_000, "-0.01 %"],
    [-4, 100_000, "> -0.01 %"],
    [0.1 + 0.2 - 0.3, 100, "0 %"],
  ])("tell nearly all from all, and hardly anything from nothing: %d of %d", (part, whole, text) =>
    expect(percent(part, whole)).toBe(text),
  );

  it.each([
    [0, "$0.00"],
    [0.004, "< $0.01"],
    [1.234, "$1.23"],
    [1234.5, "$1,235"],
    [-0.004, "> -$0.01"],
    [-1.234, "-$1.23"],
    [-1234.5, "-$1,235"],
  ])("give an amount of %d dollars", (usd, text) => expect(moneyText({ usd })).toBe(text));

  it("give the local date of a time", () => {
    expect(localDate(new Date(2026, 0, 9, 0, 5).toISOString())).toBe("2026-01-09");
    expect(localDate(new Date(2026, 11, 31, 23, 55).toISOString())).toBe("2026-12-31");
    expect(localDate("")).toBe("");
  });

  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [4, "4 bytes"],
    [999, "999 bytes"],
    [1000, "1.0 KB"],
    [1234, "1.2 KB"],
    [99_940, "99.9 KB"],
    [99_960, "100 KB"],
    [999_400, "999 KB"],
    [999_960, "1.0 MB"],
    [1_234_567, "1.2 MB"],
    [5e9, "5.0 GB"],
    [5e12, "5,000 GB"],
  ])("give %d bytes in the largest unit that fits", (size, text) => expect(bytesText(size)).toBe(text));

  it.each([
    [0, "0 tokens"],
    [0.4, "0 tokens"],
    [0.7, "1 token"],
    [1.4, "1 token"],
    [1.5, "2 tokens"],
    [1000, "1.0k tokens"],
  ])("say how many tokens %d are", (tokens, text) => expect(tokensText(tokens)).toBe(text));

  it.each([
    [strings.figures.savedBasis, 1, /of \{results\} repeats ·/],
    [strings.figures.savedBasis, 2, /of \{results\} repeat ·/],
    [strings.timeline.repeatsOf, 1, /repeats$/],
    [strings.partitions.brief, 1, / repeats ·/],
    [strings.partitions.brief, 0, / repeat ·/],
  ])("agree with their verb: %s with %i", (forms, count, text) => expect(plural(forms, count)).toMatch(text));

  it("count outcomes in words that need no context", () => {
    expect(reasonCounts({ fixed: 3, evicted: 1, error: 2 })).toBe("2 errors · 1 evicted · 3 not replaceable");
  });

  it("have both forms wherever a noun follows", () => {
    expect(counted(strings.counts.tokens, 1)).toBe("1 token");
    const uncounted = textsIn({ ...strings, vscode: texts }).filter(text =>
      /\} (tokens?|bytes?|characters?|results?|sessions?|calls?|lines?) *(·|,|\.|$)/.test(text.split("|")[0] ?? ""),
    );
    // The size of a context, and of the smallest run: never one.
    const large: string[] = [strings.markDetails.tokensFromTo, strings.strategyLimits.spanMinBytes];
    expect(uncounted.filter(text => !text.includes("|") && !large.includes(text))).toEqual([]);
  });
});
