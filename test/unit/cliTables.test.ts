import { describe, expect, it } from "vitest";
import { passTables } from "../../src/cli/passTable.js";
import { worthOf } from "../../src/cli/strategyTable.js";
import { NO_COST } from "../../src/inspect/cost.js";
import type { CacheMarksReport } from "../../src/inspect/passFigures.js";
import type { Report } from "../../src/inspect/report.js";

/** The sentences below the table of passes. */
function restOf(change: Partial<CacheMarksReport>): string {
  const read = { requests: 1, hits: 1, couldReadTokens: 10, didReadTokens: 10 };
  const cacheMarks = { marked: 1, unmarked: {}, marks: 1, eligibleResults: 1, markedTokens: 1, ...read, ...change };
  const passes = { partitions: 1, messages: 9, bytes: 0, passes: [], cacheMarks };
  return passTables({ passes, sessions: [] } as unknown as Report, 10)[0]?.rest ?? "";
}

describe("a single one is not counted in the plural", () => {
  it.each([
    [1, 1, "would mark 1 of 1 partition: 1 mark, 1 token before it."],
    [2, 1500, "would mark 1 of 1 partition: 2 marks, 1.5k tokens before the last ones."],
    [0, 0, "would mark 1 of 1 partition."],
  ])("%i marks", (marks, markedTokens, text) => {
    expect(restOf({ marks, markedTokens })).toContain(text);
  });

  it("a token without a price", () => {
    const hits = { ...NO_COST, units: 1, usd: 0.01, unpricedTokens: 1, unpricedModels: [] };
    const text = worthOf({ cost: { hits } } as unknown as Report);
    expect(text).toMatch(/^API-equivalent: 1 token at .*; not included: 1 token without a price$/);
  });
});

describe("what a log does not have is said of the log", () => {
  it("in what the money is based on", () => {
    const hits = { ...NO_COST, units: null, usd: null, unpricedModels: [] };
    expect(worthOf({ cost: { hits } } as unknown as Report)).toBe("unknown: the log does not record token usage");
  });

  it("in what the prompt cache did", () => {
    expect(restOf({ couldReadTokens: 0, didReadTokens: 0 })).toMatch(/ The log does not record cache reads\.$/);
  });
});
