import { mkdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { defaultRoots } from "../../../src/tail/discover.js";
import { SeenPlaces } from "../../../src/tail/seenPlaces.js";
import { Place } from "../../support/cli.js";

const place = new Place();
afterAll(() => place.remove());

describe("Claude Code's own folders", () => {
  const folderIn = (name: string) => {
    mkdirSync(place.path(name, ".claude", "projects"), { recursive: true });
    return place.path(name, ".claude", "projects");
  };
  const [profile, home] = [folderIn("profile"), folderIn("home")];
  const env = { USERPROFILE: place.path("profile"), HOME: place.path("home") };

  it("are in the user's profile on Windows, whatever HOME is, and in the home elsewhere", () => {
    expect(defaultRoots(env, "win32")).toEqual([profile]);
    for (const platform of ["linux", "darwin"] as const) expect(defaultRoots(env, platform)).toEqual([home]);
  });

  it("are where Claude Code was told to keep them", () => {
    const elsewhere = { ...env, CLAUDE_CONFIG_DIR: place.path("home", ".claude") };
    expect(defaultRoots(elsewhere, "win32")).toEqual([home]);
  });
});

describe("a place met twice", () => {
  it("is told by device and number", () => {
    const seen = new SeenPlaces();
    const visits = [
      { dev: 1n, ino: 7n },
      { dev: 2n, ino: 7n },
      { dev: 1n, ino: 7n },
    ];
    expect(visits.map(visit => seen.isNew(visit))).toEqual([true, true, false]);
  });

  it("is not taken for its neighbour where numbers have 64 bits, as on Windows", () => {
    const seen = new SeenPlaces();
    const number = (57n << 48n) + 120_448n;
    expect(Number(number)).toBe(Number(number + 1n));
    expect([number, number + 1n].map(ino => seen.isNew({ dev: 1n, ino }))).toEqual([true, true]);
  });

  it("cannot be told where the file system gives no numbers", () => {
    const seen = new SeenPlaces();
    expect([0n, 0n].map(ino => seen.isNew({ dev: 1n, ino }))).toEqual([true, true]);
  });
});
