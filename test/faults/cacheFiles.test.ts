/** Whatever is in place of the cache's files, the report is immediate and correct, and nothing else is touched. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { filesUnder } from "../support/replay.js";
import { snapshot } from "../support/snapshot.js";
import { logsSettled } from "../support/until.js";
import { Logs } from "./logs.js";

beforeAll(built);

let at: Logs;
let truth = "";
beforeEach(async () => {
  at = new Logs(4);
  await logsSettled();
  truth = await at.report();
  mkdirSync(at.path("theirs"));
});
afterEach(() => at.remove());

const theirs = (file: string) => at.path("theirs", basename(file));

describe.skipIf(process.platform === "win32")("if every file in the cache is replaced by", () => {
  it.each<[string, (file: string) => void]>([
    ["a pipe", file => void spawnSync("mkfifo", [file])],
    ["a folder", file => mkdirSync(join(file, "full"), { recursive: true })],
    [
      "a link to a file",
      file => {
        writeFileSync(theirs(file), "theirs");
        symlinkSync(theirs(file), file);
      },
    ],
    ["a link to nowhere", file => symlinkSync(theirs(file), file)],
    ["a link to /dev/zero", file => symlinkSync("/dev/zero", file)],
    ["a file of somebody else's", file => writeFileSync(file, "theirs")],
  ])("%s", async (_, make) => {
    const files = filesUnder(at.cache);
    const names = files.map(file => basename(file));
    for (const name of [/^tidied$/, /\.pack$/, /^[0-9a-f]{8}$/])
      expect(names).toContainEqual(expect.stringMatching(name));
    for (const file of files) {
      rmSync(file);
      make(file);
    }
    const before = snapshot(at.path("theirs"));
    for (let times = 0; times < 2; times++) expect(await at.report()).toBe(truth);
    expect(snapshot(at.path("theirs"))).toEqual(before);
  });
});
