import { describe, expect, it } from "vitest";
import type { PassName } from "../../../src/dedup/passes/projections.js";
import { projectPasses } from "../../../src/dedup/passes/projections.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { buildReport, type Report } from "../../../src/inspect/report.js";
import { bytesOf } from "../../../src/log/bytes.js";
import { LogPipeline } from "../../../src/pipeline/logPipeline.js";
import { liveIn } from "../../support/conversation.js";
import { boundary, call, type Json, logText, prompt, result, textOf } from "../../support/log.js";

const MODEL = "claude-opus-4-1";
/** Its input price, in US dollars per million tokens, and the share that a cache read costs. */
const PRICES = {
  source: "ours",
  models: { [MODEL]: { input: 20, cacheRead: 2 }, cheap: { input: 4, cacheRead: 0.2 } },
};
const RATES = { charsPerToken: 2, readShare: 0.1 };

/** An answer that calls a tool, and the result. */
function exchange(id: string, text: string, usage: Json = {}): Json[] {
  return [call(id, "Read", {}, { message: { id: `m-${id}`, model: MODEL, usage } }), result(id, text)];
}

const cached = (read: number, written: number) => ({
  input_tokens: 0,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
});

/** Two equal results of 1,000 bytes; the requests say what they read and wrote. */
const REPEATING = [
  prompt("go"),
  ...exchange("a", textOf(1000), cached(0, 10_000)),
  ...exchange("b", textOf(1000), cached(10_000, 600)),
  ...exchange("c", "short", cached(10_600, 600)),
];
const PLAIN = [prompt("on"), ...exchange("d", textOf(1000, "d"))];

function reportOn(...logs: (readonly Json[])[]): Report {
  const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: false, keepFacts: false, passes: true };
  const data = logs.map((lines, at) => {
    const log = new LogPipeline(`s${at}.jsonl`, options);
    log.push(bytesOf(logText(...lines)));
    return log.data();
  });
  return buildReport(data, DEFAULT_SETTINGS, () => true, { passes: true, prices: PRICES, charsPerToken: 2 });
}

function ofPass(report: Report, pass: PassName, keepLast: 0 | 8 | null = null) {
  const find = <P extends { pass: PassName; keepLast: number | null }>(all: readonly P[] | undefined) =>
    all?.find(one => one.pass === pass && one.keepLast === keepLast);
  const partitions = report.sessions.flatMap(({ contexts }) => contexts.flatMap(context => context.partitions));
  return { total: find(report.passes?.passes), partitions: partitions.map(({ passes }) => find(passes?.passes)) };
}

describe("passes in a report", () => {
  it("examine each partition as it was when it ended", () => {
    const report = reportOn([...REPEATING, boundary(), ...PLAIN]);
    const { total, partitions } = ofPass(report, "dedupToolOutputs", 0);
    // The line for it has 47 bytes, with an id of one character and four digits one more.
    expect(partitions.map(one => one?.stats)).toEqual([
      { dedupHits: 1, snippetHits: 0, totalBytesSaved: 1000 - 48 },
      { dedupHits: 0, snippetHits: 0, totalBytesSaved: 0 },
    ]);
    expect(total).toMatchObject({ changed: 1, savedBytes: 952, savedTokens: 476, stats: { dedupHits: 1 } });
    expect(total?.share).toBe(952 / (report.passes?.bytes ?? 0));
    expect(report.passes).toMatchObject({ partitions: 2, messages: 7 + 3 });
  });

  it("are priced as the model that answered last before the partition ended", () => {
    const last = (model: string) => [
      ...REPEATING,
      ...exchange("e", "short", cached(11_200, 100)),
      call("f", "Read", {}, { message: { id: "m-f", model, usage: cached(11_300, 100) } }),
    ];
    const { partitions, total } = ofPass(reportOn([...last("cheap"), boundary(), ...PLAIN]), "dedupToolOutputs", 0);
    const [own] = ofPass(reportOn(last(MODEL)), "dedupToolOutputs", 0).partitions;
    // 700 tokens that were read are written, but for the 476 that are gone: 224 × 1.25, less 700 × 0.1 or × 0.05.
    expect(own).toMatchObject({ rewrittenTokens: 700, units: 210 });
    expect(partitions[0]).toMatchObject({ rewrittenTokens: 700, units: 245 });
    // 245 tokens at 4 dollars a million.
    expect(total?.usd).toBe(0.001);
  });

  it("are those of the same messages without a report", () => {
    const { messages, requests } = liveIn(REPEATING);
    const [session] = reportOn(REPEATING).sessions;
    expect(session?.contexts[0]?.partitions[0]?.passes?.passes).toEqual(projectPasses(messages, requests, RATES));
  });

  it("are priced by what the last request read, at the model's rates", () => {
    // Message 4 is the copy, after the 10,600 tokens of the second request. The third read just as many, so the copy
    // was not in the cache yet: nothing is written again, and it pays off immediately.
    const { total } = ofPass(reportOn(REPEATING), "dedupToolOutputs", 0);
    expect(total).toMatchObject({ rewrittenTokens: 0, units: 0, usd: 0, breakEvenRequests: 0 });
    // One more request: it has read the copy, 500 tokens and more, which are written for 1.25 instead of read for 0.1.
    const read = [...REPEATING, ...exchange("e", "short", cached(11_200, 100))];
    const later = ofPass(reportOn(read), "dedupToolOutputs", 0).total;
    // Rewritten are 11,200 − 10,600; of them 476 are freed: 124 × 1.25 − 600 × 0.1 = 95 units at 20 dollars a million.
    expect(later).toMatchObject({ rewrittenTokens: 600, units: 95, usd: 0.0019, breakEvenRequests: 2 });
  });

  it("say if there is no price, and why", () => {
    const { total } = ofPass(reportOn(PLAIN, [...PLAIN, ...exchange("f", textOf(1000, "d"))]), "dedupToolOutputs", 0);
    expect(total).toMatchObject({ changed: 1, units: null, usd: null, breakEvenRequests: null });
    expect(total?.unpriced).toEqual({ unchanged: 1, noUsage: 1 });
  });

  it("are summed over all sessions, with the median of what pays off", () => {
    const read = [...REPEATING, ...exchange("e", "short", cached(11_200, 100))];
    const { total } = ofPass(reportOn(read, read, REPEATING, PLAIN), "dedupToolOutputs", 0);
    expect(total).toMatchObject({ changed: 3, savedBytes: 3 * 952, units: 2 * 95, breakEvenRequests: 2 });
    expect(total?.unpriced).toEqual({ unchanged: 1 });
  });

  it("count partitions as the replay does, even if a compaction is copied", () => {
    const copied = { ...boundary(), uuid: "b" };
    const [session] = reportOn([...REPEATING, copied, ...PLAIN, copied, ...exchange("g", "short")]).sessions;
    const partitions = session?.contexts[0]?.partitions ?? [];
    expect(partitions.map(({ results }) => results)).toEqual([3, 1, 1]);
    // A copy compacts nothing, so what the context holds then is reported once, at the end.
    expect(partitions.map(({ passes }) => passes?.messages ?? null)).toEqual([7, null, 5]);
  });

  it("are left out unless requested", () => {
    const report = buildReport([], DEFAULT_SETTINGS, () => true);
    expect(report).not.toHaveProperty("passes");
    expect(reportOn().passes).toMatchObject({ partitions: 0, passes: [], cacheMarks: { requests: 0 } });
  });
});

describe("cache marks in a report", () => {
  it("show which partitions would be marked, and what the prompt cache did", () => {
    const many = [prompt("go"), ...["1", "2", "3", "4", "5", "6"].flatMap(id => exchange(id, "x", cached(100, 10)))];
    const inAgent = many.map(line => ({ ...line, isSidechain: true, agentId: "a" }));
    const { cacheMarks } = reportOn([...many, ...inAgent], PLAIN).passes ?? {};
    // The last request was sent with five results, of which four are live.
    expect(cacheMarks).toMatchObject({ marked: 1, unmarked: { subagent: 1, tooFew: 1 }, marks: 1, eligibleResults: 5 });
    // Each of the other five requests of two conversations could read 110, and read 100.
    expect(cacheMarks).toMatchObject({ requests: 12, hits: 12, couldReadTokens: 1100, didReadTokens: 1000 });
  });
});
