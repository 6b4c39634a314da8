import { describe, expect, it } from "vitest";
import type { MeasureResult } from "../../../src/trial/compareGroups.js";
import { measureDifference, measureFigure, trialBasis } from "../../../src/words/trialTexts.js";

const MEASURED: MeasureResult = {
  measure: "requestsPerPrompt",
  kind: "median",
  sessions: { hints: 40, control: 40 },
  figures: { hints: 99.96, control: 99.94 },
  difference: -0.0996,
  interval: { low: -0.123, high: 0.00123 },
  finding: "unknown",
};

describe("what a trial compares", () => {
  const since = new Date(2026, 10, 1, 23).toISOString();
  const basis = (leftOut: number, until: string | null = null) =>
    trialBasis({
      since,
      until,
      sessions: { hints: 41, control: 1, hinted: 30, leftOut },
      verdict: "undecided",
      measures: [],
      hints: [],
    });

  it("is said in one line", () => {
    const groups = "41 sessions with hints (30 received at least one), 1 session without";
    expect(basis(0)).toBe(`since 2026-11-01: ${groups}`);
    expect(basis(0, new Date(2026, 10, 9).toISOString())).toBe(`2026-11-01 to 2026-11-09: ${groups}`);
  });

  it("includes how many sessions do not count, and why", () => {
    expect(basis(1)).toMatch(/ · 1 not counted because it continues another session$/);
    expect(basis(2)).toMatch(/ · 2 not counted because they continue other sessions$/);
  });
});

describe("a trial's figures", () => {
  it("have as many digits as they would have if they were rounded first", () => {
    expect(measureFigure(MEASURED, "hints")).toBe("100");
    expect(measureFigure(MEASURED, "control")).toBe("99.9");
    expect(measureDifference(MEASURED)).toBe("−10 % (−12 to +0.1)");
  });
});
