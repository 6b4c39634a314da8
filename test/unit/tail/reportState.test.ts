/** A report is remembered only if no log was written to while it was made. */
import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ReportCache } from "../../../src/cache/reportCache.js";
import { findLogs } from "../../../src/tail/discover.js";

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dedup-inspector-state-"));
  log = join(folder, "a.jsonl");
  writeFileSync(log, "{}\n");
  writeFileSync(join(folder, "b.jsonl"), "{}\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

const state = (asked: unknown = []) => ReportCache.stateOf(findLogs([folder]).logs, asked);

/** Longer than the system's clock stands still. */
const TICK_MS = 50;

it("is current as long as nothing happens to the logs", async () => {
  const before = state();
  await wait(TICK_MS);
  expect(before?.isCurrent()).toBe(true);
  expect(state()?.name).toBe(before?.name);
  expect(state(["other"])?.name).not.toBe(before?.name);
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
  const before = state();
  await wait(TICK_MS);
  change();
  expect(before?.isCurrent()).toBe(false);
});

it("is unknown where a log cannot be read", () => {
  const { logs } = findLogs([folder]);
  rmSync(log);
  expect(ReportCache.stateOf(logs, [])).toBeUndefined();
});
