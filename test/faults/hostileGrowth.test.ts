/** Logs that repeat one kind of thing: four times the bytes must not take sixteen times the work. */
import { afterAll, describe, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/dedup/settings.js";
import { FiguresPipeline } from "../../src/pipeline/figuresPipeline.js";
import { LogPipeline } from "../../src/pipeline/logPipeline.js";
import { expectLinear } from "../support/growth.js";
import { HOSTILE_KINDS, hostileLog } from "../support/hostileLogs.js";

const BYTES = 1_000_000;

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
    expectLinear(
      () => read(small, Pipeline),
      () => read(large, Pipeline),
    );
  });
});

function read(log: Buffer, Pipeline: typeof LogPipeline | typeof FiguresPipeline): void {
  const pipeline = new Pipeline("log.jsonl", {
    settings: DEFAULT_SETTINGS,
    keepEvents: false,
    keepDetails: Pipeline === LogPipeline,
    keepFacts: false,
  });
  pipeline.push(log);
  pipeline.data();
}
