/** A disk that fills up during a write leaves the old file or the new one, never a part of it, and the user is told. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { REPOSITORY } from "../support/replay.js";
import { withSmallDisk } from "../support/smallDisk.js";
import { snapshot } from "../support/snapshot.js";

beforeAll(built);

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

/** Fits in one page of memory; with our hooks it needs two. */
const SETTINGS = `${JSON.stringify({ note: "x".repeat(3600) }, null, 2)}\n`;
const hooks = (...args: string[]) => place.ask(["hooks", ...args, "--yes"]);

describe("on a disk that is nearly full", () => {
  it("settings stay intact, and nothing claims that live hints are on", async context => {
    const config = place.path("home", "config");
    await withSmallDisk(context, config, 8, async () => {
      const file = join(config, "settings.json");
      writeFileSync(file, SETTINGS);
      const { status, stdout, stderr } = await hooks("install");
      expect(status).toBe(1);
      expect(stderr).toContain(`${file}: it could not be written (ENOSPC`);
      expect(stdout).not.toContain("Live hints are on");
      expect(readFileSync(file, "utf8")).toBe(SETTINGS);
      expect(readdirSync(config)).toEqual(["settings.json"]);
      expect(readdirSync(place.path("home", ".local", "share"))).toEqual([]);
      expect((await place.ask(["hooks", "status"])).stdout).toMatch(/^user {5}off/);
    });
  });

  it("live hints stay on, and can be turned off as soon as there is room", async context => {
    const config = place.path("home", "config");
    await withSmallDisk(context, config, 16, async () => {
      const file = join(config, "settings.json");
      writeFileSync(file, SETTINGS);
      expect((await hooks("install")).status).toBe(0);
      const installed = readFileSync(file, "utf8");
      // Two pages for the settings, two for this: nothing is left.
      writeFileSync(join(config, "large"), Buffer.alloc(8192));
      const ours = snapshot(place.path("home", ".local", "share"));
      const another = ["install", "--capacity", "9", "--config-dir", join(config, "another")];
      for (const args of [["uninstall"], another]) {
        const { status, stderr } = await hooks(...args);
        expect([status, stderr]).toEqual([1, expect.stringContaining("ENOSPC")]);
        expect(readFileSync(file, "utf8")).toBe(installed);
      }
      expect(snapshot(place.path("home", ".local", "share"))).toEqual(ours);
      expect(readdirSync(config).sort()).toEqual(["large", "settings.json"]);
      writeFileSync(join(config, "large"), "");
      expect((await hooks("uninstall")).status).toBe(0);
      expect(readFileSync(file, "utf8")).toBe(SETTINGS);
    });
  });

  it("live hints keep the settings that were chosen", async context => {
    const data = place.path("home", ".local", "share");
    await withSmallDisk(context, data, 1024, async () => {
      expect((await hooks("install", "--capacity", "7")).status).toBe(0);
      expect(() => writeFileSync(join(data, "large"), Buffer.alloc(1024 * 1024))).toThrow("ENOSPC");
      const ours = snapshot(data);
      const { status, stderr } = await hooks("install", "--capacity", "9");
      expect([status, stderr]).toEqual([1, expect.stringContaining("ENOSPC")]);
      expect(snapshot(data)).toEqual(ours);
      expect((await place.ask(["hooks", "status"])).stdout).toContain("--capacity=7");
    });
  });

  it("everything or nothing is installed, wherever space runs out", async context => {
    const home = place.path("home");
    const programs = {
      "hookProgram.js": "hookProgram.js",
      "statusProgram.js": "statusProgram.js",
      "hook.js": "hook.js",
      "register.js": "mod/plugin/hooks/register.js",
    };
    const shipped = Object.keys(programs).map(name => readFileSync(join(REPOSITORY, "dist", name)));
    /** In kilobytes; memory comes in pages of 4. */
    const room = shipped.reduce((sum, { length }) => sum + 4 * Math.ceil(length / 4096), 0);
    const statuses: (number | null)[] = [];
    // The mod's three manifests, the chosen settings, the backup and Claude Code's settings: a page each.
    const small = [0, 4, 8, 12, 16, 20];
    // Space for nothing, for some of the programs, for all of them, for more and more of the rest, for everything.
    for (const size of [4, room - 4, ...small.map(more => room + more), room + 64]) {
      await withSmallDisk(context, home, size, async () => {
        const { status, stderr } = await hooks("install");
        statuses.push(status);
        const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
        if (status === 0) {
          const copies = Object.values(programs).map(path =>
            readFileSync(join(home, ".local/share/dedup-inspector", path)),
          );
          expect(copies).toEqual(shipped);
          const settings = readFileSync(join(home, "config", "settings.json"), "utf8");
          expect(JSON.parse(settings)).toHaveProperty("hooks.PreCompact");
          expect(files).toHaveLength(10);
        } else {
          expect([status, stderr]).toEqual([1, expect.stringContaining("ENOSPC")]);
          expect(files).toEqual([]);
        }
      });
    }
    expect(statuses).toEqual([1, 1, ...small.map(() => 1), 0]);
  });

  it.for(["parquet", "ndjson", "csv"])("an export is written completely or not at all: %s", async (format, context) => {
    const out = place.path("disk");
    const args = [
      "export",
      join(REPOSITORY, "media", "sample.jsonl"),
      "--out",
      join(out, "tables"),
      "--format",
      format,
    ];
    // From too small for anything to large enough.
    const statuses: (number | null)[] = [];
    for (const kilobytes of [16, 128, 192, 256, 320, 4096]) {
      await withSmallDisk(context, out, kilobytes, async () => {
        const { status, stderr } = await place.ask(args);
        statuses.push(status);
        if (status !== 0) expect(stderr).toContain("no space left");
        expect(readdirSync(out)).toEqual(status === 0 ? ["tables"] : []);
      });
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([1, 0]);
  });

  it("a sample is written completely or not at all", async context => {
    const out = place.path("out");
    await withSmallDisk(context, out, 8, async () => {
      for (const more of [[], ["--live"]]) {
        const { status, stderr } = await place.ask(["sample", "--out", join(out, "a.jsonl"), ...more], {}, 60_000);
        expect([status, stderr]).toEqual([1, expect.stringContaining("no space left")]);
        expect(readdirSync(out)).toEqual([]);
      }
    });
    expect(existsSync(out)).toBe(true);
  });
});
