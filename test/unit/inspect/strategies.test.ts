import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { SpanReplay } from "../../../src/dedup/span/replay.js";
import { compareContext } from "../../../src/inspect/contextComparison.js";
import { bytesOf } from "../../../src/log/bytes.js";
import { LogReader } from "../../../src/log/logReader.js";
import { LogPipeline } from "../../../src/pipeline/logPipeline.js";
import { comparisonOf } from "../../../src/protocol/comparison.js";
import { answer, call, type Json, logText, result } from "../../support/log.js";
import { dataOf, reportOf } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";

const STRATEGIES = { spanMinBytes: 200 };

function compared(text: string, settings: Partial<DedupSettings> = {}, strategies = STRATEGIES) {
  return reportOf([dataOf("s.jsonl", text, { settings, strategies })], settings, { strategies });
}

/** Ten lines of 29 characters: 299 with the line breaks between them. */
const LINES = Array.from({ length: 10 }, (_, at) => `this is line number ${at} of ten`.padEnd(29, ".")).join("\n");
const HINT = "> [ref: 1 lines 1-10]".length;
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
  const { strategies, totals } = compared(logText(...lines), { capacity: 1 });
  const of = (name: string) => strategies.find(({ strategy }) => strategy === name);
  const tokens = (chars: number) => Math.round(chars / 2.6);

  it("each say what they would have saved of the same results", () => {
    expect(LINES).toHaveLength(299);
    expect(totals.bytes).toBe(2 + 299 + 304 + 299);
    expect(strategies.map(({ strategy }) => strategy)).toEqual([
      "exact",
      "exact-unbounded",
      "near",
      "near-unbounded",
      "span",
      "span-inputs",
    ]);
    // At capacity 1 the second result pushes out the first.
    expect(of("exact")).toMatchObject({ capacity: 1, results: 0, hints: 0, savedBytes: 0, savedTokens: 0, share: 0 });
    expect(of("exact-unbounded")).toMatchObject({ capacity: null, results: 1, hints: 1, savedBytes: 299 - WHOLE });
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
    const input = "> [ref: w input.content lines 1-10]".length;
    expect(of("span-inputs")).toMatchObject({ results: 3, hints: 3, savedBytes: 3 * (299 - input) });
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

  it("are told by partition too, and without being asked only where that costs nothing", () => {
    const whole = compared(logText(...lines), { capacity: 1 });
    const partition = whole.sessions[0]?.contexts[0]?.partitions[0];
    expect(partition?.strategies?.["span"]).toMatchObject({ results: 2, hints: 2, savedBytes: 2 * (299 - HINT) });
    const plain = reportOf([dataOf("s.jsonl", logText(...lines), { settings: { capacity: 1 } })], { capacity: 1 });
    expect(plain.strategies).toEqual(whole.strategies.slice(0, 2));
    expect(plain.sessions[0]?.contexts[0]?.partitions[0]).not.toHaveProperty("strategies");
    const { strategies: _, sessions: __, ...rest } = whole;
    expect(plain).toMatchObject(rest);
  });
});

const settings = fc.constantFrom<Partial<DedupSettings>>(
  { capacity: 2 },
  { capacity: 2, nearRef: true, minBytes: 0 },
  { verbosity: "terse", invalidates: { Bash: ["*"] } },
);

describe("for any session", () => {
  it("each strategy saves what a replay of its own tells", () => {
    fc.assert(
      fc.property(anySession(60), settings, (text, given) => {
        const { strategies } = compared(text, given);
        for (const nearRef of [false, true]) {
          const own = reportOf([dataOf("s.jsonl", text, { settings: { ...given, nearRef } })], { ...given, nearRef });
          const name = nearRef ? "near" : "exact";
          const bounded = strategies.find(({ strategy }) => strategy === name);
          expect([bounded?.hints, bounded?.savedBytes]).toEqual([
            own.totals.hits + own.totals.nearHits,
            own.totals.savedBytes,
          ]);
          const { hits, savedBytes } = own.sweep.at(-1) ?? {};
          expect(strategies.find(({ strategy }) => strategy === `${name}-unbounded`)).toMatchObject({
            hints: hits,
            savedBytes,
          });
        }
      }),
      { numRuns: 40 },
    );
  });

  it("other settings give the same afterwards as from the start, also of what comes later", () => {
    const options = { strategies: STRATEGIES, keepEvents: true, keepDetails: true, keepFacts: true };
    fc.assert(
      fc.property(anySession(60), settings, settings, fc.nat(), (text, before, after, cut) => {
        const bytes = bytesOf(text);
        const at = cut % (bytes.length + 1);
        const changed = new LogPipeline("s.jsonl", { ...options, settings: { ...DEFAULT_SETTINGS, ...before } });
        changed.push(bytes.subarray(0, at));
        changed.compareUnder({ ...DEFAULT_SETTINGS, ...after });
        changed.push(bytes.subarray(at));
        const fresh = new LogPipeline("s.jsonl", { ...options, settings: { ...DEFAULT_SETTINGS, ...after } });
        fresh.push(bytes);
        const saved = (model: LogPipeline) => model.data().contexts.map(({ strategies }) => strategies);
        expect(saved(changed)).toEqual(saved(fresh));
      }),
      { numRuns: 60 },
    );
  });

  it("a conversation by itself is told the same of as in the report", () => {
    fc.assert(
      fc.property(anySession(60), settings, (text, given) => {
        const all = { ...DEFAULT_SETTINGS, ...given };
        const options = { strategies: STRATEGIES, keepEvents: false, keepDetails: true, keepFacts: true };
        const model = new LogPipeline("s.jsonl", { ...options, settings: all });
        model.push(bytesOf(text));
        const data = model.data();
        for (const context of data.contexts) {
          const report = reportOf([{ ...data, contexts: [context] }], all, { strategies: STRATEGIES });
          const [{ calibration, contexts } = expect.fail()] = report.sessions;
          const { charsPerToken } = calibration;
          const one = model.compared(context.id) ?? expect.fail();
          expect(compareContext(one, { settings: all, strategies: STRATEGIES, charsPerToken })).toEqual({
            ...comparisonOf(report),
            partitions: contexts[0]?.partitions.map(({ strategies }) => strategies),
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("runs of lines save the same alone and side by side", () => {
    fc.assert(
      fc.property(anySession(60), fc.constantFrom(20, 200), (text, spanMinBytes) => {
        const { sessions } = compared(text, {}, { spanMinBytes });
        for (const inputs of [false, true]) {
          let [hints, savedBytes] = [0, 0];
          const replays = new Map<string, SpanReplay>();
          const reader = new LogReader(
            (context, fact) => {
              const replay = replays.get(context.id) ?? new SpanReplay({ minBytes: spanMinBytes, inputs });
              replays.set(context.id, replay);
              for (const run of replay.take(fact)?.runs[0] ?? []) {
                hints++;
                savedBytes += run.savedBytes;
              }
            },
            { withCalls: true },
          );
          reader.push(bytesOf(text));
          const partitions = sessions.flatMap(({ contexts }) => contexts.flatMap(one => one.partitions));
          const told = partitions.map(({ strategies }) => strategies?.[inputs ? "span-inputs" : "span"]);
          const sum = (of: "hints" | "savedBytes") => told.reduce((all, one) => all + (one?.[of] ?? 0), 0);
          expect([sum("hints"), sum("savedBytes")]).toEqual([hints, savedBytes]);
        }
      }),
      { numRuns: 40 },
    );
  });
});
