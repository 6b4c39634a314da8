import { expect, it } from "vitest";
import { strategiesTable } from "../../../src/cli/strategyTable.js";
import { renderTitled } from "../../../src/cli/textTable.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { Report } from "../../../src/inspect/report.js";
import type { Strategy } from "../../../src/inspect/strategies.js";
import type { StrategyReport } from "../../../src/inspect/strategyFigures.js";
import { strategyTexts, uselessStrategies } from "../../../src/words/strategyTexts.js";

const way = (strategy: Strategy, savedTokens: number): StrategyReport => ({
  strategy,
  results: savedTokens === 0 ? 0 : 2,
  hints: savedTokens === 0 ? 0 : 3,
  savedBytes: savedTokens * 3,
  savedTokens,
  carriedTokens: 2 * savedTokens,
  share: savedTokens / 1000,
  cost: { usd: null, units: null, unpricedTokens: 0, uncountedTokens: 0 },
});

const WAYS = [way("live", 120), way("whole", 0), way("near", 0), way("span", 300)];

it("those that save most come first, an upper bound is named, and those that save nothing are one sentence", () => {
  const texts = strategyTexts(WAYS);
  expect(texts.map(({ strategy, upperBound }) => [strategy, upperBound])).toEqual([
    ["span", true],
    ["live", false],
  ]);
  expect(uselessStrategies(WAYS)).toBe("Would save nothing here: Whole results, Also near-identical JSON.");
  expect(uselessStrategies([way("live", 1)])).toBe("");
});

it("a terminal shows the same, and no zero rows", () => {
  const report = { strategies: WAYS, settings: DEFAULT_SETTINGS } as unknown as Report;
  const text = renderTitled(strategiesTable(report), 55, (_, painted) => painted);
  const [, , , ...lines] = text.split("\n");
  expect(lines[0]).toMatch(/^All runs of lines/);
  expect(text.replace(/\s+/g, " ")).toMatch(/upper bound.* Live hints.*now/);
  expect(text.replace(/\s+/g, " ")).toContain("Would save nothing here: Whole results, Also near-identical JSON.");
  expect(text.split("\n").filter(line => line.length > 55)).toEqual([]);
  expect(strategiesTable(report).rows).toHaveLength(2);
});

it("if nothing saves, there is no table of zeros", () => {
  const report = { strategies: [way("live", 0)], settings: DEFAULT_SETTINGS } as unknown as Report;
  const text = renderTitled(strategiesTable(report), 80, (_, painted) => painted);
  expect(text).not.toContain("Results");
  expect(text).toContain("Would save nothing here: Live hints.");
});
