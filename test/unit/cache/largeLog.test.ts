/** A log that is too large for its facts to be cached: its figures still are. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { append, Chance, Folders, LineSource } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

it("is recalled under the same settings, and read again under others, or when it has grown", () => {
  const folder = folders.make();
  const path = join(folder, "session.jsonl");
  const source = new LineSource(new Chance(4));
  writeFileSync(path, source.take(300));
  const cache = new LogCache(join(folder, "cache"));

  const read = (capacity: number, known: LogCache | undefined) => {
    const settings = { ...DEFAULT_SETTINGS, capacity };
    const options = { settings, keepEvents: false, keepDetails: false, keepFacts: false };
    const steps: number[] = [];
    const recalling = { cache: known, maxFactsBytes: statSync(path).size - 1 };
    const data = replayLog(path, options, recalling, bytes => steps.push(bytes));
    return { data, isRecalled: steps.length === 1 };
  };
  const expectFigures = (capacity: number, isRecalled: boolean) =>
    expect(read(capacity, cache)).toEqual({ data: read(capacity, undefined).data, isRecalled });

  expectFigures(5, false);
  expectFigures(5, true);
  expectFigures(2, false);
  expectFigures(2, true);
  append(path, source.take(20));
  expectFigures(2, false);
});
