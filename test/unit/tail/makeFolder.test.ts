import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFolder } from "../../../src/files/makeFolder.js";
import { built, Place } from "../../support/cli.js";

const place = new Place();
beforeAll(built);
afterAll(() => place.remove());

it("a folder is created with those above it, for its user alone, and the outermost new one is named", () => {
  expect(makeFolder(place.path("a", "b", "c"))).toBe(place.path("a"));
  expect(makeFolder(place.path("a", "b", "d"))).toBe(place.path("a", "b", "d"));
  expect(makeFolder(place.path("a", "b", "c"))).toBeUndefined();
  if (process.platform !== "win32") expect(statSync(place.path("a", "b")).mode & 0o777).toBe(0o700);
});

it("a folder below a file is not created", () => {
  writeFileSync(place.path("file"), "");
  expect(() => makeFolder(join(place.path("file"), "x"))).toThrow("ENOTDIR");
});

const NOWHERE = "/proc/dedup-inspector-nowhere";

it.skipIf(!existsSync("/proc/self"))(
  "where the system knows no new folders, the program fails instead of hanging",
  async () => {
    const run = await place.run(["sample", "--out", "s.jsonl"]);
    expect(run.status).toBe(0);
    expect(await place.run(["export", "s.jsonl", "--format", "csv", "--out", NOWHERE])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(NOWHERE),
    });
    const env = { HOME: NOWHERE, XDG_CACHE_HOME: NOWHERE, XDG_DATA_HOME: NOWHERE };
    expect((await place.run(["hooks", "install", "--yes"], env)).status).toBe(1);
    expect((await place.run(["report", "s.jsonl"], env)).status).toBe(0);
  },
);
