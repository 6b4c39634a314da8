/** What a system does to programs: kills them, runs out of resources, changes files while they are read. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { Chance, LineSource } from "../support/liveLog.js";
import { Logs } from "./logs.js";

beforeAll(built);

const made: Logs[] = [];
function logs(count: number, lines?: number): Logs {
  const one = new Logs(count, lines);
  made.push(one);
  return one;
}
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

/** More in long runs: DEDUP_KILLS=500 npx vitest run test/faults */
const KILLS = Number(process.env["DEDUP_KILLS"] ?? 30);
const LOGS = 20;

describe("a program that is killed", () => {
  it(`leaves nothing wrong behind, wherever it was (${KILLS} times)`, {
    timeout: 300_000 + KILLS * 10_000,
  }, async () => {
    const at = logs(LOGS, 100);
    const truth = await at.report("--no-cache");
    const calls = await at.callsOfReport();
    // Every log is read, and its facts are written.
    expect(calls).toBeGreaterThan(LOGS * 4);
    rmSync(at.cache, { recursive: true });
    const chance = new Chance(7);
    let [killed, halfWritten] = [0, 0];
    for (let kill = 0; kill < KILLS; kill++) {
      // With part of the cache present it has less to do, and sometimes ends before that.
      if (await at.killedReport(1 + chance.below(calls))) killed++;
      const cached = statSync(at.cache, { throwIfNoEntry: false }) ? readdirSync(at.cache, { recursive: true }) : [];
      if (cached.some(name => String(name).endsWith(".tmp"))) halfWritten++;
      // Usually part of a cache is left, sometimes none.
      if (kill % 10 !== 9) continue;
      expect(await at.report()).toBe(truth);
      rmSync(at.cache, { recursive: true });
    }
    expect(killed).toBeGreaterThan(KILLS / 2);
    expect(halfWritten).toBeGreaterThan(0);
    expect(await at.report()).toBe(truth);
    expect(await at.report()).toBe(truth);
  });
});

describe("a disk that is full", () => {
  it("costs the cache, not the report", async () => {
    const at = logs(20);
    const truth = await at.report("--no-cache");
    mkdirSync(at.cache, { recursive: true });
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", at.cache]).status === 0;
    try {
      // If nothing can be mounted, a limit on the file size has the same effect on every write.
      const limits = mounted ? "true" : "ulimit -f 8";
      for (let times = 0; times < 2; times++) {
        expect(await at.reportUnder(limits)).toEqual({ status: 0, stderr: "", stdout: truth });
      }
      if (mounted)
        expect(readdirSync(at.cache, { recursive: true }).filter(name => String(name).endsWith(".tmp"))).toEqual([]);
    } finally {
      if (mounted) spawnSync("umount", [at.cache]);
    }
  });
});

describe("a limit on open files", () => {
  it("that is low changes nothing: few are open at a time", async () => {
    const at = logs(60, 50);
    const truth = await at.report("--no-cache");
    expect(await at.reportUnder("ulimit -n 48")).toEqual({ status: 0, stderr: "", stdout: truth });
  });
});

describe("times that jump", () => {
  it("years back or far ahead change no figure, and nothing wrong is cached", async () => {
    const at = logs(6);
    const truth = await at.report("--no-cache");
    for (const year of [1971, 2100, 2026]) {
      const time = new Date(Date.UTC(year, 1, 1));
      for (const name of readdirSync(at.logs)) utimesSync(join(at.logs, name), time, time);
      expect(await at.report()).toBe(truth);
      expect(await at.report()).toBe(truth);
    }
  });
});

describe("logs that change while they are read", () => {
  it("give a complete report every time, and a correct one once they are stable", async () => {
    const at = logs(12, 600);
    const chance = new Chance(11);
    const source = new LineSource(chance);
    const files = readdirSync(at.logs).map(name => join(at.logs, name));
    let resting = false;
    const disturbing = (async () => {
      while (!resting) {
        disturb(chance.pick(files), chance, source);
        await wait(1);
      }
    })();
    for (let round = 0; round < 8; round++) {
      const { status, stdout, stderr } = await at.reportUnder("true");
      expect(JSON.parse(stdout)).toHaveProperty("totals");
      // A log that disappears after it was found is reported, and so is one that was cut in its first line and then
      // continued, so that it has no other; nothing else may go wrong.
      const others = stderr.replaceAll(/^dedup-inspector: no such file or folder: .*\n/gm, "");
      expect(others.replaceAll(/^dedup-inspector: not a Claude Code log \(no line is JSON\): .*\n/gm, "")).toBe("");
      expect(status).toBe(stderr === others ? 0 : 1);
    }
    resting = true;
    await disturbing;
    expect(await at.report()).toBe(await at.report("--no-cache"));
  });
});

function disturb(file: string, chance: Chance, source: LineSource): void {
  const lines = () => source.take(1 + chance.below(30));
  switch (chance.below(5)) {
    case 0:
      return rmSync(file, { force: true });
    case 1:
      return writeFileSync(file, lines());
    case 2:
      writeFileSync(`${file}.new`, Buffer.concat([lines(), lines()]));
      return renameSync(`${file}.new`, file);
    case 3: {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      return size > 0 ? truncateSync(file, chance.below(size)) : undefined;
    }
    default:
      return appendFileSync(file, lines());
  }
}
