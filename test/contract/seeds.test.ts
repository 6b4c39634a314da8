/** `npm test` is reproducible: everything random in it comes from one fixed seed. */
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { lintObjections } from "../support/lint.js";
import { SEED } from "../support/seed.js";
import { turning } from "../support/turns.js";

it("properties use the fixed seed", async () => {
  const drawn: number[] = [];
  await fc.assert(turning(fc.nat(), number => void drawn.push(number)));
  expect(drawn).toEqual(fc.sample(fc.nat(), { seed: SEED, numRuns: drawn.length }));
});

it("so does Math.random", async () => {
  const numbersOf = async (seed: number) => {
    vi.resetModules();
    vi.stubEnv("DEDUP_SEED", String(seed));
    await import("../support/fixedSeed.js");
    vi.unstubAllEnvs();
    return Array.from({ length: 100 }, () => Math.random());
  };
  const numbers = await numbersOf(SEED);
  expect(await numbersOf(SEED)).toEqual(numbers);
  expect(await numbersOf(SEED + 1)).not.toEqual(numbers);
  expect(new Set(numbers).size).toBe(100);
  for (const number of numbers) expect(number >= 0 && number < 1).toBe(true);
});

it("properties fail if a run returns false or throws", async () => {
  await expect(fc.assert(turning(fc.nat(), () => false))).rejects.toThrow("Property failed");
  await expect(
    fc.assert(
      turning(fc.nat(), () => {
        throw new Error("wrong");
      }),
    ),
  ).rejects.toThrow("Property failed");
});

it("a lint rule makes properties let the event loop turn", () => {
  const objections = lintObjections({ "test/unit/a.test.ts": "await fc.assert(fc.property(fc.nat(), () => {}));\n" });
  expect(objections).toEqual([expect.stringContaining("the event loop turns after every run")]);
});
