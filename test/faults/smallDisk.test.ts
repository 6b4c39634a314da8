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

/** One page of memory with room to spare; with our hooks it needs two. */
const SETTINGS = `${JSON.stringify({ note: "x".repeat(3600) }, null, 2)}\n`;
const hooks = (...args: string[]) => place.run(["hooks", ...args, "--yes"]);

describe("on a disk that is nearly full", () => {
  it("settings stay whole, and nobody is told that live hints are on", async context => {
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
      expect((await hooks("status")).stdout).toMatch(/^user {5}off/);
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
      const backups = snapshot(place.path("home", ".local", "share"));
      for (const args of [["uninstall"], ["install", "--capacity", "9"]]) {
        const { status, stderr } = await hooks(...args);
        expect([status, stderr]).toEqual([1, expect.stringContaining("ENOSPC")]);
        expect(readFileSync(file, "utf8")).toBe(installed);
      }
      expect(snapshot(place.path("home", ".local", "share")).length).toBe(backups.length);
      writeFileSync(join(config, "large"), "");
      expect((await hooks("uninstall")).status).toBe(0);
      expect(readFileSync(file, "utf8")).toBe(SETTINGS);
    });
  });

  it("everything or nothing is installed, wherever the room ends", async context => {
    const home = place.path("home");
    const programs = ["hookProgram.js", "statusProgram.js", "hook.js"];
    const shipped = programs.map(name => readFileSync(join(REPOSITORY, "dist", name)));
    /** In kilobytes; memory comes in pages of 4. */
    const room = shipped.reduce((sum, { length }) => sum + 4 * Math.ceil(length / 4096), 0);
    const statuses: (number | null)[] = [];
    // Room for nothing, for all programs but one, for all, for the backup too, for everything.
    for (const size of [4, room - 4, room, room + 4, room + 8, room + 64]) {
      await withSmallDisk(context, home, size, async () => {
        const { status, stderr } = await hooks("install");
        statuses.push(status);
        const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
        if (status === 0) {
          const copies = programs.map(name => readFileSync(join(home, ".local/share/dedup-inspector", name)));
          expect(copies).toEqual(shipped);
          const settings = readFileSync(join(home, "config", "settings.json"), "utf8");
          expect(JSON.parse(settings)).toHaveProperty("hooks.PreCompact");
          expect(files).toHaveLength(5);
        } else {
          expect([status, stderr]).toEqual([1, expect.stringContaining("ENOSPC")]);
          expect(files).toEqual([]);
        }
      });
    }
    expect([statuses.slice(0, 3), statuses.at(-1)]).toEqual([[1, 1, 1], 0]);
  });

  it("a sample is written whole or not at all", async context => {
    const out = place.path("out");
    await withSmallDisk(context, out, 8, async () => {
      for (const more of [[], ["--live"]]) {
        const { status, stderr } = await place.run(["sample", "--out", join(out, "a.jsonl"), ...more], {}, 60_000);
        expect([status, stderr]).toEqual([1, expect.stringContaining("no space left")]);
        expect(readdirSync(out)).toEqual([]);
      }
    });
    expect(existsSync(out)).toBe(true);
  });
});
