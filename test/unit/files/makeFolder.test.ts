import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as esbuild from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFolder } from "../../../src/files/makeFolder.js";
import { built, Place } from "../../support/cli.js";

const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

it("a folder is created with those above it, for its user alone, and the outermost new one is named", () => {
  expect(makeFolder(place.path("a", "b", "c"))).toBe(place.path("a"));
  expect(makeFolder(place.path("a", "b", "d"))).toBe(place.path("a", "b", "d"));
  expect(makeFolder(place.path("a", "b", "c"))).toBeUndefined();
  if (process.platform !== "win32") expect(statSync(place.path("a", "b")).mode & 0o777).toBe(0o700);
});

it("a folder below a file is not created", () => {
  writeFileSync(place.path("file"), "");
  expect(() => makeFolder(join(place.path("file"), "x"))).toThrow("ENOTDIR");
});

const NOWHERE = "/proc/dedup-inspector-nowhere";

it.skipIf(!existsSync("/proc/self"))(
  "where the system knows no new folders, the program fails instead of hanging",
  async () => {
    const run = await place.run(["sample", "--out", "s.jsonl"]);
    expect(run.status).toBe(0);
    expect(await place.run(["export", "s.jsonl", "--format", "csv", "--out", NOWHERE])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(NOWHERE),
    });
    const env = { HOME: NOWHERE, XDG_CACHE_HOME: NOWHERE, XDG_DATA_HOME: NOWHERE };
    expect((await place.run(["hooks", "install", "--yes"], env)).status).toBe(1);
    expect((await place.run(["report", "s.jsonl"], env)).status).toBe(0);
  },
);

/** Creates the folders of each round at the same moment as the other thread, and counts the failures. */
const RACER = `
  const { workerData, parentPort } = require("node:worker_threads");
  const { join } = require("node:path");
  const { makeFolder } = require(workerData.program);
  const ready = new Int32Array(workerData.ready);
  const failures = [];
  for (let round = 1; round <= workerData.rounds; round++) {
    Atomics.add(ready, 0, 1);
    while (Atomics.load(ready, 0) < 2 * round);
    try {
      makeFolder(join(workerData.folder, String(round), "a", "b", "c", "d"));
    } catch (error) {
      failures.push(error.message);
    }
  }
  parentPort.postMessage(failures);
`;

it("two processes can create the same folders at the same moment", async () => {
  const program = place.path("makeFolder.cjs");
  const entryPoints = ["src/files/makeFolder.ts"];
  await esbuild.build({
    entryPoints,
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  const workerData = { program, folder: place.path("race"), ready: new SharedArrayBuffer(4), rounds: 300 };
  const racers = [1, 2].map(() => new Worker(RACER, { eval: true, workerData }));
  const failures = await Promise.all(racers.map(async racer => (await once(racer, "message"))[0]));
  expect(failures).toEqual([[], []]);
});
