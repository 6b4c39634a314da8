import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import { advise, emptySweep } from "../../../src/inspect/sweepFigures.js";
import { dataOf, reportOf } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";

function reportAt(text: string, settings: Partial<DedupSettings>) {
  return reportOf([dataOf("s.jsonl", text, { settings })], settings);
}

const variants = fc.constantFrom<Partial<DedupSettings>>(
  {},
  { minBytes: 0, verbosity: "verbose" },
  { minBytes: 0, invalidates: { Bash: ["*"], Write: ["Grep"] } },
  { nearRef: true, verbosity: "terse" },
);

describe("the sweep of any session", () => {
  it("tells for every capacity what a replay at that capacity tells", () => {
    fc.assert(
      fc.property(anySession(50), variants, fc.constantFrom(1, 2, 3, 5, 32), (text, settings, capacity) => {
        const { totals, sweep } = reportAt(text, { ...settings, capacity });
        const point = sweep.find(candidate => candidate.capacity === capacity);
        expect(point?.hits).toBe(totals.hits + totals.nearHits);
        expect(point?.savedBytes).toBe(totals.savedBytes);
        expect(Math.abs((point?.savedTokens ?? Number.NaN) - totals.savedTokens)).toBeLessThanOrEqual(1);
        // Every other capacity is told the same, whatever the present one is.
        expect(reportAt(text, { ...settings, capacity: 7 }).sweep).toEqual(sweep);
      }),
      { numRuns: 40 },
    );
  });

  it("ends with a cache that never evicts", () => {
    fc.assert(
      fc.property(anySession(50), variants, (text, settings) => {
        const { totals, sweep } = reportAt(text, { ...settings, capacity: 1_000_000 });
        expect(totals.evictions).toBe(0);
        expect(sweep.at(-1)).toMatchObject({ capacity: null, hits: totals.hits + totals.nearHits });
        expect(sweep.at(-1)?.savedBytes).toBe(totals.savedBytes);
      }),
      { numRuns: 30 },
    );
  });

  it("never finds less with a larger cache", () => {
    fc.assert(
      fc.property(anySession(80), text => {
        const hits = reportAt(text, { minBytes: 0 }).sweep.map(point => point.hits);
        expect(hits).toEqual(hits.toSorted((left, right) => left - right));
      }),
      { numRuns: 40 },
    );
  });
});

/** A sweep that saves so much at capacity 1, 2, 3 …, the last amount from there on and without a limit. */
function saving(...amounts: number[]) {
  return emptySweep().map((point, slot) => {
    const amount = amounts[slot] ?? amounts.at(-1) ?? 0;
    return { ...point, hits: amount, savedBytes: amount, savedTokens: amount };
  });
}

describe("the advice", () => {
  it("is the smallest capacity that reaches 95 % of the unbounded saving", () => {
    expect(advise(saving(10, 60, 94, 95, 99, 100))).toEqual({ capacity: 4, of: "unbounded saving", share: 0.95 });
    expect(advise(saving(10, 60, 94.9, 96, 100)).capacity).toBe(4);
    expect(advise(saving(100)).capacity).toBe(1);
  });

  it("is none where even 32 falls short", () => {
    const sweep = saving(1).map(point =>
      point.capacity === null ? { ...point, savedBytes: 100, savedTokens: 100 } : point,
    );
    expect(advise(sweep).capacity).toBeNull();
  });
});
