import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emittedBy } from "../../../src/dedup/emission.js";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import { compareContext } from "../../../src/inspect/contextComparison.js";
import { STRATEGY_IDS, type Strategy } from "../../../src/inspect/strategies.js";
import { bytesOf, utf8Length } from "../../../src/log/bytes.js";
import { LogPipeline } from "../../../src/pipeline/logPipeline.js";
import { emissionReader } from "../../../src/pipeline/strategyReplays.js";
import { comparisonOf } from "../../../src/protocol/comparison.js";
import { answer, call, type Json, logText, result } from "../../support/log.js";
import { dataOf, reportOf, WHOLE_RESULTS } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

/** With every strategy replayed. */
function compared(text: string, settings: Partial<DedupSettings> = {}) {
  return reportOf([dataOf("s.jsonl", text, { settings, strategies: true })], settings, { strategies: true });
}

/** With what every report contains about them. */
function plain(text: string, settings: Partial<DedupSettings> = {}) {
  return reportOf([dataOf("s.jsonl", text, { settings })], settings);
}

/** Ten lines of 29 characters: 299 with the line breaks between them. */
const LINES = Array.from({ length: 10 }, (_, at) => `this is line number ${at} of ten`.padEnd(29, ".")).join("\n");
const HINT = "> [ref: 1 lines 1-10]".length;
const INPUT_HINT = "> [ref: w input.content lines 1-10]".length;
const WHOLE = "> [ref: 1, byte-identical]".length;

describe("the strategies side by side", () => {
  const lines: Json[] = [
    call("w", "Write", { content: LINES }),
    result("w", "ok"),
    ...["1", "2", "3"].map(id => call(id, "Bash", {}, { message: { id: "m1" } })),
    result("1", LINES),
    result("2", `${LINES}\ntail`),
    answer("m2", 100),
    result("3", LINES),
    answer("m3", 200),
    answer("m4", 300),
  ];
  const settings = { capacity: 1, spanMinBytes: 200 };
  const { strategies, totals } = compared(logText(...lines), settings);
  const of = (name: Strategy) => strategies.find(({ strategy }) => strategy === name);
  const tokens = (chars: number) => Math.round(chars / 2.6);

  it("each say what they would have saved of the same results", () => {
    expect(LINES).toHaveLength(299);
    expect(totals.bytes).toBe(2 + 299 + 304 + 299);
    expect(strategies.map(({ strategy }) => strategy)).toEqual([
      "live",
      "whole",
      "whole-unbounded",
      "near",
      "near-unbounded",
      "span",
      "span-inputs",
    ]);
    // At capacity 1 the second result evicts the first.
    expect(of("whole")).toMatchObject({ capacity: 1, results: 0, hints: 0, savedBytes: 0, savedTokens: 0, share: 0 });
    expect(of("whole-unbounded")).toMatchObject({ capacity: null, results: 1, hints: 1, savedBytes: 299 - WHOLE });
    expect(of("near")).toMatchObject({ capacity: 1, hints: 0 });
    expect(of("near-unbounded")).toMatchObject({ capacity: null, hints: 1, savedBytes: 299 - WHOLE });
    const saved = 299 - HINT;
    expect(of("span")).toMatchObject({
      spanMinBytes: 200,
      results: 2,
      hints: 2,
      savedBytes: 2 * saved,
      savedTokens: tokens(2 * saved),
      // m2, m3 and m4 followed the second result, m3 and m4 the third.
      carriedTokens: tokens(5 * saved),
      share: (2 * saved) / 904,
    });
    expect(of("span-inputs")).toMatchObject({ results: 3, hints: 3, savedBytes: 3 * (299 - INPUT_HINT) });
  });

  it("have live hints among them, which point at nothing in the message that is being answered", () => {
    // All three point at the call's input: of the two results in one message, neither may point at the other.
    expect(of("live")).toMatchObject({ capacity: 1, spanMinBytes: 200, results: 3, hints: 3 });
    expect(of("live")?.savedBytes).toBe(3 * (299 - INPUT_HINT));
    const long = compared(logText(...lines), { ...settings, spanMinBytes: 300 }).strategies;
    expect(long.find(({ strategy }) => strategy === "live")).toMatchObject({ spanMinBytes: 300, hints: 0 });
    // The upper bounds have their own size.
    expect(long.find(({ strategy }) => strategy === "span")).toEqual(of("span"));
  });

  it("put live hints where settings hooks would: as a numbered line of a Read, next to what Claude Code adds", () => {
    const file = LINES.split("\n").map((line, at) => `${at + 1}\t${line}`);
    const reminder = "\n\n<system-reminder>\nThis is older than a day.\n</system-reminder>";
    const reads = ["a", "b"].flatMap(id => [
      call(id, "Read", { file_path: "/f" }, { message: { id: `m-${id}` } }),
      result(id, file.join("\n") + reminder),
    ]);
    const model = new LogPipeline("s.jsonl", {
      ...{ strategies: true, keepEvents: false, keepDetails: true, keepFacts: true },
      settings: { ...WHOLE_RESULTS, door: "hooks" },
    });
    model.push(bytesOf(logText(...reads)));
    const emission = model.emissionOf("main", 1, "live") ?? expect.fail();
    expect(emittedBy(file.join("\n") + reminder, emission)).toBe(`1\t> [ref: a, byte-identical]${reminder}`);
  });

  it("are worth what the requests that followed paid", () => {
    // Nothing was written to the prompt cache: the first request paid the input price, the others a tenth of it.
    const units = ((299 - HINT) / 2.6) * (1 + 0.1 * 2 + 1 + 0.1);
    expect(of("span")?.cost).toEqual({
      units: Math.round(units),
      usd: null,
      uncountedTokens: 0,
      unpricedTokens: tokens(2 * (299 - HINT)),
    });
  });

  it("are reported by partition too, and by default only if that costs nothing", () => {
    const whole = compared(logText(...lines), settings);
    const partition = whole.sessions[0]?.contexts[0]?.partitions[0];
    expect(partition?.strategies?.["span"]).toMatchObject({ results: 2, hints: 2, savedBytes: 2 * (299 - HINT) });
    const unasked = plain(logText(...lines), settings);
    expect(unasked.strategies).toEqual(whole.strategies.slice(1, 3));
    expect(unasked.sessions[0]?.contexts[0]?.partitions[0]).not.toHaveProperty("strategies");
    expect(unasked).not.toHaveProperty("runSizes");
    const { strategies: _, sessions: __, runSizes: ___, ...rest } = whole;
    expect(unasked).toMatchObject(rest);
  });

  it("have the report's own sum for live hints, if those are in use", () => {
    const inForce = compared(logText(...lines), { ...settings, runs: true });
    expect(inForce.totals).toMatchObject({ runHits: 3, hits: 0, savedBytes: of("live")?.savedBytes });
    expect(plain(logText(...lines), { ...settings, runs: true }).strategies).toEqual(inForce.strategies.slice(0, 3));
  });
});

const settings = fc.constantFrom<Partial<DedupSettings>>(
  { capacity: 2 },
  { capacity: 2, nearRef: true, minBytes: 0, spanMinBytes: 200 },
  { verbosity: "terse", invalidates: { Bash: ["*"] } },
  { runs: true, spanMinBytes: 200, minBytes: 0, capacity: 3 },
  { runs: true, verbosity: "located", nearRef: true },
  { runs: true, door: "hooks", minBytes: 0, spanMinBytes: 200 },
);

describe("for any session", () => {
  it("each strategy saves what its own replay shows", async () => {
    await fc.assert(
      turning(anySession(60), settings, (text, given) => {
        const { strategies } = compared(text, given);
        const of = (name: Strategy) => strategies.find(({ strategy }) => strategy === name);
        for (const nearRef of [false, true]) {
          const own = plain(text, { ...given, nearRef, runs: false });
          const bounded = of(nearRef ? "near" : "whole");
          const { hits, nearHits, savedBytes } = own.totals;
          expect([bounded?.hints, bounded?.savedBytes]).toEqual([hits + nearHits, savedBytes]);
          const unbounded = own.sweep.at(-1);
          expect(of(nearRef ? "near-unbounded" : "whole-unbounded")).toMatchObject({
            hints: unbounded?.hits,
            savedBytes: unbounded?.savedBytes,
          });
        }
        const { totals } = plain(text, { ...given, runs: true });
        const { savedTokens, carriedTokens } = totals;
        expect(of("live")).toMatchObject({ savedBytes: totals.savedBytes, savedTokens, carriedTokens });
        expect(of("live")?.results).toBe(totals.hits + totals.nearHits + totals.runHits);
      }),
      { numRuns: 40 },
    );
  });

  it("what a report shows by default is what a comparison shows, at any capacity", async () => {
    const capacity = fc.constantFrom(1, 2, 5, 32, 33, 1000);
    await fc.assert(
      turning(anySession(40), settings, capacity, (text, given, at) => {
        const all = { ...given, capacity: at };
        const asked = compared(text, all).strategies;
        const unasked = plain(text, all).strategies;
        expect(unasked).toEqual(asked.filter(({ strategy }) => unasked.some(one => one.strategy === strategy)));
        // Always the current strategy, and whatever the sweep has covered.
        const { runs = false, nearRef = false } = given;
        const inForce: Strategy = runs ? "live" : nearRef ? "near" : "whole";
        const swept: Strategy[] = nearRef ? ["near", "near-unbounded"] : ["whole", "whole-unbounded"];
        const expected = new Set([inForce, ...swept.slice(at > 32 ? 1 : 0)]);
        expect(unasked.map(({ strategy }) => strategy)).toEqual(STRATEGY_IDS.filter(one => expected.has(one)));
      }),
      { numRuns: 40 },
    );
  });

  it("each point of the curve over the smallest run is a replay with that setting", async () => {
    let changes = 0;
    await fc.assert(
      turning(anySession(60), settings, (text, given) => {
        const { runSizes = [] } = compared(text, given);
        expect(runSizes.map(({ spanMinBytes }) => spanMinBytes)).toEqual([
          200, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        ]);
        for (const { spanMinBytes, results, savedBytes, savedTokens } of runSizes) {
          const { totals } = plain(text, { ...given, runs: true, spanMinBytes });
          expect([results, savedBytes, savedTokens], `from ${spanMinBytes} bytes`).toEqual([
            totals.hits + totals.nearHits + totals.runHits,
            totals.savedBytes,
            totals.savedTokens,
          ]);
        }
        if (runSizes[0]?.savedBytes !== runSizes.at(-1)?.savedBytes) changes++;
      }),
      { numRuns: 20 },
    );
    expect(changes).toBeGreaterThan(0);
  });

  it("other settings give the same afterwards as from the start, also for what comes later", async () => {
    const options = { strategies: true, keepEvents: true, keepDetails: true, keepFacts: true };
    await fc.assert(
      turning(anySession(60), settings, settings, fc.nat(), (text, before, after, cut) => {
        const bytes = bytesOf(text);
        const at = cut % (bytes.length + 1);
        const changed = new LogPipeline("s.jsonl", { ...options, settings: { ...WHOLE_RESULTS, ...before } });
        changed.push(bytes.subarray(0, at));
        changed.compareUnder({ ...WHOLE_RESULTS, ...after });
        changed.push(bytes.subarray(at));
        const fresh = new LogPipeline("s.jsonl", { ...options, settings: { ...WHOLE_RESULTS, ...after } });
        fresh.push(bytes);
        const saved = (model: LogPipeline) =>
          model.data().contexts.map(({ strategies, runSizes }) => ({ strategies, runSizes }));
        expect(saved(changed)).toEqual(saved(fresh));
      }),
      { numRuns: 60 },
    );
  });

  it("a single conversation has the same figures as in the report", async () => {
    await fc.assert(
      turning(anySession(60), settings, (text, given) => {
        const all = { ...WHOLE_RESULTS, ...given };
        const options = { strategies: true, keepEvents: false, keepDetails: true, keepFacts: true };
        const model = new LogPipeline("s.jsonl", { ...options, settings: all });
        model.push(bytesOf(text));
        const data = model.data();
        for (const context of data.contexts) {
          const report = reportOf([{ ...data, contexts: [context] }], all, { strategies: true });
          const [{ calibration, contexts } = expect.fail()] = report.sessions;
          const { charsPerToken } = calibration;
          const one = model.compared(context.id) ?? expect.fail();
          expect(compareContext(one, { settings: all, charsPerToken })).toEqual({
            ...comparisonOf(report),
            partitions: contexts[0]?.partitions.map(({ strategies }) => strategies),
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("a strategy saves the difference in length of what it would emit", async () => {
    await fc.assert(
      turning(anySession(60), settings, (text, given) => {
        const all = { ...WHOLE_RESULTS, ...given };
        const partitions = compared(text, given).sessions.flatMap(({ contexts }) =>
          contexts.flatMap(one => one.partitions),
        );
        // If near-references are on, `replay` applies them to any cache.
        const emitting = STRATEGY_IDS.filter(one => !(all.nearRef && one.startsWith("whole")));
        for (const strategy of emitting) {
          let shorter = 0;
          const reader = emissionReader("s.jsonl", { strategy, settings: all }, (_, { bytes, emitted }) => {
            if (emitted !== null) shorter += bytes - utf8Length(emitted);
          });
          reader.push(bytesOf(text));
          const told = partitions.reduce((sum, { strategies }) => sum + (strategies?.[strategy]?.savedBytes ?? 0), 0);
          expect(told, strategy).toBe(shorter);
        }
      }),
      { numRuns: 40 },
    );
  });
});
