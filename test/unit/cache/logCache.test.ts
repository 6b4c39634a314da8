import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { recallFollower, replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import { withOpenFile } from "../../../src/files/openFile.js";
import type { LogData } from "../../../src/inspect/logData.js";
import { append, Chance, Folders, LineSource } from "../../support/liveLog.js";
import { cachedLog, NO_LOG, optionsOf, readLog } from "./cachedLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

/** Of the version, at both ends of a pack. */
const MAGIC_BYTES = 48;

let { source, cache, path } = NO_LOG;

beforeEach(() => {
  ({ source, cache, path } = cachedLog(folders.make()));
});

function read(settings: Partial<DedupSettings> = {}): ReturnType<typeof readLog> {
  return readLog(path, optionsOf(settings), cache);
}

/** What makes up a report, as text; the cache does not keep what only a picture needs. */
function figuresOf({ contexts, ...log }: LogData): string {
  const plain = contexts.map(context => ({ ...context, rows: [...context.rows], ids: [], targets: [], marks: [] }));
  return JSON.stringify({ ...log, contexts: plain });
}

function fresh(settings: Partial<DedupSettings> = {}): string {
  return figuresOf(replayLog(path, optionsOf(settings), { cache: undefined }, () => {}));
}

const packs = () =>
  readdirSync(cache.folder)
    .filter(name => name.endsWith(".pack"))
    .map(name => join(cache.folder, name));

/** Everything that is cached. */
function pack(): Buffer {
  const [first = "", ...others] = packs();
  expect(others).toEqual([]);
  return readFileSync(first);
}

/** Replaces it with something else. */
function replaceBy(bytes: Uint8Array | string): void {
  for (const file of packs()) rmSync(file);
  writeFileSync(join(cache.folder, "0.pack"), bytes);
  cache = new LogCache(cache.folder);
}

/** Whether the figures of the log are known under some settings. */
function knowsFigures(settings: Partial<DedupSettings>): boolean {
  return withOpenFile(path, file => cache.recall(file, path, optionsOf(settings))?.data !== undefined);
}

describe("a log that was read before", () => {
  it("is not cached if it was rewritten while it was read", () => {
    let steps = 0;
    replayLog(path, optionsOf(), { cache }, () => {
      // Longer, so that the place where reading ended still exists.
      if (++steps === 2) writeFileSync(path, source.take(900));
    });
    expect(steps).toBeGreaterThan(1);
    expect(figuresOf(read().data)).toBe(fresh());
  });

  it("is only continued with matching parts, if another process has read further in the meantime", () => {
    read();
    append(path, source.take(20));
    withOpenFile(path, file => {
      const known = cache.recall(file, path, optionsOf());
      read();
      expect(known).toBeDefined();
      expect(known?.resumable()).toBeUndefined();
    });
  });

  it("has its sweep over capacities, even if it was first read without one", () => {
    replayLog(path, { ...optionsOf(), withoutSweep: true }, { cache }, () => {});
    expect(figuresOf(read().data)).toBe(fresh());
  });

  it("is not read again", () => {
    const { size } = statSync(path);
    expect(read()).toMatchObject({ recalled: 0, taken: size });
    const again = read();
    expect(again).toMatchObject({ recalled: size, taken: 0 });
    expect(figuresOf(again.data)).toBe(fresh());
  });

  it.skipIf(process.platform !== "linux")("is not read again, as the system counts it", () => {
    writeFileSync(path, source.take(12_000));
    const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
    const during = (act: () => void) => {
      const before = bytesRead();
      act();
      return bytesRead() - before;
    };
    const { size } = statSync(path);
    expect(during(() => read())).toBeGreaterThan(size);
    expect(during(() => read())).toBeLessThan(size / 5);
  });

  it("is read from where it ended when it has grown, wherever that was", () => {
    for (const torn of [0, 100, 1]) {
      read();
      const line = source.next();
      append(path, source.take(5), line.subarray(0, torn));
      expect(figuresOf(read().data)).toBe(fresh());
      append(path, line.subarray(torn), source.take(3));
      const before = statSync(path).size;
      const grown = read();
      expect(grown.recalled).toBeGreaterThan(before / 2);
      expect(grown.recalled + grown.taken).toBe(before);
      expect(figuresOf(grown.data)).toBe(fresh());
    }
  });

  it("is not read again for other settings", () => {
    read();
    const others: Partial<DedupSettings>[] = [
      { capacity: 1 },
      { capacity: 20, minBytes: 0 },
      { verbosity: "terse" },
      { invalidates: { Bash: ["Read"] } },
      { runs: false },
      { spanMinBytes: 200 },
    ];
    const untouched = packs();
    for (const other of others) {
      const again = read(other);
      expect(again.taken).toBe(0);
      expect(figuresOf(again.data)).toBe(fresh(other));
    }
    expect(packs()).toEqual(untouched);
  });

  it("has its figures under other settings cached only if they will be requested again", () => {
    read();
    read({ capacity: 3 });
    expect(knowsFigures({ capacity: 3 })).toBe(false);
    expect(knowsFigures({})).toBe(true);
    replayLog(path, optionsOf({ capacity: 3 }), { cache, keepFigures: true }, () => {});
    expect(knowsFigures({ capacity: 3 })).toBe(true);
    expect(read({ capacity: 3 }).taken).toBe(0);
    expect(figuresOf(read({ capacity: 3 }).data)).toBe(fresh({ capacity: 3 }));
  });

  it("is read again if near-references need its texts", () => {
    read();
    const near = read({ nearRef: true });
    expect(near.taken).toBe(statSync(path).size);
    expect(figuresOf(near.data)).toBe(fresh({ nearRef: true }));
  });

  it("is read again when it has the same size but was written to", () => {
    read();
    const bytes = readFileSync(path);
    const at = bytes.indexOf('"tool_result"', bytes.length >> 1);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), Buffer.from('"tool_RESULT"'), bytes.subarray(at + 13)]));
    const { atime, mtimeMs } = statSync(path);
    utimesSync(path, atime, new Date(mtimeMs + 5));
    expect(read()).toMatchObject({ recalled: 0, taken: bytes.length });
    expect(figuresOf(read().data)).toBe(fresh());
  });

  it("is read again when another file has its name, size and time", () => {
    read();
    const { atime, mtime, size } = statSync(path);
    writeFileSync(`${path}.new`, readFileSync(path));
    utimesSync(`${path}.new`, atime, mtime);
    utimesSync(path, atime, mtime);
    renameSync(`${path}.new`, path);
    expect(read()).toMatchObject({ recalled: 0, taken: size });
  });

  it("is read again when it is shorter, or was rewritten and has grown", () => {
    read();
    truncateSync(path, statSync(path).size >> 1);
    expect(read().recalled).toBe(0);
    expect(figuresOf(read().data)).toBe(fresh());
    writeFileSync(path, new LineSource(new Chance(8)).take(700));
    expect(read().recalled).toBe(0);
    expect(figuresOf(read().data)).toBe(fresh());
  });

  it("is cached under its own path", () => {
    read();
    const first = path;
    path = join(folders.make(), "other.jsonl");
    writeFileSync(path, readFileSync(first));
    expect(read().recalled).toBe(0);
    expect(packs()).toHaveLength(2);
  });
});

describe("what the cache holds", () => {
  /** Whatever is in the cache file, the figures are correct, and the next read caches them again. */
  function expectHarmless(): void {
    for (const settings of [{}, { capacity: 2 }, {}]) expect(figuresOf(read(settings).data)).toBe(fresh(settings));
  }

  /** The index is followed by its offset, length and checksum, and the magic bytes. */
  const indexOf = (bytes: Buffer) => {
    const trailer = bytes.length - MAGIC_BYTES - 24;
    const start = bytes.readDoubleLE(trailer);
    return { trailer, index: bytes.subarray(start, start + bytes.readDoubleLE(trailer + 8)) };
  };

  it("is discarded silently when any of its bytes is damaged", () => {
    read();
    const sound = pack();
    const chance = new Chance(12);
    const end = indexOf(sound).index.byteOffset - sound.byteOffset;
    const places = Array.from({ length: (sound.length - end) / 3 }, (_, at) => end + 3 * at);
    const others = Array.from({ length: 30 }, () => chance.below(sound.length));
    for (const at of [0, 20, 47, 48, sound.length - 1, ...places, ...others]) {
      const damaged = Buffer.from(sound);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << chance.below(8));
      replaceBy(damaged);
      expectHarmless();
    }
  });

  it("is discarded silently when it claims to be enormous, or somewhere else", () => {
    read();
    const sound = pack();
    for (const number of [3e9, 1e300, Number.NaN, -1, 0.5]) {
      for (const place of [32, 48, 64, 80]) {
        const damaged = Buffer.from(sound);
        const { trailer, index } = indexOf(damaged);
        index.writeDoubleLE(number, place);
        damaged.writeUInt32LE(crc32(index), trailer + 16);
        replaceBy(damaged);
        expectHarmless();
      }
      for (const place of [0, 8]) {
        const damaged = Buffer.from(sound);
        damaged.writeDoubleLE(number, indexOf(sound).trailer + place);
        replaceBy(damaged);
        expectHarmless();
      }
    }
  });

  it("is discarded silently when it is truncated", () => {
    read();
    const sound = pack();
    for (const length of [0, 1, 48, 71, 72, 1000, sound.length >> 1, sound.length - 1]) {
      replaceBy(sound.subarray(0, length));
      expectHarmless();
    }
  });

  it("is discarded silently when it is of another version or not ours", () => {
    read();
    const sound = pack();
    const magic = sound.subarray(0, MAGIC_BYTES).toString();
    const others = [
      magic.replace(/ \d+ /, " 999 "),
      magic.replace(/ [0-9a-f]{8} /, " another! "),
      magic.replace(/node \d+/, "node 1"),
      magic.toUpperCase(),
    ];
    expect(new Set([magic, ...others]).size).toBe(5);
    for (const other of others) {
      const its = Buffer.from(other.padEnd(MAGIC_BYTES).slice(0, MAGIC_BYTES));
      replaceBy(Buffer.concat([its, sound.subarray(MAGIC_BYTES, -MAGIC_BYTES), its]));
      expect(read().recalled).toBe(0);
    }
    for (const foreign of ["", "%PDF-1.7\n", readFileSync(path)]) {
      replaceBy(foreign);
      expectHarmless();
    }
  });

  it("is of one log: facts of another under its key are not used", () => {
    read();
    const first = pack();
    const key = Buffer.from(indexOf(first).index.subarray(0, 16));
    path = join(folders.make(), "other.jsonl");
    writeFileSync(path, source.take(50));
    cache = new LogCache(join(folders.make(), "cache"));
    read();
    const other = pack();
    const { trailer, index } = indexOf(first);
    indexOf(other).index.copy(index, 0, 0, key.length);
    first.writeUInt32LE(crc32(index), trailer + 16);
    replaceBy(first);
    expect(cache.mayKnow(path)).toBe(true);
    expectHarmless();
  });

  it.skipIf(process.platform === "win32")("can only be read by its user", () => {
    read();
    for (const place of [cache.folder, ...packs()]) expect(statSync(place).mode & 0o077).toBe(0);
  });

  it("cannot be written if its folder is not a folder", () => {
    cache = new LogCache(join(path, "cache"));
    expectHarmless();
    cache.tidy();
  });

  it("is deleted three months after it was written; a killed process's leftovers after an hour", () => {
    read();
    const leftover = `${packs()[0]}.123.abc.tmp`;
    writeFileSync(leftover, pack().subarray(0, 100));
    const now = Date.now();
    const kept = (at: number) => {
      cache.tidy(at);
      return readdirSync(cache.folder).filter(name => name !== "tidied");
    };
    expect(kept(now)).toHaveLength(2);
    expect(kept(now + 2 * 3_600_000)).toHaveLength(1);
    expect(kept(now + 91 * 86_400_000)).toEqual([]);
  });

  it("is deleted if it is too large, the oldest first", () => {
    read();
    const [old = ""] = packs();
    path = join(folders.make(), "other.jsonl");
    writeFileSync(path, source.take(50));
    read();
    const [young = ""] = packs().filter(name => name !== old);
    utimesSync(old, 1e9, Date.now() / 1000 - 60);
    cache.tidy(Date.now(), statSync(young).size + 1);
    expect(packs()).toEqual([young]);
    expectHarmless();
  });

  it("is cleaned up once an hour", () => {
    read();
    cache.tidy();
    const leftover = `${packs()[0]}.123.abc.tmp`;
    writeFileSync(leftover, "");
    utimesSync(leftover, 1e9, 1e9);
    cache.tidy();
    expect(existsSync(leftover)).toBe(true);
    cache.tidy(Date.now() + 2 * 3_600_000);
    expect(existsSync(leftover)).toBe(false);
  });

  it("lets a follower continue, unless the log has changed since", () => {
    expect(recallFollower(path, optionsOf(), cache)).toBeUndefined();
    read();
    const known = recallFollower(path, optionsOf(), cache);
    expect(known?.identity.size).toBe(statSync(path).size);
    expect(recallFollower(path, optionsOf({ nearRef: true }), cache)).toBeUndefined();
    writeFileSync(path, source.take(700));
    expect(recallFollower(path, optionsOf(), cache)).toBeUndefined();
    rmSync(path);
    expect(recallFollower(path, optionsOf(), cache)).toBeUndefined();
  });
});
