import { describe, expect, it } from "vitest";
import { projectCacheMarks } from "../../../../src/dedup/passes/cacheProjection.js";
import type { LiveRequest } from "../../../../src/log/conversation/message.js";
import { exchange, user } from "../../../support/messages.js";

/** A prompt and eight calls: answers at 1, 3 … 15. Each request has 1,000 tokens more than the previous one. */
const LIST = [user("go"), ...Array.from({ length: 8 }, (_, at) => exchange(`t${at}`)).flat()];
const REQUESTS: LiveRequest[] = Array.from({ length: 8 }, (_, at) => ({
  answer: 1 + 2 * at,
  model: "claude-opus-4",
  input: 10_000 + 1000 * at,
  output: 50,
  cacheRead: at === 0 ? 0 : 9000 + 1000 * at,
  written5m: at === 0 ? 10_000 : 1000,
  written1h: 0,
}));
const MAIN = { charsPerToken: 2, subagent: false };

describe("cache marks, against the requests as they were", () => {
  it("are in the messages that the last request contained", () => {
    // Seven results were sent with it, at 2, 4 … 14; the newest four stay live.
    expect(projectCacheMarks(LIST, REQUESTS, MAIN)).toEqual({
      applied: true,
      unmarked: null,
      breakpoints: [1, 3, 5],
      marks: [1, 3, 5],
      eligibleResults: 7,
      // Up to and including the answer to the third request.
      markedTokens: 12_000 + 50,
      readTokens: 16_000,
      requests: 8,
      hits: 7,
      // Each except the first could read what the previous one had left: all of its input.
      couldReadTokens: 10_000 + 11_000 + 12_000 + 13_000 + 14_000 + 15_000 + 16_000,
      didReadTokens: 10_000 + 11_000 + 12_000 + 13_000 + 14_000 + 15_000 + 16_000,
    });
  });

  it("leave as many results live as configured", () => {
    expect(projectCacheMarks(LIST, REQUESTS, { ...MAIN, liveThreshold: 6 }).breakpoints).toEqual([1]);
  });

  it("show what was not read although it was there", () => {
    const cold = REQUESTS.map((request, at) => (at === 3 ? { ...request, cacheRead: 0, written5m: 13_000 } : request));
    const { hits, couldReadTokens, didReadTokens } = projectCacheMarks(LIST, cold, MAIN);
    expect(hits).toBe(6);
    expect((couldReadTokens ?? 0) - (didReadTokens ?? 0)).toBe(12_000);
  });

  it("never expect a request to read more than it contained", () => {
    // After a rewind: the last request had 4,000 tokens, the previous one had left 16,000.
    const back = REQUESTS.map((request, at) => (at === 7 ? { ...request, input: 4000, cacheRead: 4000 } : request));
    const { couldReadTokens, didReadTokens } = projectCacheMarks(LIST, back, MAIN);
    expect(couldReadTokens).toBe(10_000 + 11_000 + 12_000 + 13_000 + 14_000 + 15_000 + 4000);
    expect(didReadTokens).toBe(couldReadTokens);
  });

  it("are not set in a subagent, by another provider, or with too few results", () => {
    const other = REQUESTS.map(request => ({ ...request, model: "gpt-9" }));
    expect(projectCacheMarks(LIST, REQUESTS, { ...MAIN, subagent: true }).unmarked).toBe("subagent");
    expect(projectCacheMarks(LIST, other, MAIN).unmarked).toBe("provider");
    expect(projectCacheMarks(LIST.slice(0, 9), REQUESTS.slice(0, 4), MAIN)).toMatchObject({
      applied: false,
      unmarked: "tooFew",
      marks: [],
      markedTokens: null,
    });
    const nameless = REQUESTS.map(request => ({ ...request, model: "" }));
    expect(projectCacheMarks(LIST, nameless, MAIN).unmarked).toBeNull();
  });

  it("say nothing about a cache that is not in the log", () => {
    const unknown = { readTokens: null, requests: 0, hits: 0, couldReadTokens: null, didReadTokens: null };
    expect(projectCacheMarks(LIST, [], MAIN)).toMatchObject({ ...unknown, applied: true, markedTokens: null });
    const silent = REQUESTS.map(request => ({ ...request, cacheRead: null }));
    expect(projectCacheMarks(LIST, silent, MAIN)).toMatchObject(unknown);
    expect(projectCacheMarks(LIST, REQUESTS.slice(0, 1), MAIN)).toMatchObject({ requests: 1, couldReadTokens: null });
  });
});
