/** Where `export` writes: its own folder, completely or not at all, and never over anybody else's files. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TABLE_NAMES } from "../../src/export/tables.js";
import { built, Place } from "../support/cli.js";
import { logText, read, result, textOf } from "../support/log.js";
import { REPOSITORY } from "../support/replay.js";
import { snapshot } from "../support/snapshot.js";
import { rowsIn } from "../support/sql.js";

beforeAll(built);

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

const SAMPLE = join(REPOSITORY, "media", "sample.jsonl");
const AT = { timestamp: "2026-02-03T10:00:00.000Z" };
const exported = (...args: string[]) => place.ask(["export", ...args]);

describe("the folder of an export", () => {
  const unfinished = () => readdirSync(place.folder).filter(name => name.includes(".tmp"));

  it("has a default name, and says what is in it", async () => {
    const run = await exported(SAMPLE);
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toMatch(/^dedup-inspector-export: 1 session, /);
    const description = JSON.parse(readFileSync(place.path("dedup-inspector-export", "export.json"), "utf8"));
    expect(description).toMatchObject({ program: "dedup-inspector", schema: 1, format: "parquet", anonymous: false });
    const { rows } = description as { rows: Record<string, number> };
    for (const table of TABLE_NAMES) {
      expect(rows[table]).toBe((await rowsIn(place.path("dedup-inspector-export"), table)).length);
    }
  });

  it("replaces an earlier one as a whole", async () => {
    place.write("logs/s.jsonl", logText(read("1", "/a", AT), result("1", textOf(900), AT)));
    expect((await exported(SAMPLE, "--out", "a/b/out")).status).toBe(0);
    expect((await exported("logs", "--format", "csv", "--out", "a/b/out")).status).toBe(0);
    expect(readdirSync(place.path("a/b"))).toEqual(["out"]);
    expect(readdirSync(place.path("a/b/out/results"))).toEqual(["day=2026-02-03"]);
    expect(readdirSync(place.path("a/b/out/results/day=2026-02-03"))).toEqual(["part-0.csv"]);
  });

  it("replaces an earlier one that somebody has looked at with Finder or Explorer", async () => {
    place.write("logs/s.jsonl", logText(read("1", "/a", AT), result("1", textOf(900), AT)));
    expect((await exported("logs", "--out", "out")).status).toBe(0);
    const folders = ["", "results", "results/day=2026-02-03"];
    for (const folder of folders)
      for (const name of [".DS_Store", "Thumbs.db", "desktop.ini"]) place.write(join("out", folder, name), "view");
    const run = await exported("logs", "--format", "csv", "--out", "out");
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(readdirSync(place.path("out/results/day=2026-02-03"))).toEqual(["part-0.csv"]);
    expect(readdirSync(place.folder).filter(name => name.startsWith("out"))).toEqual(["out"]);
  });

  it("keeps an earlier export if none of the logs can be found", async () => {
    expect((await exported(SAMPLE, "--format", "csv", "--out", "out")).status).toBe(0);
    const before = snapshot(place.path("out"));
    const run = await exported("smaple.jsonl", "--format", "csv", "--out", "out");
    expect([run.status, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toBe("dedup-inspector: no such file or folder: smaple.jsonl\n");
    expect(snapshot(place.path("out"))).toEqual(before);
    expect((await exported("smaple.jsonl", "--out", "new")).status).toBe(1);
    expect([existsSync(place.path("new")), unfinished()]).toEqual([false, []]);
  });

  it.each([
    ["there are none in the folder", () => place.write("logs/notes.txt", "none"), ["logs"]],
    ["they are all still empty", () => place.write("logs/s.jsonl", ""), ["logs"]],
    ["Claude Code has written none", () => place.write("home/config/projects/notes.txt", "none"), []],
  ])("keeps an earlier export if there are no logs: %s", async (_, make, paths) => {
    make();
    expect((await exported(SAMPLE, "--format", "csv", "--out", "out")).status).toBe(0);
    const before = snapshot(place.path("out"));
    const run = await exported(...paths, "--format", "csv", "--out", "out");
    expect([run.status, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toContain("dedup-inspector: there are no logs, so the earlier export was not replaced\n");
    expect(snapshot(place.path("out"))).toEqual(before);
    expect(unfinished()).toEqual([]);
    // Tables without rows harm nobody.
    expect((await exported(...paths, "--format", "csv", "--out", "new")).status).toBe(0);
  });

  it("keeps an earlier export if no line of the logs is JSON", async () => {
    place.write("notes.txt", "not a log\n");
    expect((await exported(SAMPLE, "--format", "csv", "--out", "out")).status).toBe(0);
    const before = snapshot(place.path("out"));
    const run = await exported("notes.txt", "--format", "csv", "--out", "out");
    expect([run.status, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toContain("no line of any log is JSON, so the earlier export was not replaced");
    expect(snapshot(place.path("out"))).toEqual(before);
    expect(unfinished()).toEqual([]);
    expect((await exported("notes.txt", SAMPLE, "--format", "csv", "--out", "out")).status).toBe(0);
  });

  it("keeps an earlier export if none of the logs can be read", async () => {
    const log = place.write("logs/s.jsonl", readFileSync(SAMPLE));
    expect((await exported("logs", "--format", "csv", "--out", "out")).status).toBe(0);
    const before = snapshot(place.path("out"));
    // Root may read everything: the disk fails instead, while the log is read.
    const preload = place.write(
      "fails.cjs",
      `const fs = require("node:fs");
       const { openSync } = fs;
       fs.openSync = (path, ...rest) => {
         if (String(path).endsWith("s.jsonl")) throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
         return openSync(path, ...rest);
       };`,
    );
    const args = ["export", log, "--format", "csv", "--out", "out", "--no-cache"];
    const run = await place.run(args, { NODE_OPTIONS: `--require ${preload}` });
    expect([run.status, run.stdout]).toEqual([1, ""]);
    expect(run.stderr.split("\n")).toEqual([
      expect.stringContaining(log),
      "dedup-inspector: no log could be read, so nothing was exported",
      "",
    ]);
    expect(snapshot(place.path("out"))).toEqual(before);
    expect(unfinished()).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("says so if it cannot be created", async () => {
    const long = "x".repeat(256);
    expect((await exported(SAMPLE, "--out", long)).stderr).toBe(`dedup-inspector: the name is too long: ${long}\n`);
    // Root may write everywhere.
    const preload = place.write(
      "preload.cjs",
      `const fs = require("node:fs");
       const { mkdirSync, openSync } = fs;
       const expectOpen = path => {
         if (/closed/.test(path)) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
       };
       fs.mkdirSync = (path, ...rest) => (expectOpen(path), mkdirSync(path, ...rest));
       fs.openSync = (path, ...rest) => (expectOpen(path), openSync(path, ...rest));`,
    );
    for (const command of [
      ["export", SAMPLE, "--format", "csv", "--out", "closed"],
      ["sample", "--out", "closed.jsonl"],
    ]) {
      const run = await place.run(command, { NODE_OPTIONS: `--require ${preload}` });
      expect([run.status, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).toBe(`dedup-inspector: no permission to write: ${command.at(-1)}\n`);
    }
  });

  it("may exist if it is empty", async () => {
    mkdirSync(place.path("out"));
    expect((await exported(SAMPLE, "--out", "out")).status).toBe(0);
    expect(existsSync(place.path("out", "export.json"))).toBe(true);
  });

  it.each([
    ["a file", "out", /not a folder/],
    [
      "a folder of somebody else",
      "out/notes.txt",
      /is not an export.*: it has no export\.json written by Dedup Inspector/,
    ],
    ["a description of somebody else", "out/export.json", /is not an export/],
  ])("is not written over %s", async (_, name, words) => {
    place.write(name, '{"program":"another"}');
    const before = snapshot(place.folder);
    const run = await exported(SAMPLE, "--out", "out");
    expect([run.status, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(words);
    expect(snapshot(place.folder)).toEqual(before);
  });

  it.each([
    "notes.txt",
    "results/notes.txt",
    "results/day=2026-07-25/notes.txt",
    "results/day=2026-07-25/part-1.parquet",
  ])("is not written over an export that contains the user's files: %s", async name => {
    expect((await exported(SAMPLE, "--out", "out")).status).toBe(0);
    place.write(join("out", name), "mine");
    const before = snapshot(place.path("out"));
    const run = await exported(SAMPLE, "--out", "out");
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining(name)]);
    expect(snapshot(place.path("out"))).toEqual(before);
    expect(unfinished()).toEqual([]);
  });

  it("is never the current folder", async () => {
    const run = await exported(SAMPLE, "--out", ".");
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining("current folder")]);
    // It is within, although the way to it begins with two dots.
    const within = await place.run(
      ["export", SAMPLE, "--out", ".."],
      {},
      undefined,
      "mkdir -p w/..here && cd w/..here",
    );
    expect([within.status, within.stderr]).toEqual([1, expect.stringContaining("contains the current folder")]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"])("does not exist after %s, and an earlier one stays", async signal => {
    expect((await exported(SAMPLE, "--out", "out")).status).toBe(0);
    const before = snapshot(place.path("out"));
    // Sent at defined moments: when the first log is spilled, and again while everything is removed.
    const preload = place.write(
      "signal.cjs",
      `const fs = require("node:fs");
       const { openSync, rmSync } = fs;
       const signal = () => process.kill(process.pid, "${signal}");
       fs.openSync = (path, ...rest) => {
         if (String(path).endsWith("logs")) signal();
         return openSync(path, ...rest);
       };
       fs.rmSync = (path, ...rest) => {
         signal();
         return rmSync(path, ...rest);
       };`,
    );
    const run = await place.run(["export", SAMPLE, "--out", "out", "--format", "csv"], {
      NODE_OPTIONS: `--require ${preload}`,
    });
    expect(run.status).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    expect(snapshot(place.path("out"))).toEqual(before);
    expect(unfinished()).toEqual([]);
  });

  it("of a killed process is removed by the next export, if it is certainly one of ours", async () => {
    const { pid: gone } = spawnSync(process.execPath, ["--version"]);
    const [left, running, recent, foreign, other] = [
      `out.${gone}.a1.tmp`,
      `out.${process.pid}.a2.tmp`,
      `out.${gone}.a3.tmp`,
      `out.${gone}.a4.tmp`,
      `another.${gone}.a5.tmp`,
    ];
    const old = new Date("2026-01-01");
    for (const name of [left, running, recent, foreign, other]) {
      place.write(`${name}/spool/logs`, "");
      if (name === foreign) utimesSync(place.write(`${name}/notes.txt`, "mine"), old, old);
      if (name !== recent) for (const path of ["spool", "."]) utimesSync(place.path(name, path), old, old);
    }
    expect((await exported(SAMPLE, "--out", "out")).status).toBe(0);
    expect(unfinished().sort()).toEqual([running, recent, foreign, other].sort());
  });

  it("needs the Parquet library only for Parquet, and says so if it is missing", async () => {
    cpSync(join(REPOSITORY, "dist"), place.path("dist"), { recursive: true });
    rmSync(place.path("dist", "parquetFile.js"));
    const program = ["export", SAMPLE, "--out", "out"];
    const own = (...args: string[]) =>
      place.run([...program, ...args], {}, undefined, `set -- "$1" dist/cli.js "\${@:3}"`);
    const run = await own();
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining("use --format ndjson")]);
    expect([existsSync(place.path("out")), unfinished()]).toEqual([false, []]);
    expect((await own("--format", "ndjson")).status).toBe(0);
  });
});
