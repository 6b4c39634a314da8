import { afterEach, expect, it, vi } from "vitest";
import { Progress } from "../../src/cli/progress.js";

afterEach(() => vi.useRealTimers());

it("a long run reports its progress a few times a second, with the newest figures", () => {
  vi.useFakeTimers({ now: 0 });
  const told: object[] = [];
  const progress = new Progress({ bytes: 1000, files: 2 }, one => told.push(one));
  for (let at = 0; at < 10; at++) {
    vi.setSystemTime(at * 50);
    progress.advance(100);
  }
  expect(told).toEqual([
    { bytesDone: 500, bytes: 1000 },
    { bytesDone: 900, bytes: 1000 },
  ]);
});
