/** What is known about many logs is in few files. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recallFollower, replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { withOpenFile } from "../../../src/files/openFile.js";
import { findLogs } from "../../../src/tail/discover.js";
import { append, Folders } from "../../support/liveLog.js";
import { logsSettled } from "../../support/until.js";
import { cachedLog, NO_LOG, optionsOf, readLog } from "./cachedLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

let { source, cache, path } = NO_LOG;

beforeEach(() => {
  ({ source, cache, path } = cachedLog(folders.make()));
});

function read(capacity = DEFAULT_SETTINGS.capacity, from: LogCache | undefined = cache) {
  const { data, ...bytes } = readLog(path, optionsOf({ capacity }), from);
  return { rows: data.contexts.map(context => [...context.rows]), ...bytes };
}

const packs = () =>
  readdirSync(cache.folder)
    .filter(name => name.endsWith(".pack"))
    .map(name => join(cache.folder, name));
const bytesOf = (files: readonly string[]) => files.reduce((sum, file) => sum + statSync(file).size, 0);

const readFresh = () => read(undefined, new LogCache(join(folders.make(), "cache"))).rows;

describe("a log as a search has found it", () => {
  const found = () => findLogs([path]).logs[0];
  const facts = () => cache.recallFacts(path, found()?.stamp ?? "", optionsOf({ capacity: 2 }));

  beforeEach(async () => {
    await logsSettled();
    read();
  });

  it("is replayed without opening it if it is unchanged since it was read", () => {
    const known = found();
    const rows = read(2).rows;
    rmSync(path);
    const data = replayLog(path, optionsOf({ capacity: 2 }), { cache, found: known }, () => {});
    expect(data.contexts.map(context => [...context.rows])).toEqual(rows);
  });

  it("is not known by its facts where the figures are known", () => {
    expect(cache.recallFacts(path, found()?.stamp ?? "", optionsOf())).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ["has grown", () => append(path, source.take(1))],
    [
      "was written to, and has its size and time",
      () => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, readFileSync(path));
        utimesSync(path, atime, mtime);
      },
    ],
  ])("is opened if it %s", (_, change) => {
    expect(facts()).toBeDefined();
    change();
    expect(facts()).toBeUndefined();
  });

  it("is opened if it was written so shortly before it was read that another write may not show", () => {
    append(path, source.take(1));
    read();
    expect(facts()).toBeUndefined();
    expect(read().taken).toBe(0);
  });
});

describe("after the clock was ahead", () => {
  afterEach(() => vi.restoreAllMocks());

  it("what was written then gives way to what is written now", () => {
    const ahead = Date.now() + 30 * 86_400_000;
    vi.spyOn(Date, "now").mockReturnValue(ahead);
    read();
    vi.restoreAllMocks();
    // Usable as long as there is nothing else.
    cache = new LogCache(cache.folder);
    expect(read().taken).toBe(0);
    append(path, source.take(3));
    expect(read().taken).toBeGreaterThan(0);
    const before = packs();
    cache = new LogCache(cache.folder);
    expect(read().taken).toBe(0);
    expect(packs()).toEqual(before);
  });
});

describe("many packs", () => {
  it("are merged into one, with the newest of each log and nothing else", () => {
    const logs = Array.from({ length: 6 }, (_, at) => join(folders.make(), `${at}.jsonl`));
    for (let round = 0; round < 4; round++) {
      for (path of logs) {
        append(path, source.take(20));
        read();
        expect(packs().length).toBeLessThanOrEqual(17);
      }
    }
    const bytes = bytesOf(packs());
    for (path of logs) {
      expect(read()).toMatchObject({ recalled: statSync(path).size, taken: 0 });
      expect(read().rows).toEqual(readFresh());
      expect(read(2).taken).toBe(0);
      expect(recallFollower(path, optionsOf({ capacity: 2 }), cache)).toBeDefined();
    }
    // Every round has written everything known about each log.
    cache = new LogCache(join(folders.make(), "cache"));
    cache.together(() => {
      for (path of logs) read();
    });
    expect(packs()).toHaveLength(1);
    expect(bytes).toBeLessThan(3 * bytesOf(packs()));
  });

  it("are compacted if most of their content is outdated", () => {
    const [first, other] = [path, join(folders.make(), "other.jsonl")];
    writeFileSync(other, source.take(2));
    cache.together(() => {
      for (path of [first, other]) read();
    });
    const whole = packs();
    path = first;
    append(path, source.take(1));
    read();
    cache.tidy();
    expect(packs()).toHaveLength(2);
    expect(packs()).not.toContain(whole[0]);
    for (path of [first, other]) expect(read().taken).toBe(0);
  });

  it("are found by others that read at the same time, and missed by nobody when they are merged", () => {
    const other = new LogCache(cache.folder);
    expect(other.mayKnow(path)).toBe(false);
    read();
    expect(other.mayKnow(path)).toBe(true);
    other.together(() => {
      for (const file of packs()) rmSync(file);
      expect(withOpenFile(path, file => other.recall(file, path, optionsOf({ capacity: 2 })))).toBeUndefined();
    });
  });
});
