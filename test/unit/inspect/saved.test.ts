import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import { LogPipeline, type SavedLog } from "../../../src/pipeline/logPipeline.js";
import { dataOf, reportOf, WHOLE_RESULTS } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

function modelOf(settings: Partial<DedupSettings>, saved?: SavedLog): LogPipeline {
  const options = {
    settings: { ...WHOLE_RESULTS, ...settings },
    keepEvents: true,
    keepDetails: false,
    keepFacts: true,
  };
  return new LogPipeline("s.jsonl", options, saved);
}

/** What is known about the first bytes of a log, as another process would find it. */
function savedAfter(bytes: Buffer, settings: Partial<DedupSettings>): SavedLog {
  const model = modelOf(settings);
  model.push(bytes);
  return structuredClone(model.save() as SavedLog);
}

const variants = fc.constantFrom<Partial<DedupSettings>>(
  {},
  { capacity: 1, minBytes: 0 },
  { nearRef: true, capacity: 3 },
  { runs: true, spanMinBytes: 200, verbosity: "located" },
);

describe("a log read in two steps", () => {
  it("gives the same report as in one step, wherever the first one ended", async () => {
    await fc.assert(
      turning(anySession(40), fc.double({ min: 0, max: 1, noNaN: true }), variants, (text, share, settings) => {
        const bytes = Buffer.from(text);
        const saved = savedAfter(bytes.subarray(0, Math.round(share * bytes.length)), settings);
        const model = modelOf(settings, saved);
        model.push(bytes.subarray(saved.reader.offset));
        const whole = JSON.stringify(reportOf([dataOf("s.jsonl", text, { settings })], settings));
        expect(JSON.stringify(reportOf([model.data()], settings))).toBe(whole);
      }),
      { numRuns: 40 },
    );
  });

  it("can be replayed under other settings without its bytes", async () => {
    await fc.assert(
      turning(anySession(40), fc.boolean(), (text, runs) => {
        const other: Partial<DedupSettings> = {
          capacity: 2,
          minBytes: 0,
          invalidates: { Bash: ["Read"] },
          verbosity: "terse",
          runs,
          spanMinBytes: 200,
        };
        const model = modelOf(other, savedAfter(Buffer.from(text), {}));
        const fresh = JSON.stringify(reportOf([dataOf("s.jsonl", text, { settings: other })], other));
        expect(JSON.stringify(reportOf([model.data()], other))).toBe(fresh);
      }),
      { numRuns: 40 },
    );
  });
});
