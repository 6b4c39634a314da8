import { describe, expect, it } from "vitest";
import { contextUse, type UseBasis } from "../../../src/inspect/contextUse.js";
import { packRequests, requestNumbers } from "../../../src/inspect/cost.js";
import type { Mark } from "../../../src/inspect/logData.js";

interface Sent {
  readonly at?: string;
  readonly input: number;
  readonly written5m?: number;
  readonly written1h?: number;
  /** Its place in the list of models. */
  readonly model?: number;
}

/** The requests of each partition, as a page gets them. */
function packed(partitions: readonly (readonly Sent[])[], from?: number): number[] {
  const costs = partitions.map(requests =>
    requests.flatMap(({ at = null, input, written5m = 0, written1h = 0, model = 0 }) =>
      requestNumbers(
        {
          ...{ fact: "request", line: 1, offset: 0, at, continued: false, model: "m" },
          ...{ input, written5m, written1h, cacheRead: 0, output: 0 },
        },
        model,
      ),
    ),
  );
  return [...packRequests(costs, from)];
}

function useOf(partitions: readonly (readonly Sent[])[], more: Partial<UseBasis> = {}) {
  return contextUse({
    requests: packed(partitions),
    partitionRequests: partitions.map(requests => requests.length),
    marks: [],
    models: ["m"],
    ...more,
  });
}

const compaction = (preTokens: number, more: Partial<Mark> = {}): Mark => ({
  ...{ kind: "boundary", position: 0, line: 1, at: null, partition: 1, dropped: [], trigger: "auto" },
  ...{ preTokens, ...more },
});

const NINE = Date.parse("2026-11-20T09:00:00Z") / 1000;

describe("packed requests", () => {
  const partitions = [
    [{ at: "2026-11-20T09:00:00.900Z", input: 100, written5m: 40 }, { input: 200 }],
    [{ input: 30, written1h: 10 }],
  ];

  it("have the partition, the tokens, the time, how long the cache lasts and the model", () => {
    expect(packed(partitions)).toEqual([0, 100, NINE, 300, 0, 0, 200, 0, 0, 0, 1, 30, 0, 3600, 0]);
  });

  it("begin with any of them", () => {
    expect(packed(partitions, 1)).toEqual([0, 200, 0, 0, 0, 1, 30, 0, 3600, 0]);
    expect(packed(partitions, 2)).toEqual([1, 30, 0, 3600, 0]);
    expect(packed(partitions, 3)).toEqual([]);
  });
});

describe("the context in use", () => {
  it("is what the newest request sent, if known", () => {
    expect(useOf([[{ input: 900 }, { input: 400 }, { input: 0 }]])?.tokens).toBe(400);
    expect(useOf([[{ input: 0 }]])).toBeUndefined();
    expect(useOf([[]])).toBeUndefined();
  });

  it("is what a compaction left until a request is sent", () => {
    const marks = [compaction(167_000, { postTokens: 9000 })];
    expect(useOf([[{ input: 167_000 }], []], { marks })?.tokens).toBe(9000);
    expect(useOf([[{ input: 167_000 }], []], { marks: [compaction(167_000)] })).toBeUndefined();
    expect(useOf([[{ input: 167_000 }], [{ input: 11_000 }]], { marks })?.tokens).toBe(11_000);
  });

  it("is cached for as long as the newest writes, counted from the newest request", () => {
    const at = (time: string) => `2026-11-20T${time}:00Z`;
    const until = (...requests: Sent[]) => useOf([requests])?.cachedUntil;
    expect(until({ at: at("09:00"), input: 50, written5m: 20 })).toBe(NINE + 300);
    expect(until({ at: at("09:00"), input: 50, written1h: 20 })).toBe(NINE + 3600);
    expect(until({ at: at("08:58"), input: 50, written5m: 20 }, { at: at("09:00"), input: 50 })).toBe(NINE + 300);
    expect(until({ at: at("09:00"), input: 50 })).toBeUndefined();
    expect(until({ input: 50, written5m: 20 })).toBeUndefined();
  });
});

describe("after a change of models", () => {
  const at = (time: string) => `2026-11-20T${time}:00Z`;
  const models = ["claude-opus-4-6", "claude-haiku-4-5", "claude-sonnet-5"];
  const windowOf = (partitions: Sent[][], marks: readonly Mark[] = []) => useOf(partitions, { models, marks })?.window;

  it("the window is that of the model that answered last", () => {
    expect(windowOf([[{ input: 10 }, { input: 20 }, { input: 30, model: 1 }]])).toBe(200_000);
    expect(
      windowOf([
        [
          { input: 10, model: 1 },
          { input: 20, model: 1 },
          { input: 30, model: 2 },
        ],
      ]),
    ).toBe(1_000_000);
    // Not of one that did not report its usage.
    expect(
      windowOf([
        [
          { input: 20, model: 1 },
          { input: 0, model: 2 },
        ],
      ]),
    ).toBe(200_000);
  });

  it("what another model was sent or where it was compacted says nothing about the window", () => {
    expect(windowOf([[{ input: 300_000, model: 2 }, { input: 20 }]])).toBeUndefined();
    expect(windowOf([[{ input: 300_000 }, { input: 20, model: 2 }, { input: 30 }]])).toBe(1_000_000);
    const [own, other] = [
      [{ input: 166_000, model: 1 }, { input: 166_100 }],
      [{ input: 166_000 }, { input: 9, model: 1 }],
    ];
    expect(windowOf([own, [{ input: 20 }]], [compaction(167_000)])).toBe(200_000);
    expect(windowOf([other, [{ input: 20 }]], [compaction(167_000)])).toBeUndefined();
  });

  it("the prompt is not cached for as long as another model's", () => {
    const until = (...requests: Sent[]) => useOf([requests], { models })?.cachedUntil;
    const written = { at: at("08:58"), input: 50, written1h: 20 };
    expect(until(written, { at: at("09:00"), input: 50, model: 1 })).toBeUndefined();
    expect(until(written, { at: at("09:00"), input: 50, written5m: 9, model: 1 })).toBe(NINE + 300);
    expect(until(written, { at: at("08:59"), input: 50, written5m: 9, model: 1 }, { at: at("09:00"), input: 50 })).toBe(
      NINE + 3600,
    );
  });
});

describe("the context window", () => {
  const windowOf = (model: string, input: number, marks: readonly Mark[] = []) =>
    useOf([[{ input }, { input: 10 }]], { models: [model], marks })?.window;

  it("is known from the model if it comes in one size", () => {
    expect(windowOf("claude-haiku-4-5-20251001", 1000)).toBe(200_000);
    expect(windowOf("claude-opus-4-20250514", 1000)).toBe(200_000);
    expect(windowOf("claude-opus-4-0", 1000)).toBe(200_000);
    expect(windowOf("us.anthropic.claude-opus-4-5-20251101-v1:0", 1000)).toBe(200_000);
    expect(windowOf("claude-opus-5-5", 1000)).toBe(1_000_000);
    expect(windowOf("claude-sonnet-5", 1000)).toBe(1_000_000);
    expect(windowOf("claude-fable-5-1", 1000)).toBe(1_000_000);
    expect(windowOf("claude-sonnet-4-5-20250929[1m]", 1000)).toBe(1_000_000);
  });

  it("is not guessed", () => {
    expect(windowOf("claude-opus-4-6", 1000)).toBeUndefined();
    expect(windowOf("anthropic/claude-opus-4.6", 1000)).toBeUndefined();
    expect(windowOf("claude-sonnet-4-20250514", 1000)).toBeUndefined();
    expect(windowOf("other-model", 190_000)).toBeUndefined();
    expect(windowOf("claude-opus-5", 1_200_000)).toBeUndefined();
  });

  it("is at least what was sent, and about the size at which it was compacted", () => {
    expect(windowOf("claude-opus-4-6", 200_001)).toBe(1_000_000);
    expect(windowOf("claude-opus-4-6", 166_000, [compaction(167_000)])).toBe(200_000);
    expect(windowOf("claude-opus-5", 166_000, [compaction(167_000)])).toBe(200_000);
    expect(windowOf("claude-opus-4-6", 400_000, [compaction(167_000)])).toBe(1_000_000);
    expect(windowOf("claude-opus-4-6", 90_000, [compaction(90_000)])).toBeUndefined();
    expect(windowOf("claude-opus-4-6", 167_000, [compaction(167_000, { trigger: "manual" })])).toBeUndefined();
  });
});
