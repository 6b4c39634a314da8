/** How work grows with its input: four times the bytes must not take sixteen times the work. */
import { expect } from "vitest";

/** Between four, which is linear, and sixteen. */
const MAX_FACTOR = 8;
/** JIT compilation and GC may take this long in one run and not in the other. */
const SLACK_MS = 150;
const ATTEMPTS = 6;

/** `large` is four times as much as `small`. */
export function expectLinear(small: () => void, large: () => void): void {
  // Other programs slow both down, if they run at the same time: one attempt below the limit is enough.
  const factors: number[] = [];
  while (factors.length < ATTEMPTS && !factors.some(factor => factor <= MAX_FACTOR)) {
    const work = workOf(small);
    factors.push((workOf(large) - SLACK_MS) / work);
  }
  expect(Math.min(...factors)).toBeLessThanOrEqual(MAX_FACTOR);
}

/** CPU time in milliseconds, which other programs hardly affect. */
function workOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
