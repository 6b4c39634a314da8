import { describe, expect, it } from "vitest";
import { type PassName, projectPasses } from "../../../../src/dedup/passes/projections.js";
import type { LiveRequest, Message } from "../../../../src/log/conversation/message.js";
import { assistant, call, exchange, prompts, result, thinking, tool, user } from "../../../support/messages.js";

const BIG = "x".repeat(10_048);
/** A prompt, a result, its copy, and eight prompts more: the copy is message 4, after the answer to the second request. */
const LIST = [user("go"), ...exchange("a", BIG), ...exchange("b", BIG), ...prompts(8), assistant("done")];

function request(
  answer: number,
  input: number,
  cacheRead: number | null,
  more: Partial<LiveRequest> = {},
): LiveRequest {
  return { answer, model: "claude", input, output: 100, cacheRead, written5m: 0, written1h: 0, ...more };
}

const REQUESTS = [
  request(1, 20_000, 0, { written5m: 20_000 }),
  request(3, 24_900, 20_000, { written5m: 4900 }),
  request(13, 30_000, 29_000, { written5m: 1000 }),
];

const RATES = { charsPerToken: 2, readShare: 0.1 };

function projected(
  pass: PassName,
  messages: readonly Message[],
  requests: readonly LiveRequest[],
  keepLast?: number,
  rates = RATES,
) {
  const all = projectPasses(messages, requests, rates);
  const found = all.find(one => one.pass === pass && (keepLast === undefined || one.keepLast === keepLast));
  if (found === undefined) throw new Error(`no projection of ${pass}`);
  return found;
}

describe("a pass's projection", () => {
  it("shows what is saved, from which message on, and what must be written again", () => {
    // The line has 49 bytes. Before message 4 stand 24,900 + 100 tokens; 29,000 were read, so 4,000 are lost.
    // 4,000 less than the 5,000 saved: nothing is written, 400 units are spared at once.
    expect(projected("dedupToolOutputs", LIST, REQUESTS, 0)).toEqual({
      pass: "dedupToolOutputs",
      keepLast: 0,
      stats: { dedupHits: 1, snippetHits: 0, totalBytesSaved: 9999 },
      bytesBefore: 2 + 2 * (6 + 10_048) + 16 + 4,
      bytesAfter: 2 + 2 * 6 + 10_048 + 49 + 16 + 4,
      firstChanged: 4,
      savedTokens: 5000,
      savesMore: false,
      rewrittenTokens: 4000,
      units: -400,
      breakEvenRequests: 0,
      unpriced: null,
    });
  });

  it("says after how many requests it pays off", () => {
    // A thousand tokens of thinking before message 1: 9,000 of 10,000 are written for 1.25 instead of read for 0.1.
    const list = [user("go"), assistant(thinking("h".repeat(2000)), "so"), ...prompts(4), assistant("done")];
    const requests = (more: Partial<LiveRequest>) => [request(1, 5000, 0, more), request(6, 16_000, 15_000)];
    // 9,000 × 1.25 − 10,000 × 0.1 = 10,250 units against 100 units a request.
    expect(projected("pruneThinking", list, requests({ written5m: 1 }))).toMatchObject({
      firstChanged: 1,
      savedTokens: 1000,
      rewrittenTokens: 10_000,
      breakEvenRequests: 103,
    });
    // 9,000 × 2 − 1,000.
    expect(projected("pruneThinking", list, requests({ written1h: 7 })).breakEvenRequests).toBe(170);
    // Half and half: 9,000 × 1.625 − 1,000 = 13,625.
    expect(projected("pruneThinking", list, requests({ written5m: 5, written1h: 5 })).breakEvenRequests).toBe(137);
  });

  it("uses the model's price of a cache read", () => {
    const list = [user("go"), assistant(thinking("h".repeat(2000)), "so"), ...prompts(4), assistant("done")];
    const requests = [request(1, 5000, 0, { written5m: 1 }), request(6, 16_000, 15_000)];
    const at = (readShare: number) =>
      projected("pruneThinking", list, requests, undefined, { charsPerToken: 2, readShare });
    // 9,000 × 1.25 − 10,000 × 0.05 = 10,750 units against 50 units a request.
    expect(at(0.05)).toMatchObject({ breakEvenRequests: 215, unpriced: null });
    // If reading costs nothing, leaving text out is not worth it.
    expect(at(0)).toMatchObject({ breakEvenRequests: null, unpriced: "savesNothing" });
  });

  it("never loses more than the last request read from the cache", () => {
    const cold = [...REQUESTS.slice(0, 2), request(13, 30_000, 0)];
    expect(projected("dedupToolOutputs", LIST, cold, 0)).toMatchObject({ rewrittenTokens: 0, breakEvenRequests: 0 });
    expect(projected("dedupToolOutputs", LIST, [request(13, 30_000, 9)], 0).rewrittenTokens).toBeLessThanOrEqual(9);
  });

  it("estimates only what lies between the message and the nearest request", () => {
    // Only the last request is known: 30,000 less everything from message 4 on, 10,048 + 16 characters at 2 per token.
    const only = [request(13, 30_000, 29_000, { written5m: 1 })];
    expect(projected("dedupToolOutputs", LIST, only, 0).rewrittenTokens).toBe(29_000 - (30_000 - 5032));
    // There are 10,048 + 6 characters after the first request's answer.
    const first = [request(1, 20_000, 0), request(13, 30_000, 29_000, { written5m: 1 })];
    expect(projected("dedupToolOutputs", LIST, first, 0).rewrittenTokens).toBe(29_000 - (20_000 + 100 + 5027));
  });

  it("does not trust a request that read more than a later one: something has been cleared since", () => {
    const cleared = [request(1, 20_000, 0), request(3, 90_000, 0), request(13, 30_000, 29_000, { written5m: 1 })];
    expect(projected("dedupToolOutputs", LIST, cleared, 0).rewrittenTokens).toBe(29_000 - (20_000 + 100 + 5027));
  });

  it("leaves the last eight messages alone on request", () => {
    // Message 4 of 14 is the last that is old enough after five prompts.
    expect(projected("dedupToolOutputs", LIST, REQUESTS, 8).firstChanged).toBe(4);
    expect(projected("dedupToolOutputs", LIST.slice(0, 12), REQUESTS, 8).firstChanged).toBeNull();
  });

  it("exists for every pass and for all together", () => {
    const names = projectPasses(LIST, REQUESTS, RATES).map(({ pass, keepLast }) => [pass, keepLast]);
    expect(names).toEqual([
      ["applyAll", 0],
      ["applyAll", 8],
      ["dedupToolOutputs", 0],
      ["dedupToolOutputs", 8],
      ["pruneThinking", null],
      ["pruneLowEntropy", null],
      ["repairOrphans", null],
      ["snippet", null],
      ["streamingTrim", null],
      ["collapseRepeatedCalls", null],
    ]);
  });
});

describe("a figure that cannot be computed says why", () => {
  const unpriced = (pass: PassName, messages: readonly Message[], requests: readonly LiveRequest[]) => {
    const { rewrittenTokens, breakEvenRequests, unpriced: why } = projected(pass, messages, requests);
    return [rewrittenTokens, breakEvenRequests, why];
  };

  it("nothing changes", () => {
    expect(unpriced("pruneThinking", LIST, REQUESTS)).toEqual([0, null, "unchanged"]);
    expect(unpriced("pruneThinking", [], [])).toEqual([0, null, "unchanged"]);
  });

  it("no request reports what it read", () => {
    for (const requests of [[], [request(13, 0, null)], [request(13, 30_000, null)]]) {
      expect(unpriced("dedupToolOutputs", LIST, requests)).toEqual([null, null, "noUsage"]);
    }
  });

  it("nothing was written to the cache", () => {
    expect(unpriced("dedupToolOutputs", LIST, [request(3, 24_900, 0), request(13, 30_000, 29_000)])).toEqual([
      4000,
      null,
      "noCacheWrites",
    ]);
  });

  it("the list only grows", () => {
    const list = [user("go"), assistant(call("a")), user("?"), assistant("sorry")];
    const growing = projected("repairOrphans", list, [
      request(1, 10_000, 0, { written5m: 1 }),
      request(3, 11_000, 10_500),
    ]);
    // Right after the first answer: 10,000 + 100. The inserted result has 55 bytes.
    expect(growing).toMatchObject({ firstChanged: 2, rewrittenTokens: 400, savedTokens: Math.round(-55 / 2) });
    expect(growing).toMatchObject({ breakEvenRequests: null, unpriced: "savesNothing" });
  });

  it("what is removed has an unknown size", () => {
    const list = [user("go"), assistant(thinking(""), "so"), ...prompts(4), assistant("done")];
    const requests = [request(1, 5000, 0, { written5m: 1 }), request(6, 16_000, 15_000)];
    expect(unpriced("pruneThinking", list, requests)).toEqual([10_000, null, "unknownSize"]);
    expect(projected("pruneThinking", list, requests).savesMore).toBe(true);
    const picture = [...prompts(2), tool(result("t", null)), user({ kind: "other" }), ...prompts(20)];
    expect(projected("streamingTrim", picture, requests).savesMore).toBe(true);
  });
});
