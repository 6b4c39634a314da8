/** Circular and dangling links under the logs' folder: every command sees each log once and terminates. */
import { symlinkSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Place } from "../support/cli.js";
import { logText, read, result, textOf } from "../support/log.js";
import { openedIn } from "../unit/serve/opened.js";

const place = new Place();
const start = openedIn(place);

const PROJECTS = ["one", "two", "three"];
const log = (project: string) =>
  logText(read(`${project}-1`, "/a"), result(`${project}-1`, textOf(900, project))) +
  logText(read(`${project}-2`, "/a"), result(`${project}-2`, textOf(900, project)));

beforeAll(() => {
  for (const project of PROJECTS) {
    place.write(`logs/${project}/session-${project}.jsonl`, log(project));
    for (const other of PROJECTS) symlinkSync(place.path("logs", other), place.path("logs", project, `to-${other}`));
    symlinkSync(place.path("logs"), place.path("logs", project, "up"));
  }
});

it("report counts each session once", async () => {
  const { status, stdout, stderr } = await place.ask(["report", "logs", "--json"]);
  const report = JSON.parse(stdout) as { totals: { sessions: number; hits: number } };
  expect([status, stderr, report.totals.sessions, report.totals.hits]).toEqual([0, "", 3, 3]);
});

it("watch reports each event once, and exits when nothing more arrives", async () => {
  const { status, stdout, stderr } = await place.run(["watch", "logs", "--json", "--from-start", "--idle-exit", "1"]);
  const told = stdout.split("\n").flatMap(line => (line === "" ? [] : [JSON.parse(line) as { file: string }]));
  expect([status, stderr]).toEqual([0, ""]);
  expect(told.map(({ file }) => file)).toEqual(
    [...PROJECTS].sort().flatMap(project => Array(2).fill(`logs/${project}/session-${project}.jsonl`)),
  );
});

describe("a link that leads nowhere", () => {
  beforeAll(() => {
    place.write("logs2/session.jsonl", log("four"));
    symlinkSync(place.path("nowhere"), place.path("logs2", "broken.jsonl"));
  });

  it("does not keep watch from the logs next to it", async () => {
    const run = await place.run(["watch", "logs2", "--json", "--from-start", "--idle-exit", "1"]);
    expect(run.stdout.split("\n").filter(line => line !== "")).toHaveLength(2);
    expect([run.status, run.stderr]).toEqual([1, "dedup-inspector: no such file or folder: logs2/broken.jsonl\n"]);
  });

  it("does not keep open from the logs next to it", async () => {
    const opened = start(["logs2"]);
    await opened.started;
    expect(opened.stdout).toMatch(/^Dedup Inspector: http:/);
    expect(opened.stderr).toBe("dedup-inspector: no such file or folder: logs2/broken.jsonl\n");
    expect(await opened.end("SIGTERM")).toBe(0);
  });
});

it("watch and open end at once if none of the given paths can be used", async () => {
  for (const command of [
    ["watch", "--idle-exit", "60"],
    ["open", "--no-browser"],
  ]) {
    const { status, stdout, stderr } = await place.run([...command, "none", "nowhere"]);
    expect([status, stdout, stderr.split("\n").length - 1]).toEqual([1, "", 2]);
  }
});

it("a folder that contains itself twice, as another place each time, does not keep report from the logs next to it", async () => {
  place.write("logs3/auto/session.jsonl", log("five"));
  place.write("logs3/session.jsonl", log("six"));
  // Such a file system cannot be mounted without rights, so the answers of the real one are changed.
  const preload = place.write(
    "automounter.cjs",
    `const fs = require("node:fs");
     const { readdirSync, statSync } = fs;
     const real = path => String(path).replace(/([\\\\/]auto)[\\\\/].*$/, "$1");
     let inode = 1n << 60n;
     fs.statSync = (path, ...rest) => {
       const stats = statSync(real(path), ...rest);
       return real(path) === String(path) ? stats : Object.assign(stats, { ino: ++inode });
     };
     fs.readdirSync = (path, ...rest) => {
       const entries = readdirSync(real(path), ...rest);
       const folder = name => Object.assign(Object.create(entries[0]), { name, isDirectory: () => true });
       return /[\\\\/]auto/.test(path) ? [folder("one"), folder("two")] : entries;
     };`,
  );
  const { status, stdout, stderr } = await place.run(["report", "logs3", "--json", "--no-cache"], {
    NODE_OPTIONS: `--require ${preload}`,
  });
  const report = JSON.parse(stdout) as { totals: { sessions: number } };
  expect([status, report.totals.sessions]).toEqual([1, 1]);
  expect(stderr).toBe("dedup-inspector: too many folders; some were not searched: logs3\n");
});
