import { describe, expect, it } from "vitest";
import type { PassProjection } from "../../../src/dedup/passes/projections.js";
import { passTexts, slightPasses } from "../../../webview/words/passTexts.js";

const pass = (change: Partial<PassProjection>): PassProjection => ({
  pass: "snippet",
  keepLast: null,
  stats: { dedupHits: 0, snippetHits: 3, totalBytesSaved: 40_000 },
  bytesBefore: 100_000,
  bytesAfter: 60_000,
  firstChanged: 4,
  savesMore: false,
  savedTokens: 10_000,
  rewrittenTokens: 20_000,
  units: 5,
  breakEvenRequests: 12,
  unpriced: null,
  ...change,
});

describe("the reference passes in words", () => {
  const slight = pass({ pass: "pruneLowEntropy", bytesAfter: 99_100, savedTokens: 200 });
  const none = pass({ pass: "repairOrphans", bytesAfter: 100_000, savedTokens: 0, unpriced: "unchanged" });
  const large = pass({ pass: "streamingTrim", bytesAfter: 20_000, savedTokens: 20_000 });

  it("are sorted by what they free, with their own statistics", () => {
    const [first, second] = passTexts([pass({}), large]);
    expect(first?.name).toBe("All but the first and the most recent messages");
    expect(second).toMatchObject({ frees: "10.0k", ofBytes: "40 %", replaced: "–", changed: "3", counted: "40.0 KB" });
    expect(second?.own).toBe("by its own count 3 other changes, 40.0 KB");
  });

  it("have no row for what frees less than 1 %, and one sentence about all of it", () => {
    expect(passTexts([slight, none])).toEqual([]);
    expect(slightPasses([pass({}), slight, none])).toBe(
      "Would free less than 1.0 %: Blank lines and rules in old answers; Calls without a result.",
    );
    expect(slightPasses([pass({}), large])).toBe("");
  });

  it("keep what has an unknown size: it may not be small", () => {
    expect(passTexts([pass({ bytesAfter: 100_000, savedTokens: 0, savesMore: true })])[0]?.frees).toBe("unknown");
  });
});
