/** Permissions that are lost and regained. Root may read everything, so these tests run as nobody. */
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { Engine } from "../../../src/engine/engine.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { findLogs } from "../../../src/tail/discover.js";
import { append, Chance, Folders, LIVE_OPTIONS, LineSource, Listener } from "../../support/liveLog.js";
import { until } from "./watched.js";

const NOBODY = 65534;
const folders = new Folders();
const isRoot = process.geteuid?.() === 0;

/** Windows has no such permissions, and a thread cannot change its user. */
const skips = process.geteuid === undefined || (isRoot && process.seteuid === undefined);
if (skips) console.log("skipped: lost permissions (they cannot be taken away from this process)");

describe.skipIf(skips)("without read permission", () => {
  let folder = "";
  let path = "";
  const source = new LineSource(new Chance(9));

  beforeEach(() => {
    folder = folders.make();
    chmodSync(folder, 0o777);
    path = join(folder, "session.jsonl");
    if (isRoot) process.seteuid?.(NOBODY);
    writeFileSync(path, source.take(60));
  });

  afterEach(() => {
    if (isRoot) process.seteuid?.(0);
  });

  afterAll(() => folders.remove());

  it("a log is reported as unreadable, and continues where it stopped once permission is back", () => {
    const listener = new Listener(path);
    listener.look();
    chmodSync(path, 0);
    expect([listener.look(), listener.follower.problem]).toEqual(["unreadable", `no permission to read: ${path}`]);
    chmodSync(path, 0o600);
    expect(listener.look()).toBe("same");
    append(path, source.take(20));
    expect(listener.look()).toBe("grown");
    expect(listener.restarts).toBe(0);
    expect(listener.told).toEqual(listener.expected());
  });

  it("a selected session says so, as long as it lasts", async () => {
    const problems: (readonly string[])[] = [];
    const engine = new Engine(message => {
      if (message.type !== "page") return;
      const { message: told } = message;
      if (told.type === "snapshot") problems.push(told.state.problems);
      else if (told.type === "delta" && told.delta.problems !== undefined) problems.push(told.delta.problems);
    });
    const place = { place: "browser", workspace: [], axis: "order", useCache: false } as const;
    const config = { ...place, roots: [folder], settings: DEFAULT_SETTINGS, figures: DEFAULT_FIGURES };
    engine.take({ type: "configure", config });
    engine.take({ type: "page", panel: 1, message: { type: "ready" } });
    const shows = (wanted: string) => until(() => problems.at(-1)?.join() === wanted, `the problems to be "${wanted}"`);
    await shows("");
    chmodSync(path, 0);
    utimesSync(path, new Date(), new Date());
    await shows(`no permission to read: ${path}`);
    chmodSync(path, 0o600);
    await shows("");
    await engine.stop();
  });

  it("a folder is one plain line, and its neighbours are found", () => {
    const closed = join(folder, "closed");
    mkdirSync(closed);
    writeFileSync(join(closed, "other.jsonl"), source.take(2));
    chmodSync(closed, 0);
    const found = findLogs([folder]);
    const alone = findLogs([closed]);
    chmodSync(closed, 0o700);
    expect([alone.isUsable, alone.problems]).toEqual([false, found.problems]);
    expect(found.logs.map(log => log.path)).toEqual([path]);
    expect(found.problems).toEqual([`no permission to read: ${closed}`]);
    expect(found.isUsable).toBe(true);
  });

  it("a cache folder that cannot be written, or even read, costs nothing but time", () => {
    const cacheFolder = join(folder, "cache");
    mkdirSync(cacheFolder);
    for (const mode of [0o500, 0]) {
      chmodSync(cacheFolder, mode);
      const cache = new LogCache(cacheFolder);
      const read = () => replayLog(path, LIVE_OPTIONS, { cache }, () => {});
      expect(read().lines).toBe(60);
      expect(read()).toEqual(replayLog(path, LIVE_OPTIONS, { cache: undefined }, () => {}));
      cache.tidy();
    }
    chmodSync(cacheFolder, 0o700);
  });
});
