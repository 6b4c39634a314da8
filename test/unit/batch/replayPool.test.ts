/** The built pool, with its own threads. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type PoolOptions,
  type Replayed,
  type replayAll,
  takeTurns,
  threadsWithMemory,
} from "../../../src/batch/replayPool.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { LogData } from "../../../src/inspect/logData.js";
import { buildReport } from "../../../src/inspect/report.js";
import { replayKernel } from "../../../src/kernel/kernel.js";
import { findLogs } from "../../../src/tail/discover.js";
import { Chance, Folders, LineSource } from "../../support/liveLog.js";
import { REPOSITORY } from "../../support/replay.js";

const folders = new Folders();
const built = folders.make();
const logs = folders.make();
const options = { settings: DEFAULT_SETTINGS, keepEvents: true, keepDetails: true, keepFacts: false };

beforeAll(async () => {
  const entryPoints = ["replayPool", "replayWorker"].map(name => join(REPOSITORY, "src", "batch", `${name}.ts`));
  await esbuild.build({ entryPoints, bundle: true, platform: "node", format: "cjs", outdir: built });
  for (let log = 0; log < 24; log++) {
    writeFileSync(join(logs, `${log}.jsonl`), new LineSource(new Chance(log)).take(20 + 30 * (log % 7)));
  }
});
afterAll(() => folders.remove());

interface Outcome {
  readonly replayed: Replayed[];
  readonly problems: string[];
  readonly advanced: number;
  /** In the logs' order. */
  readonly data: LogData[];
}

async function replay(pool: PoolOptions, cacheFolder?: string, code = built): Promise<Outcome> {
  const { replayAll: run } = createRequire(`${code}/`)("./replayPool.js") as { replayAll: typeof replayAll };
  const replayed: Replayed[] = [];
  let advanced = 0;
  const events = {
    advance: (bytes: number) => {
      advanced += bytes;
    },
    done: (one: Replayed) => replayed.push(one),
  };
  await run({ logs: findLogs([logs]).logs, options, cacheFolder }, events, pool);
  const inOrder = [...replayed].sort((left, right) => left.index - right.index);
  return {
    replayed,
    advanced,
    problems: replayed.flatMap(one => one.problem ?? []),
    data: inOrder.flatMap(one => one.data ?? []),
  };
}

function reportOn(data: readonly LogData[]): string {
  return JSON.stringify(buildReport(data, DEFAULT_SETTINGS, () => true));
}

describe("any number of threads", () => {
  it.each([1, 2, 4])("gives the same report to the byte: %i", async threads => {
    const alone = await replay({ threads: 1 });
    const bytes = findLogs([logs]).logs.reduce((sum, log) => sum + log.bytes, 0);
    for (const callerWorks of [true, false]) {
      const shared = await replay({ threads, callerWorks });
      expect(shared.problems).toEqual([]);
      expect(shared.replayed).toHaveLength(24);
      expect(shared.advanced).toBe(bytes);
      expect(reportOn(shared.data)).toBe(reportOn(alone.data));
    }
  });

  it("gives the same report with a cache that all of them fill and read at once", async () => {
    const alone = reportOn((await replay({ threads: 1 })).data);
    const cache = folders.make();
    for (let round = 0; round < 3; round++) {
      const both = await Promise.all([
        replay({ threads: 3, callerWorks: false }, cache),
        replay({ threads: 2 }, cache),
      ]);
      for (const { data } of both) expect(reportOn(data)).toBe(alone);
    }
    expect(readdirSync(cache).filter(name => !/\.pack$/.test(name))).toEqual([]);
  });

  it("starts with the largest logs, or uses the given order", async () => {
    const sizes = findLogs([logs]).logs.map(log => log.bytes);
    const largestFirst = (await replay({ threads: 1 })).replayed.map(one => sizes[one.index] ?? 0);
    expect(largestFirst).toEqual([...largestFirst].sort((left, right) => right - left));
    const given = (await replay({ threads: 1, inGivenOrder: true })).replayed.map(one => one.index);
    expect(given).toEqual([...given].sort((left, right) => left - right));
  });
});

describe("the memory of all threads", () => {
  const MEGABYTE = 1024 * 1024;
  const threadsFor = (...megabytes: number[]) =>
    threadsWithMemory(megabytes.map((size, ino) => ({ path: `${ino}`, bytes: size * MEGABYTE, modified: 0, ino })));

  it("is bounded: there are fewer threads for larger logs", () => {
    const many = Array.from({ length: 1000 }, () => 50);
    expect(threadsFor(...many)).toBe(8);
    expect(threadsFor(...many, 500)).toBeLessThan(8);
    expect(threadsFor(...many, 900)).toBeLessThan(threadsFor(...many, 500));
    expect(threadsFor(...many, 900)).toBeGreaterThan(1);
    expect(threadsFor(900, 900, ...many)).toBe(1);
    expect(threadsFor(3000, ...many)).toBe(1);
    expect(threadsFor()).toBe(8);
  });

  it("is bounded, however many are asked for", async () => {
    const folder = folders.make();
    const entryPoints = [join(REPOSITORY, "src", "batch", "replayPool.ts")];
    await esbuild.build({ entryPoints, bundle: true, platform: "node", format: "cjs", outdir: folder });
    // A thread would create this file.
    const trace = join(folder, "trace");
    writeFileSync(join(folder, "replayWorker.js"), `require("fs").writeFileSync(${JSON.stringify(trace)}, "")`);
    const { replayAll: run } = createRequire(`${folder}/`)("./replayPool.js") as { replayAll: typeof replayAll };
    const [log, ...others] = findLogs([logs]).logs;
    const asked = async (bytes: number) => {
      const job = {
        logs: [{ path: "", modified: 0, ino: 0, ...log, bytes }, ...others],
        options,
        cacheFolder: undefined,
      };
      await run(job, { advance: () => {}, done: () => {} }, { threads: 8 });
      return existsSync(trace);
    };
    expect(await asked(3000 * MEGABYTE)).toBe(false);
    expect(await asked(3)).toBe(true);
  });

  it("is released when all logs are read", () => {
    const before = replayKernel();
    expect(before).toBeDefined();
    const job = { logs: [], options, cacheFolder: undefined };
    const shared = { job, order: new Int32Array(), taken: new Int32Array(new SharedArrayBuffer(4)), isUrgent: true };
    takeTurns(shared, { advance: () => {}, done: () => {} });
    expect(replayKernel()).not.toBe(before);
  });
});

describe("a log that cannot be read", () => {
  it("is one plain line; the others are read", async () => {
    const found = findLogs([logs]).logs;
    const missing = join(logs, "missing.jsonl");
    const { replayAll: run } = createRequire(`${built}/`)("./replayPool.js") as { replayAll: typeof replayAll };
    const done: Replayed[] = [];
    const job = { logs: [{ path: missing, bytes: 9, modified: 0, ino: 0 }, ...found], options, cacheFolder: undefined };
    await run(job, { advance: () => {}, done: one => done.push(one) }, { threads: 2 });
    expect(done.filter(one => one.data)).toHaveLength(found.length);
    expect(done.flatMap(one => one.problem ?? [])).toEqual([`no such file or folder: ${missing}`]);
  });
});

describe("a thread that dies", () => {
  /** The pool with a thread that works up to a point and then fails. */
  async function withThread(source: string): Promise<string> {
    const folder = folders.make();
    const entryPoints = [join(REPOSITORY, "src", "batch", "replayPool.ts")];
    await esbuild.build({ entryPoints, bundle: true, platform: "node", format: "cjs", outdir: folder });
    writeFileSync(join(folder, "replayWorker.js"), source);
    return folder;
  }

  const TAKES_ONE = "const { taken, order, job } = require('worker_threads').workerData; Atomics.add(taken, 0, 1);";

  it("before it took a log only costs its help", async () => {
    const code = await withThread("throw new Error('no memory')");
    const { problems, data } = await replay({ threads: 3 }, undefined, code);
    expect(data).toHaveLength(24);
    expect(problems).toEqual([]);
  });

  it("had little room for what is gone with the next line", async () => {
    const code = await withThread("throw new Error(require('worker_threads').resourceLimits.maxYoungGenerationSizeMb)");
    const { problems } = await replay({ threads: 1, callerWorks: false }, undefined, code);
    const [, megabytes] = /\((\d+)\)/.exec(problems[0] ?? "") ?? [];
    expect(Number(megabytes)).toBeLessThan(8);
  });

  it("before it started, for lack of threads, is compensated by the others", async () => {
    // Data that cannot be cloned prevents the thread from being created.
    const job = { logs: findLogs([logs]).logs, options: { ...options, odd: Symbol("odd") }, cacheFolder: undefined };
    const { replayAll: run } = createRequire(`${built}/`)("./replayPool.js") as { replayAll: typeof replayAll };
    const done: Replayed[] = [];
    await run(job, { advance: () => {}, done: one => done.push(one) }, { threads: 3 });
    expect(done.filter(one => one.data)).toHaveLength(job.logs.length);
    done.length = 0;
    await run(job, { advance: () => {}, done: one => done.push(one) }, { threads: 2, callerWorks: false });
    const said = "a worker thread failed (Symbol(odd) could not be cloned.): ";
    expect(done.map(one => one.problem)).toEqual(job.logs.map(({ path }) => said + path));
  });

  it.each([
    ["by an error", "throw new Error('no memory')", "a worker thread failed (no memory): "],
    ["by leaving", "process.exit(3)", "a worker thread failed: "],
  ])("%s leaves the logs to the others; the one it was reading is named", async (_, death, said) => {
    const code = await withThread(`${TAKES_ONE} ${death}`);
    const found = findLogs([logs]).logs;
    // The calling thread may have taken everything before the other one starts.
    const { problems, data, replayed } = await replay({ threads: 2 }, undefined, code);
    const lost = found.filter((_log, index) => !replayed.some(one => one.index === index && one.data));
    expect(data.length + lost.length).toBe(found.length);
    expect(lost.length).toBeLessThanOrEqual(1);
    expect(problems).toEqual(lost.map(({ path }) => said + path));
    // If nobody else works, each log is reported.
    const alone = await replay({ threads: 3, callerWorks: false }, undefined, code);
    expect(alone.data).toEqual([]);
    expect(alone.problems).toEqual(found.map(({ path }) => said + path));
  });
});
