import { mkdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { defaultRoots } from "../../../src/tail/discover.js";
import { SeenPlaces } from "../../../src/tail/seenPlaces.js";
import { Place } from "../../support/cli.js";

const place = new Place();
afterAll(() => place.remove());

it("Claude Code's own folders are those that exist", () => {
  const projects = place.path("home", ".claude", "projects");
  mkdirSync(projects, { recursive: true });
  expect(defaultRoots({ env: { HOME: place.path("home") }, platform: "linux" })).toEqual([projects]);
  expect(defaultRoots({ env: { HOME: place.path("nobody") }, platform: "linux" })).toEqual([]);
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
