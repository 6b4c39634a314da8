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
import { basename, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { recallFollower, replayLog } from "../../../src/batch/replayLog.js";
import { LogCache } from "../../../src/cache/logCache.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { withOpenFile } from "../../../src/files/openFile.js";
import type { LogData } from "../../../src/inspect/logData.js";
import type { PipelineOptions } from "../../../src/pipeline/logPipeline.js";
import { append, Chance, Folders, LineSource } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

let source = new LineSource(new Chance(0));
let cache = new LogCache("");
let path = "";

beforeEach(() => {
  const folder = folders.make();
  source = new LineSource(new Chance(4));
  cache = new LogCache(join(folder, "cache"));
  path = join(folder, "session.jsonl");
  writeFileSync(path, source.take(300));
});

function optionsOf(settings: Partial<DedupSettings> = {}): PipelineOptions {
  return { settings: { ...DEFAULT_SETTINGS, ...settings }, keepEvents: false, keepDetails: false, keepFacts: false };
}

/** What a reading with the cache gave, how many bytes it recalled, and how many it took from the log. */
function read(settings: Partial<DedupSettings> = {}): { data: LogData; recalled: number; taken: number } {
  const steps: number[] = [];
  const data = replayLog(path, optionsOf(settings), { cache }, bytes => steps.push(bytes));
  const [recalled = 0, ...taken] = steps;
  return { data, recalled, taken: taken.reduce((sum, bytes) => sum + bytes, 0) };
}

/** What makes up a report, as text; the cache does not keep what only a picture needs. */
function figuresOf({ contexts, ...log }: LogData): string {
  const plain = contexts.map(context => ({ ...context, rows: [...context.rows], ids: [], targets: [], marks: [] }));
  return JSON.stringify({ ...log, contexts: plain });
}

function fresh(settings: Partial<DedupSettings> = {}): string {
  return figuresOf(replayLog(path, optionsOf(settings), { cache: undefined }, () => {}));
}

const KINDS = ["log", "facts"] as const;

/** The file with the figures or with the facts. */
function cacheFile(kind: (typeof KINDS)[number] = "log"): string {
  const name = readdirSync(cache.folder).find(one => one.endsWith(`.${kind}`)) ?? "";
  return join(cache.folder, name);
}

describe("a log that was read before", () => {
  it("is not known where it was rewritten while it was read", () => {
    let steps = 0;
    replayLog(path, optionsOf(), { cache }, () => {
      // Longer, so that the place where the reading ended is still there.
      if (++steps === 2) writeFileSync(path, source.take(900));
    });
    expect(steps).toBeGreaterThan(1);
    expect(figuresOf(read().data)).toBe(fresh());
  });

  it("is continued only with what belongs together, where another process has read further meanwhile", () => {
    read();
    append(path, source.take(20));
    withOpenFile(path, file => {
      const known = cache.recall(file, path, optionsOf());
      read();
      expect(known).toBeDefined();
      expect(known?.resumable()).toBeUndefined();
    });
  });

  it("has its sweep over capacities, also where it was first read by somebody who needs none", () => {
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
    const untouched = statSync(cacheFile("facts"));
    for (const other of others) {
      const again = read(other);
      expect(again.taken).toBe(0);
      expect(figuresOf(again.data)).toBe(fresh(other));
    }
    expect(statSync(cacheFile("facts"))).toMatchObject({ ino: untouched.ino, mtimeMs: untouched.mtimeMs });
  });

  it("has its figures under other settings remembered only for who will ask for them again", () => {
    read();
    const known = () => readFileSync(cacheFile());
    const first = known();
    read({ capacity: 3 });
    expect(known().equals(first)).toBe(true);
    replayLog(path, optionsOf({ capacity: 3 }), { cache, keepFigures: true }, () => {});
    expect(known().equals(first)).toBe(false);
    rmSync(cacheFile("facts"));
    expect(read({ capacity: 3 }).taken).toBe(0);
  });

  it("is read again where near-references need its texts", () => {
    read();
    const near = read({ nearRef: true });
    expect(near.taken).toBe(statSync(path).size);
    expect(figuresOf(near.data)).toBe(fresh({ nearRef: true }));
  });

  it("is read anew when it has the same size but was written to", () => {
    read();
    const bytes = readFileSync(path);
    const at = bytes.indexOf('"tool_result"', bytes.length >> 1);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, at), Buffer.from('"tool_RESULT"'), bytes.subarray(at + 13)]));
    const { atime, mtimeMs } = statSync(path);
    utimesSync(path, atime, new Date(mtimeMs + 5));
    expect(read()).toMatchObject({ recalled: 0, taken: bytes.length });
    expect(figuresOf(read().data)).toBe(fresh());
  });

  it("is read anew when another file has its name, size and time", () => {
    read();
    const { atime, mtime, size } = statSync(path);
    writeFileSync(`${path}.new`, readFileSync(path));
    utimesSync(`${path}.new`, atime, mtime);
    utimesSync(path, atime, mtime);
    renameSync(`${path}.new`, path);
    expect(read()).toMatchObject({ recalled: 0, taken: size });
  });

  it("is read anew when it is shorter, or was rewritten and has grown", () => {
    read();
    truncateSync(path, statSync(path).size >> 1);
    expect(read().recalled).toBe(0);
    expect(figuresOf(read().data)).toBe(fresh());
    writeFileSync(path, new LineSource(new Chance(8)).take(700));
    expect(read().recalled).toBe(0);
    expect(figuresOf(read().data)).toBe(fresh());
  });

  it("is remembered under its own path", () => {
    read();
    const first = path;
    path = join(folders.make(), "other.jsonl");
    writeFileSync(path, readFileSync(first));
    expect(read().recalled).toBe(0);
    expect(readdirSync(cache.folder)).toHaveLength(4);
  });
});

describe("what the cache holds", () => {
  /** Whatever stands in the cache file, the figures are right, and the next reading remembers again. */
  function expectHarmless(): void {
    for (const settings of [{}, { capacity: 2 }, {}]) expect(figuresOf(read(settings).data)).toBe(fresh(settings));
  }

  it.each(KINDS)("is thrown away silently when any of its bytes is damaged: %s", kind => {
    read();
    const sound = readFileSync(cacheFile(kind));
    const chance = new Chance(12);
    const places = [0, 20, 47, 48, 63, 64, 71, 72, 75, 80, 88, 96, 104, 111, 112, sound.length - 1];
    for (const at of [...places, ...Array.from({ length: 20 }, () => chance.below(sound.length))]) {
      const damaged = Buffer.from(sound);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << chance.below(8));
      writeFileSync(cacheFile(kind), damaged);
      expectHarmless();
    }
  });

  it.each(KINDS)("is thrown away silently when it claims to be enormous: %s", kind => {
    for (const length of [3e9, 1e300, Number.NaN, -1, 0.5]) {
      for (const part of [64, 80, 96]) {
        read();
        const damaged = readFileSync(cacheFile(kind));
        damaged.writeDoubleLE(length, part);
        writeFileSync(cacheFile(kind), damaged);
        expectHarmless();
      }
    }
  });

  it.each(KINDS)("is thrown away silently when it is cut short: %s", kind => {
    read();
    const sound = readFileSync(cacheFile(kind));
    for (const length of [0, 1, 48, 111, 112, 1000, sound.length >> 1, sound.length - 1]) {
      writeFileSync(cacheFile(kind), sound.subarray(0, length));
      expectHarmless();
    }
  });

  it("is thrown away silently when it is of another version or not ours", () => {
    read();
    const magic = readFileSync(cacheFile()).subarray(0, 48).toString();
    const others = [
      magic.replace(/ \d+ /, " 999 "),
      magic.replace(/ [0-9a-f]{8} /, " another! "),
      magic.replace(/node \d+/, "node 1"),
      magic.toUpperCase(),
    ];
    expect(new Set([magic, ...others]).size).toBe(5);
    for (const other of others) {
      for (const kind of KINDS) {
        const rest = readFileSync(cacheFile(kind)).subarray(48);
        writeFileSync(cacheFile(kind), Buffer.concat([Buffer.from(other.padEnd(48).slice(0, 48)), rest]));
      }
      expect(read().recalled).toBe(0);
    }
    for (const foreign of ["", "%PDF-1.7\n", readFileSync(path)]) {
      for (const kind of KINDS) writeFileSync(cacheFile(kind), foreign);
      expectHarmless();
    }
  });

  it("is of one log: facts of another under its name are not used", () => {
    read();
    const facts = readFileSync(cacheFile("facts"));
    path = join(folders.make(), "other.jsonl");
    writeFileSync(path, source.take(50));
    cache = new LogCache(join(folders.make(), "cache"));
    read();
    writeFileSync(cacheFile("facts"), facts);
    expectHarmless();
  });

  it.skipIf(process.platform === "win32")("is read by its user alone", () => {
    read();
    for (const place of [cache.folder, cacheFile("log"), cacheFile("facts")])
      expect(statSync(place).mode & 0o077).toBe(0);
  });

  it("can be written by nobody where its folder is none", () => {
    cache = new LogCache(join(path, "cache"));
    expectHarmless();
    cache.tidy();
  });

  it("is forgotten a season after it was written; a killed process's leftovers after an hour", () => {
    read();
    const leftover = `${cacheFile()}.123.abc`;
    writeFileSync(leftover, readFileSync(cacheFile()).subarray(0, 100));
    const now = Date.now();
    const kept = (at: number) => {
      cache.tidy(at);
      return readdirSync(cache.folder).filter(name => name !== "tidied");
    };
    expect(kept(now)).toHaveLength(3);
    expect(kept(now + 2 * 3_600_000)).toHaveLength(2);
    expect(kept(now + 91 * 86_400_000)).toEqual([]);
  });

  it("is forgotten where it is too much, the oldest first", () => {
    read();
    const facts = cacheFile("facts");
    utimesSync(facts, 1e9, Date.now() / 1000 - 60);
    cache.tidy(Date.now(), statSync(cacheFile("log")).size + 1);
    expect(readdirSync(cache.folder).filter(name => name !== "tidied")).toEqual([basename(cacheFile("log"))]);
    expectHarmless();
  });

  it("is tidied once an hour", () => {
    read();
    cache.tidy();
    const leftover = `${cacheFile()}.123.abc`;
    writeFileSync(leftover, "");
    utimesSync(leftover, 1e9, 1e9);
    cache.tidy();
    expect(existsSync(leftover)).toBe(true);
    cache.tidy(Date.now() + 2 * 3_600_000);
    expect(existsSync(leftover)).toBe(false);
  });

  it("lets a follower go on, unless the log has changed since", () => {
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

describe("all strategies of a log", () => {
  const all = (settings: Partial<DedupSettings> = {}) => {
    let taken = 0;
    let isFirst = true;
    const data = replayLog(path, { ...optionsOf(settings), strategies: true }, { cache }, bytes => {
      if (!isFirst) taken += bytes;
      isFirst = false;
    });
    return { data, taken };
  };
  const cells = ({ contexts }: LogData) =>
    contexts.map(context => [...(context.strategies ?? []), ...(context.runSizes ?? [])]);

  it("are remembered, and serve those who ask for none", () => {
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
    expect(figuresOf(plain.data)).toBe(fresh());
  });

  it("need the texts again where settings differ or they were not asked for before", () => {
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
