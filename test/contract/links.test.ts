/** Circular links under the logs' folder: every command sees each log once and terminates. */
import { symlinkSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { logText, read, result, textOf } from "../support/log.js";

beforeAll(built);
const place = new Place();
afterAll(() => place.remove());

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
