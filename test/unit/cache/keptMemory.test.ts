import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, it } from "vitest";
import { replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { Session } from "../../bench/history/session.mjs";
import { Chance } from "../../bench/history/text.mjs";
import { Place } from "../../support/cli.js";

const [FEW, MANY] = [4, 20];
/** Each log takes about 2 MB. */
const TURNS = 20;
/** Of a log's bytes: its rows and names take 1 %; with the texts of its facts, it would be over 4 %. */
const MAX_SHARE = 0.03;
const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: false, keepFacts: false };

const place = new Place();
afterAll(() => place.remove());

it("figures do not keep the texts that are read for the cache in memory", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const paths = Array.from({ length: MANY }, (_, which) => {
    const about = { sessionId: `${which}`, cwd: "/home/ana/work", startedAt: Date.UTC(2026, 0, 5) };
    const session = new Session(new Chance(which + 1), about);
    const turns = Array.from({ length: TURNS }, () => `${session.turn().join("\n")}\n`);
    return place.write(`${which}.jsonl`, turns.join(""));
  });
  const heapBytes = () => {
    // What the first one only makes unreachable, the second one frees.
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const keptOf = (logs: readonly string[]) => {
    const cache = new LogCache(place.path(`cache-${caches++}`));
    const before = heapBytes();
    const data = cache.together(() => logs.map(path => replayLog(path, options, { cache }, () => {})));
    const kept = heapBytes() - before;
    expect(data.every(({ contexts }) => contexts.length > 0)).toBe(true);
    return kept;
  };
  let caches = 0;
  // The first ones also compile.
  for (let warm = 0; warm < 2; warm++) keptOf(paths);
  // The last log is kept in part, however many there are.
  const kept = keptOf(paths) - keptOf(paths.slice(0, FEW));
  const bytes = paths.slice(FEW).reduce((sum, path) => sum + statSync(path).size, 0);
  expect(kept / bytes).toBeLessThan(MAX_SHARE);
});
