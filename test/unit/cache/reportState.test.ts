/** A report is cached only if no log was written to while it was created. */
import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isCurrent, reportState } from "../../../src/cache/reportCache.js";
import { findLogs } from "../../../src/tail/discover.js";
import { logsSettled } from "../../support/until.js";

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dedup-inspector-state-"));
  log = join(folder, "a.jsonl");
  writeFileSync(log, "{}\n");
  writeFileSync(join(folder, "b.jsonl"), "{}\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

const state = (asked: unknown = []) => {
  const since = Date.now();
  return reportState(findLogs([folder]).logs, asked, since);
};

it("is current as long as nothing happens to the logs", async () => {
  await logsSettled();
  const before = state();
  await logsSettled();
  expect(isCurrent(before)).toBe(true);
  expect(state().name).toBe(before.name);
  expect(state().line).toBe(before.line);
  expect(state(["other"]).name).not.toBe(before.name);
  expect(state(["other"]).line).not.toBe(before.line);
});

it("is not current if a log was written just before: another write would not show", () => {
  expect(isCurrent(reportState(findLogs([folder]).logs, [], Math.floor(statSync(log).ctimeMs)))).toBe(false);
});

it.each<[string, () => void]>([
  ["grown", () => appendFileSync(log, "{}\n")],
  ["gone", () => rmSync(log)],
  [
    "rewritten with the same size and time",
    () => {
      const { atime, mtime } = statSync(log);
      writeFileSync(log, "[]\n");
      utimesSync(log, atime, mtime);
    },
  ],
  [
    "replaced by one that is the same",
    () => {
      writeFileSync(join(folder, "c"), "{}\n");
      renameSync(join(folder, "c"), log);
    },
  ],
])("is not current when a log is %s", async (_how, change) => {
  await logsSettled();
  const before = state();
  await logsSettled();
  change();
  expect(isCurrent(before)).toBe(false);
  expect(state().line).not.toBe(before.line);
});
