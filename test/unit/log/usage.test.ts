import { describe, expect, it } from "vitest";
import { readUsage } from "../../../src/log/usage.js";

function usageOf(usage: unknown) {
  return readUsage(typeof usage === "string" ? JSON.parse(usage) : usage);
}

const NONE = { input: 0, output: 0, cacheRead: 0, written5m: 0, written1h: 0 };

describe("the usage of an answer", () => {
  it("adds fresh, written and read tokens up to the input", () => {
    expect(
      usageOf({
        input_tokens: 3,
        cache_creation_input_tokens: 1000,
        cache_read_input_tokens: 20_000,
        output_tokens: 77,
        service_tier: "standard",
      }),
    ).toEqual({ input: 21_003, output: 77, cacheRead: 20_000, written5m: 1000, written1h: 0 });
  });

  it("splits what was written by its time to live", () => {
    expect(
      usageOf({
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 700 },
        input_tokens: 1,
        cache_creation_input_tokens: 900,
      }),
    ).toEqual({ ...NONE, input: 901, written5m: 200, written1h: 700 });
  });

  it("uses the split if versions before 2.1.152 left the sum at 0", () => {
    expect(
      usageOf({
        input_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 700 },
      }),
    ).toEqual({ ...NONE, input: 901, written5m: 200, written1h: 700 });
  });

  it("does not mistake the counts of single steps for its own", () => {
    expect(usageOf({ iterations: [{ input_tokens: 500, output_tokens: 5 }], input_tokens: 7 })).toEqual({
      ...NONE,
      input: 7,
    });
  });

  it.each([
    ["text", "12"],
    ["null", null],
    ["a negative number", -5],
    ["a list", [1]],
    ["an object", { tokens: 1 }],
    ["a number beyond all counting", 1e300],
  ])("counts %s as 0", (_, value) => {
    expect(
      usageOf({ input_tokens: value, cache_read_input_tokens: 7, output_tokens: value, cache_creation: value }),
    ).toEqual({ ...NONE, input: 7, cacheRead: 7 });
  });

  it("is nothing if it is missing or not an object", () => {
    expect(readUsage(undefined)).toEqual(NONE);
    for (const other of ["null", '"much"', "[]", "5", "{}"]) expect(usageOf(other)).toEqual(NONE);
  });
});
