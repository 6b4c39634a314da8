import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import type { LogData } from "../../../src/inspect/logData.js";
import { Folders } from "../../support/liveLog.js";
import { cachedLog, NO_LOG, optionsOf, readLog } from "./cachedLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

let { source, cache, path } = NO_LOG;

beforeEach(() => {
  ({ source, cache, path } = cachedLog(folders.make()));
});

function read(settings: Partial<DedupSettings> = {}, from: LogCache | undefined = cache, strategies = false) {
  return readLog(path, { ...optionsOf(settings), strategies }, from);
}

describe("all strategies of a log", () => {
  const all = (settings: Partial<DedupSettings> = {}) => read(settings, cache, true);
  const cells = ({ contexts }: LogData) =>
    contexts.map(context => [...(context.strategies ?? []), ...(context.runSizes ?? [])]);

  it("are cached, and also serve requests without strategies", () => {
    const { size } = statSync(path);
    const whole = all();
    expect(whole.taken).toBe(size);
    expect(
      cells(whole.data)
        .flat()
        .some(cell => cell > 0),
    ).toBe(true);
    const again = all();
    expect(again.taken).toBe(0);
    expect(cells(again.data)).toEqual(cells(whole.data));
    const plain = read();
    expect(plain.taken).toBe(0);
    expect(plain.data).toEqual(read({}, new LogCache(join(folders.make(), "cache"))).data);
  });

  it("need the texts again if settings differ or they were not requested before", () => {
    const { size } = statSync(path);
    read();
    expect(all().taken).toBe(size);
    expect(all({ spanMinBytes: 300 }).taken).toBe(size);
    writeFileSync(path, source.take(20), { flag: "a" });
    const grown = all({ spanMinBytes: 300 });
    expect(grown.taken).toBe(statSync(path).size);
    const options = { ...optionsOf({ spanMinBytes: 300 }), strategies: true };
    expect(cells(grown.data)).toEqual(cells(replayLog(path, options, { cache: undefined }, () => {})));
    // Facts that were kept on the way serve other settings without the bytes.
    expect(read({ capacity: 2 }).taken).toBe(0);
  });
});
