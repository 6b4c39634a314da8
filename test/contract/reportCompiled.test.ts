/** V8's compiled code is kept next to the program, and never trusted if it could be anything else. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built, homeIn, Place } from "../support/cli.js";
import { codeCache } from "../support/codeCache.js";
import { call, logText, result, textOf } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";
import { logsSettled } from "../support/until.js";

beforeAll(built);

const [NAME = "", RECALL = ""] = ["programs", "recallProgram"].map(
  name => `${name}.${process.version}.${process.arch}.compiled`,
);
let place: Place;
const kept = () => place.path("dist", NAME);
const keptRecall = () => place.path("dist", RECALL);
const keptFiles = () => readdirSync(place.path("dist")).filter(name => name.includes(".compiled"));

beforeEach(async () => {
  place = new Place();
  place.write("logs/a.jsonl", logText(call("1", "Bash", { command: "ls" }), result("1", textOf(300))));
  mkdirSync(place.path("dist"));
  for (const name of ["cli.js", "cliProgram.js", "programs.js", "recallProgram.js", "compiled.js"]) {
    copyFileSync(join(REPOSITORY, "dist", name), place.path("dist", name));
  }
  await logsSettled();
});
afterEach(() => place.remove());

function run(...args: string[]): string {
  const options = { cwd: place.folder, env: homeIn(place.path("home")), encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [place.path("dist", "cli.js"), ...args], options);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

const report = (...more: string[]) => run("report", "--json", ...more, "logs");

it("is one file per program and Node version, rewritten only if more of it ran", () => {
  const made = report();
  expect(keptFiles()).toEqual([NAME, RECALL]);
  const whenMade = readFileSync(kept());
  const whenLooked = readFileSync(keptRecall());
  expect(report()).toBe(made);
  const whenRecalled = readFileSync(keptRecall());
  expect(whenRecalled.equals(whenLooked)).toBe(false);
  expect(report()).toBe(made);
  expect(readFileSync(keptRecall()).equals(whenRecalled)).toBe(true);
  expect(readFileSync(kept()).equals(whenMade)).toBe(true);
  run("report", "logs");
  expect(readFileSync(kept()).equals(whenMade)).toBe(false);
  expect(keptFiles()).toEqual([NAME, RECALL]);
});

it("a report that is recalled needs no other program", () => {
  const made = report();
  for (const name of ["cliProgram.js", "programs.js", "compiled.js"]) rmSync(place.path("dist", name));
  expect(report()).toBe(made);
});

it("is not created if nothing may be cached, nor by other commands", () => {
  report("--no-cache");
  run("--version");
  run("help");
  expect(keptFiles()).toEqual([]);
});

describe("damaged, it is recreated", () => {
  const flipped = (share: number) => (bytes: Buffer) => {
    const at = 1 + Math.floor(share * (bytes.length - 2));
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    return bytes;
  };
  it.each<[string, (bytes: Buffer) => Buffer]>([
    ["empty", () => Buffer.alloc(0)],
    ["cut short", bytes => bytes.subarray(0, -1)],
    ["wrong in the source", flipped(0.1)],
    ["wrong in one copy", flipped(0.5)],
    ["wrong in the other", flipped(0.9)],
  ])("%s", (_how, damage) => {
    const made = report();
    for (const [file, again] of [
      [kept(), () => report("--capacity", "50")],
      [keptRecall(), () => report()],
    ] as const) {
      writeFileSync(file, damage(readFileSync(file)));
      const damaged = readFileSync(file);
      expect(JSON.parse(again()).totals).toEqual(JSON.parse(made).totals);
      expect(readFileSync(file).equals(damaged)).toBe(false);
    }
  });
});

it("of another program of the same length is not used", () => {
  report();
  const program = place.path("dist", "programs.js");
  writeFileSync(program, readFileSync(program, "utf8").replaceAll("copiedResults", "COPIEDRESULTS"));
  expect(report("--capacity", "9")).toContain("COPIEDRESULTS");
});

it("is used by the threads that help with a report, too", async () => {
  const program = (word: string) =>
    `exports.replayWorker=()=>require("node:worker_threads").parentPort.postMessage("${word}");`;
  const said = async () => {
    const [word] = await once(new Worker(place.path("dist", "replayWorker.js")), "message");
    return word;
  };
  copyFileSync(join(REPOSITORY, "dist", "replayWorker.js"), place.path("dist", "replayWorker.js"));
  writeFileSync(place.path("dist", "programs.js"), program("read"));
  expect(await said()).toBe("read");
  writeFileSync(kept(), codeCache(program("read"), program("kept"), "replayWorker"));
  expect(await said()).toBe("kept");
});

it("is not needed if it cannot be written", () => {
  // A folder in its place can neither be read nor replaced.
  mkdirSync(kept());
  mkdirSync(keptRecall());
  const made = report();
  expect(report()).toBe(made);
  expect(keptFiles()).toEqual([NAME, RECALL]);
  expect(readdirSync(kept())).toEqual([]);
  expect(readdirSync(keptRecall())).toEqual([]);
});
