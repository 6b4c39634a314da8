import { describe, expect, it } from "vitest";
import { CostSum, writeWeight } from "../../../src/inspect/cost.js";
import { DEFAULT_PRICES, priceOf, withPrices } from "../../../src/inspect/prices.js";
import type { RequestFact } from "../../../src/log/facts.js";
import { answer, type Json, logText, read, result, textOf } from "../../support/log.js";
import { dataOf, reportOf } from "../../support/replay.js";

function request(usage: Partial<RequestFact>): RequestFact {
  const place = { fact: "request" as const, line: 1, offset: 0, at: null };
  return { ...place, continued: false, model: "m", input: 0, written5m: 0, written1h: 0, ...usage };
}

describe("what a new token costs a request", () => {
  it.each([
    ["written for 5 minutes", { input: 100, written5m: 40 }, 1.25],
    ["written for an hour", { input: 100, written1h: 40 }, 2],
    ["some of each", { input: 100, written5m: 30, written1h: 10 }, (30 * 1.25 + 10 * 2) / 40],
    ["written nothing", { input: 100 }, 1],
    ["not told", {}, 0],
  ])("%s", (_, usage, weight) => {
    expect(writeWeight(request(usage))).toBeCloseTo(weight, 12);
  });
});

describe("the cost of saved tokens", () => {
  const price = { input: 5, cacheRead: 0.5 };

  it("is writing them once and reading them with every later request: S × (w + 0.1 × r)", () => {
    const sum = new CostSum();
    sum.add(1000, { laterRequests: 11, weight: 1.25, price });
    // 1,000 × (1.25 + 0.1 × 10) units at 5 dollars a million.
    expect(sum.cost).toEqual({ units: 2250, usd: 0.0113, uncountedTokens: 0, unpricedTokens: 0 });
  });

  it("is nothing for what was never sent", () => {
    const sum = new CostSum();
    sum.add(1000, { laterRequests: 0, weight: 0, price });
    expect(sum.cost).toEqual({ units: 0, usd: 0, uncountedTokens: 0, unpricedTokens: 0 });
  });

  it("says what it could not count, and is null where that is everything", () => {
    const sum = new CostSum();
    sum.add(300, { laterRequests: 1, weight: 0, price });
    expect(sum.cost).toEqual({ units: null, usd: null, uncountedTokens: 300, unpricedTokens: 300 });
    sum.add(500, { laterRequests: 1, weight: 2, price: undefined });
    expect(sum.cost).toEqual({ units: 1000, usd: null, uncountedTokens: 300, unpricedTokens: 800 });
    sum.add(1_000_000, { laterRequests: 1, weight: 1, price });
    expect(sum.cost).toEqual({ units: 1_001_000, usd: 5, uncountedTokens: 300, unpricedTokens: 800 });
  });
});

describe("prices", () => {
  it("are found for a model however it is spelled", () => {
    const opus = { input: 15, cacheRead: 1.5 };
    for (const name of ["claude-opus-4-1", "claude-opus-4-1-20250805", "us.anthropic.claude-opus-4-1-20250805-v1:0"]) {
      expect(priceOf(name, DEFAULT_PRICES)).toEqual(opus);
    }
    expect(priceOf("claude-opus-5-5", DEFAULT_PRICES)).toEqual({ input: 4, cacheRead: 0.2 });
  });

  it("are unknown for other models, never 0", () => {
    for (const name of ["", "m", "opus", "claude-opus-99", "constructor", "__proto__"]) {
      expect(priceOf(name, DEFAULT_PRICES)).toBeUndefined();
    }
  });

  it("can be the user's own", () => {
    const table = withPrices({ mine: 2, "claude-opus-5": { input: 4, cacheRead: 1 } }, "p.json");
    expect(table?.source).toContain("p.json");
    expect(table && priceOf("mine", table)).toEqual({ input: 2, cacheRead: 0.2 });
    expect(table && priceOf("claude-opus-5-20260101", table)).toEqual({ input: 4, cacheRead: 1 });
    expect(table && priceOf("claude-sonnet-5", table)).toEqual({ input: 2, cacheRead: 0.2 });
    const named = withPrices({ source: "the team's table", models: { mine: 2 } }, "p.json");
    expect(named).toEqual(withPrices({ mine: 2 }, "the team's table"));
    for (const bad of [
      null,
      [],
      "x",
      { source: 1, models: {} },
      { source: "x", models: { m: "5" } },
      { m: "5" },
      { m: -1 },
      { m: {} },
      { m: { input: 1, cacheRead: "x" } },
    ]) {
      expect(withPrices(bad, "p.json")).toBeUndefined();
    }
  });
});

describe("the cost in a report", () => {
  /** A body of 286 characters is 110 tokens, its hint 10: a hit saves 100. */
  const BODY = textOf(286);
  const paid = (id: string, usage: Json, model = "claude-opus-5") => answer(id, 0, { message: { model, usage } });
  const lines = (model?: string) => [
    read("1", "/a"),
    result("1", BODY),
    read("2", "/a"),
    result("2", BODY),
    paid("m1", { input_tokens: 0, cache_creation_input_tokens: 0 }, model),
    // The usage of the first request comes with a later line of its answer.
    paid("m1", { input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 50 } }, model),
    paid("m2", { input_tokens: 5, cache_read_input_tokens: 60 }, model),
    paid("m3", { input_tokens: 5, cache_read_input_tokens: 60 }, model),
  ];
  const cost = (model?: string, options = {}) =>
    reportOf([dataOf("s.jsonl", logText(...lines(model)))], {}, options).cost;

  it("takes the split of the request that first held the result", () => {
    // 100 × (2 + 0.1 × 2) units at 5 dollars a million.
    expect(cost()).toMatchObject({
      unpricedModels: [],
      hits: { units: 220, usd: 0.0011, uncountedTokens: 0, unpricedTokens: 0 },
      native: { units: 0, usd: 0 },
      realised: { units: 0, usd: 0 },
    });
  });

  it("names the models without a price", () => {
    expect(cost("strange")).toMatchObject({
      unpricedModels: ["strange"],
      hits: { units: 220, usd: null, unpricedTokens: 100 },
    });
    const prices = withPrices({ strange: 10 }, "mine");
    expect(cost("strange", { prices })).toMatchObject({ unpricedModels: [], hits: { usd: 0.0022 } });
  });

  it("follows the user's own ratio of characters to tokens", () => {
    const report = reportOf([dataOf("s.jsonl", logText(...lines()))], {}, { charsPerToken: 5.2 });
    expect(report.totals).toMatchObject({ tokens: 110, savedTokens: 50 });
    expect(report.sessions[0]?.calibration).toEqual({
      charsPerToken: 5.2,
      samples: 0,
      medianAbsError: null,
      basis: "setting",
    });
    expect(report.estimate).toMatchObject({ medianAbsError: null, charsPerToken: 5.2 });
    expect(report.cost.hits.units).toBe(110);
  });
});
