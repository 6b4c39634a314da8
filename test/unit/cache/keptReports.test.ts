/** Reports that are remembered, and those that are not. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { ReportCache, reportState } from "../../../src/cache/reportCache.js";
import { findLogs } from "../../../src/tail/discover.js";
import { Folders } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

let folder = "";
let cache = new ReportCache("");
beforeEach(() => {
  folder = folders.make();
  cache = new ReportCache(folder);
  writeFileSync(join(folder, "a.jsonl"), "{}\n");
});

const state = () => reportState(findLogs([folder]).logs, [], 0);

it("a report is remembered as it was printed", () => {
  const json = cache.remember(state(), { pieces: ["{", '"é":1', "}\n"], warnings: ["w"] });
  expect(json?.toString()).toBe('{"é":1}\n');
  expect(cache.recall(state())).toEqual({ json, warnings: ["w"] });
});

it("a report that is too large is not remembered, and no more of it is made than fits", () => {
  let made = 0;
  function* pieces(): Generator<string> {
    for (;;) {
      made++;
      yield "é".repeat(5);
    }
  }
  expect(cache.remember(state(), { pieces: pieces(), warnings: [] }, 100)).toBeUndefined();
  expect([made, existsSync(join(folder, "reports"))]).toEqual([11, false]);
  expect(cache.remember(state(), { pieces: ["é".repeat(50)], warnings: [] }, 100)).toHaveLength(100);
});

it("a report with a session that is too long for a string is not remembered, and that is no failure", () => {
  function* pieces(): Generator<string> {
    yield "{";
    yield "x".repeat(2 ** 30);
  }
  expect(cache.remember(state(), { pieces: pieces(), warnings: [] })).toBeUndefined();
  expect(cache.recall(state())).toBeUndefined();
});
