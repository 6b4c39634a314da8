import { describe, expect, it } from "vitest";
import { type CostPlace, CostPlaces, CostSum, requestNumbers, writeWeight } from "../../../src/inspect/cost.js";
import { DEFAULT_PRICES, pricesOf, ratesOf, withListPrices } from "../../../src/inspect/prices.js";
import type { RequestFact } from "../../../src/log/facts.js";
import { type Price, type PriceTable, priceTable } from "../../../src/settings/shapes.js";
import { answer, type Json, logText, read, result, textOf } from "../../support/log.js";
import { dataOf, reportOf } from "../../support/replay.js";

const priceOf = (model: string, table: PriceTable) => pricesOf([model], table)[0];

function request(usage: Partial<RequestFact>): RequestFact {
  const place = { fact: "request" as const, line: 1, offset: 0, at: null };
  return {
    ...place,
    continued: false,
    model: "m",
    input: 0,
    written5m: 0,
    written1h: 0,
    cacheRead: 0,
    output: 0,
    ...usage,
  };
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

/** The first position in a partition with these requests, all of one model. */
function placeBefore(requests: readonly Partial<RequestFact>[], price: Price | undefined): CostPlace {
  const numbers = requests.flatMap(usage => requestNumbers(request(usage), 0));
  return new CostPlaces(numbers, [price]).at(0);
}

function costOf(tokens: number, requests: readonly Partial<RequestFact>[], price: Price | undefined) {
  const sum = new CostSum();
  sum.add(tokens, placeBefore(requests, price));
  return sum.cost;
}

describe("the cost of saved tokens, S × (w + c × r)", () => {
  const price = { input: 5, cacheRead: 0.5 };
  const [writes, reads] = [{ input: 100, written5m: 40 }, { input: 100 }];
  const whole = { uncountedTokens: 0, unpricedTokens: 0 };

  it("is writing them with the first request that has them, and reading them with each of the r after it", () => {
    // One request had them: 1,000 × 1.25 units, at 5 dollars a million.
    expect(costOf(1000, [writes], price)).toEqual({ units: 1250, usd: 0.0063, ...whole });
    // Two did, so r is 1: 1,000 × (1.25 + 0.1 × 1).
    expect(costOf(1000, [writes, reads], price)).toEqual({ units: 1350, usd: 0.0068, ...whole });
    // Eleven did: 1,000 × (1.25 + 0.1 × 10) units; 1,000 × (1.25 × 5 + 10 × 0.5) dollars a million.
    expect(costOf(1000, [writes, ...Array(10).fill(reads)], price)).toEqual({ units: 2250, usd: 0.0113, ...whole });
  });

  it("has the model's own price of a cache read, a tenth if unknown", () => {
    const eleven = [writes, ...Array(10).fill(reads)];
    // 100,000 × (1.25 + 10 × 0.05) = 175,000 units; × (1.25 × 4 + 10 × 0.2) = 0.7 dollars.
    expect(costOf(100_000, eleven, priceOf("claude-opus-5-5", DEFAULT_PRICES))).toMatchObject({
      units: 175_000,
      usd: 0.7,
    });
    // × (1.25 + 10 × 0.025) = 150,000 units; × (1.25 × 10 + 10 × 0.25) = 1.5 dollars.
    expect(costOf(100_000, eleven, priceOf("claude-fable-5-1", DEFAULT_PRICES))).toMatchObject({
      units: 150_000,
      usd: 1.5,
    });
    expect(costOf(100_000, eleven, undefined)).toMatchObject({ units: 225_000, usd: null });
    // A model that costs nothing has no ratio.
    expect(costOf(100_000, eleven, { input: 0 })).toMatchObject({ units: 225_000, usd: 0 });
  });

  it("depends on the length of each request's prompt if the price does", () => {
    const haiku = priceOf("claude-haiku-5-5", DEFAULT_PRICES);
    const prompts = (...lengths: number[]) => lengths.map(input => ({ input, written1h: 1 }));
    // 1,000,000 × (2 × 0.1 + 0.01) dollars a million: 100,000 tokens are not over 100,000.
    expect(costOf(1_000_000, prompts(99_000, 100_000), haiku)).toMatchObject({ units: 2_100_000, usd: 0.21 });
    // The second prompt is over it: reading costs 0.05.
    expect(costOf(1_000_000, prompts(99_000, 100_001), haiku)).toMatchObject({ units: 2_100_000, usd: 0.25 });
    // Both are: 2 × 0.5 + 0.05.
    expect(costOf(1_000_000, prompts(100_001, 150_000), haiku)).toMatchObject({ units: 2_100_000, usd: 1.05 });
  });

  it("depends on the day if the price has changed", () => {
    const sonnet = priceOf("claude-sonnet-5-5", DEFAULT_PRICES);
    const on = (...times: string[]) => times.map(at => ({ ...writes, at }));
    const [early, late] = ["2026-10-06T23:59:59.000Z", "2026-10-07T00:00:00.000Z"];
    // 1,000,000 × (1.25 × 2 + 0.2) dollars a million until then, × (1.25 × 2 + 0.1) from then on.
    expect(costOf(1_000_000, on(early, early), sonnet)).toMatchObject({ units: 1_350_000, usd: 2.7 });
    expect(costOf(1_000_000, on(early, late), sonnet)).toMatchObject({ units: 1_300_000, usd: 2.6 });
    expect(costOf(1_000_000, on("no time", "no time"), sonnet)).toMatchObject({ units: 1_300_000, usd: 2.6 });
  });

  it("is the sum over the requests, each at the price of the model that answered it", () => {
    const [opus, sonnet] = [
      { input: 5, cacheRead: 0.5 },
      { input: 2, cacheRead: 0.1 },
    ];
    const requests = [0, 1, 1, 0].flatMap(model => requestNumbers(request({ ...writes, at: null }), model));
    const usdOf = (prices: readonly (Price | undefined)[]) => {
      const places = new CostPlaces(requests, prices);
      return [0, 1, 2, 3, 4].map(at => places.at(at).usd).map(usd => usd && usd.write + usd.reads);
    };
    // From the first on: 1.25 × 5 + 0.1 + 0.1 + 0.5; then 1.25 × 2 + 0.1 + 0.5; 1.25 × 2 + 0.5; 1.25 × 5.
    const expected = [6.95, 3.1, 3, 6.25];
    for (const [at, usd] of usdOf([opus, sonnet]).entries()) {
      if (at < expected.length) expect(usd).toBeCloseTo(expected[at] ?? Number.NaN, 12);
    }
    // In units of each request's own input price: 1.25 + 0.05 + 0.05 + 0.1.
    expect(new CostPlaces(requests, [opus, sonnet]).at(0).reads).toBeCloseTo(0.2, 12);
    // Unknown for whatever one request without a price had, known for what came after it.
    expect(usdOf([opus, undefined])).toEqual([undefined, undefined, undefined, 6.25, undefined]);
    expect(usdOf([undefined, sonnet])).toEqual(Array(5).fill(undefined));
  });

  it("is nothing for what was never sent", () => {
    expect(costOf(1000, [], price)).toEqual({ units: 0, usd: 0, ...whole });
  });

  it("says what it could not count, and is null if that is everything", () => {
    const sum = new CostSum();
    sum.add(300, placeBefore([{}], price));
    expect(sum.cost).toEqual({ units: null, usd: null, uncountedTokens: 300, unpricedTokens: 300 });
    sum.add(500, placeBefore([{ input: 9, written1h: 9 }], undefined));
    expect(sum.cost).toEqual({ units: 1000, usd: null, uncountedTokens: 300, unpricedTokens: 800 });
    sum.add(1_000_000, placeBefore([reads], price));
    expect(sum.cost).toEqual({ units: 1_001_000, usd: 5, uncountedTokens: 300, unpricedTokens: 800 });
  });
});

describe("prices", () => {
  it("are found for a model however it is spelled", () => {
    const opus = { input: 15, cacheRead: 1.5 };
    for (const name of ["claude-opus-4-1", "claude-opus-4-1-20250805", "us.anthropic.claude-opus-4-1-20250805-v1:0"]) {
      expect(priceOf(name, DEFAULT_PRICES)).toMatchObject(opus);
    }
    for (const name of ["claude-opus-5-5", "anthropic/claude-opus-5.5"]) {
      expect(priceOf(name, DEFAULT_PRICES)).toMatchObject({ input: 4, cacheRead: 0.2 });
    }
    expect(priceOf("anthropic/claude-opus-4.5", DEFAULT_PRICES)).toBe(priceOf("claude-opus-4-5", DEFAULT_PRICES));
    expect(priceOf("claude-sonnet-4-0", DEFAULT_PRICES)).toBe(priceOf("claude-sonnet-4", DEFAULT_PRICES));
  });

  it("name the source of each, and its date", () => {
    for (const [model, { cacheRead, source }] of Object.entries(DEFAULT_PRICES.models)) {
      expect(source, model).toMatch(/^https:\/\/(?:platform\.claude|docs\.anthropic)\.com\/\S+, (?:\w+) 20\d\d/);
      expect(cacheRead, model).toBeGreaterThan(0);
    }
  });

  it("are unknown for other models, never 0", () => {
    for (const name of ["", "m", "opus", "claude-opus-99", "constructor", "__proto__"]) {
      expect(priceOf(name, DEFAULT_PRICES)).toBeUndefined();
    }
  });

  it("can be the user's own", () => {
    const own = priceTable(
      {
        mine: 2,
        "claude-opus-5": { input: 4, cacheRead: 1 },
        long: { input: 1, above: { promptTokens: 1000, input: 3, cacheRead: 0.6 } },
        changed: { input: 1, before: { date: "2026-03-01", input: 2 } },
      },
      "p.json",
    );
    const table = withListPrices(own);
    const rates = (model: string, promptTokens = 0, at = 0) => {
      const price = priceOf(model, table);
      return price && ratesOf(price, promptTokens, at);
    };
    expect(table.source).toBe(`p.json, else ${DEFAULT_PRICES.source}`);
    expect(rates("mine")).toEqual({ input: 2, cacheRead: 0.2 });
    expect(rates("claude-opus-5-20260101")).toEqual({ input: 4, cacheRead: 1 });
    expect(rates("claude-sonnet-5")).toEqual({ input: 2, cacheRead: 0.2 });
    expect(rates("long", 1000)).toEqual({ input: 1, cacheRead: 0.1 });
    expect(rates("long", 1001)).toEqual({ input: 3, cacheRead: 0.6 });
    expect(rates("changed", 0, Date.UTC(2026, 1, 28) / 1000)).toEqual({ input: 2, cacheRead: 0.2 });
    expect(rates("changed", 0, Date.UTC(2026, 2, 1) / 1000)).toEqual({ input: 1, cacheRead: 0.1 });
  });

  it("can say where they are from", () => {
    const named = priceTable({ source: "the team's table", models: { mine: 2 } }, "p.json");
    expect(named).toEqual(priceTable({ mine: 2 }, "the team's table"));
  });

  it("of the table can be written to a file and read from it", () => {
    expect(priceTable(JSON.parse(JSON.stringify(DEFAULT_PRICES.models)), "p.json")?.models).toEqual(
      DEFAULT_PRICES.models,
    );
  });

  it.each([
    null,
    [],
    "x",
    { source: 1, models: {} },
    { source: "x", models: { m: "5" } },
    { m: "5" },
    { m: -1 },
    { m: {} },
    { m: null },
    { m: { input: 1, cacheRead: "x" } },
    { m: { input: 1, above: { input: 2 } } },
    { m: { input: 1, above: { promptTokens: 5 } } },
    { m: { input: 1, above: 5 } },
    { m: { input: 1, before: { date: "2026-02-30", input: 2 } } },
    { m: { input: 1, before: { date: "yesterday", input: 2 } } },
    { m: { input: 1, before: { date: "2026-02-03" } } },
  ])("are refused if they are invalid: %j", bad => {
    expect(priceTable(bad, "p.json")).toBeUndefined();
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

  it("uses the split of the request that first had the result", () => {
    // 100 × (2 + 0.1 × 2) units at 5 dollars a million.
    expect(cost()).toMatchObject({
      unpricedModels: [],
      hits: { units: 220, usd: 0.0011, uncountedTokens: 0, unpricedTokens: 0 },
      native: { units: 0, usd: 0 },
      realised: { units: 0, usd: 0 },
    });
  });

  it("takes from live hints' saving what was asked for again", () => {
    // 2,860 characters are 1,100 tokens; a hint of 26 characters saves 1,090 of them.
    const body = textOf(2860);
    const message = { id: "m2", model: "claude-opus-5", usage: { input_tokens: 5 } };
    const asked = [
      ...[read("1", "/a"), result("1", body), paid("m1", { input_tokens: 5 })],
      ...[read("2", "/a"), result("2", "> [ref: 1, byte-identical]"), read("3", "/a", { message }), result("3", body)],
      ...[paid("m3", { input_tokens: 5 }), paid("m4", { input_tokens: 5 })],
    ];
    const { realised } = reportOf([dataOf("s.jsonl", logText(...asked))]).cost;
    // 1,090 × (1 + 0.1 × 2) units that the hint saved, but then 1,100 × (1 + 0.1): 98, at 5 dollars a million.
    expect(realised).toEqual({ units: 98, usd: 0.0005, uncountedTokens: 0, unpricedTokens: 0 });
    const given = reportOf([dataOf("s.jsonl", logText(...asked.slice(0, 6), ...asked.slice(7)))]).cost;
    expect(given.realised).toMatchObject({ units: 1308, usd: 0.0065 });
  });

  it("names the models without a price", () => {
    expect(cost("strange")).toMatchObject({
      unpricedModels: ["strange"],
      hits: { units: 220, usd: null, unpricedTokens: 100 },
    });
    const prices = priceTable({ strange: 10 }, "mine");
    expect(cost("strange", { prices })).toMatchObject({ unpricedModels: [], hits: { usd: 0.0022 } });
  });

  /** A body of 260,026 characters saves 100,000 tokens. */
  const LONG = textOf(260_026);
  const same = (first: string, more: Json = {}) => [
    ...[read(first, "/a", more), result(first, LONG, more)],
    ...[read(`${first}+`, "/a", more), result(`${first}+`, LONG, more)],
  ];
  const writes = { input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 50 } };
  const costOn = (...sessions: Json[][]) =>
    reportOf(
      sessions.map((session, at) => dataOf(`${at}.jsonl`, logText(...session), { settings: { capacity: 9 } })),
      {},
      { charsPerToken: 2.6 },
    ).cost;

  it("has the price of each model where people changed it", () => {
    const session = [
      ...same("1"),
      // The lines of one answer are one request.
      paid("m1", { input_tokens: 0 }, "claude-opus-5"),
      paid("m1", writes, "claude-opus-5"),
      paid("m1", writes, "claude-opus-5"),
      paid("m2", writes, "claude-sonnet-5"),
      paid("m3", { input_tokens: 0 }, "<synthetic>"),
      paid("m4", writes, "claude-sonnet-5"),
    ];
    // 100,000 × (2 × 5 + 0.2 + 0.2) dollars a million, × (2 + 0.1 + 0.1) units.
    expect(costOn(session)).toMatchObject({
      unpricedModels: [],
      hits: { units: 220_000, usd: 1.04, unpricedTokens: 0 },
    });
  });

  it("has the price of a subagent's own model", () => {
    const agent = { isSidechain: true, agentId: "a" };
    const session = [
      ...[...same("1"), paid("m1", writes, "claude-opus-5")],
      ...same("2", agent),
      { ...paid("m2", writes, "claude-haiku-4-5"), ...agent },
    ];
    // 100,000 × 2 × 5 dollars a million in the main conversation, × 2 × 1 in the subagent's.
    expect(costOn(session)).toMatchObject({ unpricedModels: [], hits: { usd: 1.2, unpricedTokens: 0 } });
  });

  it("leaves out what was sent to a model without a price, and names the model", () => {
    const session = [
      ...[...same("1"), paid("m1", writes, "claude-opus-5"), paid("m2", writes, "strange")],
      ...[read("2", "/a"), result("2", LONG), paid("m3", writes, "claude-opus-5")],
    ];
    // 100,000 × 2 × 5 dollars a million for the second hit; of the first one, one request's price is unknown.
    expect(costOn(session)).toMatchObject({
      unpricedModels: ["strange"],
      hits: { usd: 1, uncountedTokens: 0, unpricedTokens: 100_000 },
    });
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
