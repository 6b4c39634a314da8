import { expect, it } from "vitest";
import { quickChecksum } from "../../../src/hook/quick.js";

const bytes = Buffer.from(`a state of no round length ${"äöü 0123456789 ".repeat(20)}!`);

it("a checksum changes with every bit, and with the length", () => {
  const sums = new Set([quickChecksum(bytes), quickChecksum(bytes.subarray(0, -1))]);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes);
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
    sums.add(quickChecksum(damaged));
  }
  // No two of them are equal.
  expect(sums.size).toBe(bytes.length * 8 + 2);
});

it("a checksum depends on the bytes alone, wherever they stand in memory", () => {
  const shifted = Buffer.concat([Buffer.from("x"), bytes]).subarray(1);
  expect(quickChecksum(shifted)).toBe(quickChecksum(bytes));
});
