/** A lock such as the one with which only one window at a time reads the whole history. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type LockOptions, takeLock } from "../../../src/files/lock.js";
import { Folders } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

const FAST = { tryAgainMs: 1 };
let folder = "";
let path = "";
beforeEach(() => {
  folder = join(folders.make(), "cache");
  path = join(folder, "reading.lock");
});

const lockReading = (within: string, signal: AbortSignal, options: LockOptions) =>
  takeLock({ folder: within, name: "reading.lock", purpose: "reads" }, signal, options);

const never = () => new AbortController().signal;

/** A process that has ended: no other has its pid yet. */
function deadProcess(): number {
  return spawnSync(process.execPath, ["-e", "0"]).pid;
}

describe("the lock on reading everything", () => {
  it("is held by one at a time, and leaves no trace", async () => {
    const order: string[] = [];
    const first = await lockReading(folder, never(), FAST);
    const second = lockReading(folder, never(), FAST).then(release => {
      order.push("second");
      release?.();
    });
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setTimeout(resolve, 1));
    order.push("first is done");
    first?.();
    await second;
    expect(order).toEqual(["first is done", "second"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is taken over from a process that has died", async () => {
    const dead = await lockReading(folder, never(), { ...FAST, pid: deadProcess() });
    const release = await lockReading(folder, never(), FAST);
    expect(readFileSync(path, "utf8")).toContain(` ${process.pid} `);
    // Whatever the dead one would still do does not affect another's lock.
    dead?.();
    expect(existsSync(path)).toBe(true);
    release?.();
    expect(existsSync(path)).toBe(false);
  });

  it("is taken over from a process that has not renewed it for half a minute, even if its pid is in use", async () => {
    await lockReading(folder, never(), FAST);
    utimesSync(path, Date.now() / 1000 - 31, Date.now() / 1000 - 31);
    const release = await lockReading(folder, never(), FAST);
    expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(20_000);
    release?.();
  });

  it("is not taken from a process on another machine that may be alive", async () => {
    mkdirSync(folder);
    writeFileSync(path, `dedup-inspector reads, elsewhere ${deadProcess()} x\n`);
    const abort = new AbortController();
    const waiting = lockReading(folder, abort.signal, FAST);
    setTimeout(() => abort.abort(), 50);
    expect(await waiting).toBeUndefined();
    expect(readFileSync(path, "utf8")).toContain("elsewhere");
  });

  it("is not waited for any longer than needed", async () => {
    await lockReading(folder, never(), FAST);
    expect(await lockReading(folder, AbortSignal.abort(), FAST)).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ["a folder", () => mkdirSync(join(path, "full"), { recursive: true })],
    ["a link to nowhere", () => symlinkSync(join(folder, "nowhere"), path)],
    [
      "a file of somebody else's, long ago",
      () => {
        writeFileSync(path, "theirs");
        utimesSync(path, 1e9, 1e9);
      },
    ],
  ])("does not prevent reading if there is %s in its place, which stays", async (_, make) => {
    mkdirSync(folder);
    make();
    const before = readdirSync(folder);
    const release = await lockReading(folder, never(), FAST);
    expect(release).toBeDefined();
    release?.();
    expect(readdirSync(folder)).toEqual(before);
  });

  it("does not prevent reading if there is no folder for it", async () => {
    writeFileSync(folder, "a file");
    const release = await lockReading(folder, never(), FAST);
    expect(release).toBeDefined();
    expect(() => release?.()).not.toThrow();
  });

  it.skipIf(process.platform === "win32")("is accessible only to its user", async () => {
    const release = await lockReading(folder, never(), FAST);
    expect(statSync(path).mode & 0o077).toBe(0);
    release?.();
  });
});
