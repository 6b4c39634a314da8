/** Logs that repeat one kind of thing: four times the bytes must not take sixteen times the work. */
import { afterAll, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { FiguresPipeline } from "../../src/pipeline/figuresPipeline.js";
import { LogPipeline } from "../../src/pipeline/logPipeline.js";
import { HOSTILE_KINDS, hostileLog } from "../support/hostileLogs.js";

const BYTES = 1_000_000;
/** Between four, which is linear, and sixteen. */
const MAX_FACTOR = 8;
/** JIT compilation and GC may take this long in one run and not in the other. */
const SLACK_MS = 150;
const ATTEMPTS = 6;

describe.each(Object.keys(HOSTILE_KINDS))("the work grows with the log: %s", kind => {
  /** The longer log begins with the shorter one. */
  let log: Buffer | undefined;
  const logs = () => {
    log ??= Buffer.from(hostileLog(kind, 4 * BYTES));
    return [log.subarray(0, log.indexOf("\n", BYTES) + 1), log] as const;
  };
  afterAll(() => {
    log = undefined;
  });

  it.each([
    ["the replay", LogPipeline],
    ["the kernel", FiguresPipeline],
  ])("%s", (_, Pipeline) => {
    const [small, large] = logs();
    // Other programs slow both down, if they run at the same time: one attempt below the limit is enough.
    const factors: number[] = [];
    while (factors.length < ATTEMPTS && !factors.some(factor => factor <= MAX_FACTOR)) {
      const work = workOf(small, Pipeline);
      factors.push((workOf(large, Pipeline) - SLACK_MS) / work);
    }
    expect(Math.min(...factors)).toBeLessThanOrEqual(MAX_FACTOR);
  });
});

/** CPU time in milliseconds, which other programs hardly affect. */
function workOf(log: Buffer, Pipeline: typeof LogPipeline | typeof FiguresPipeline): number {
  const pipeline = new Pipeline("log.jsonl", {
    settings: DEFAULT_SETTINGS,
    keepEvents: false,
    keepDetails: Pipeline === LogPipeline,
    keepFacts: false,
  });
  const before = process.cpuUsage();
  pipeline.push(log);
  pipeline.data();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
