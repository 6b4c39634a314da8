/** The key of anonymous exports: tables of different exports only join if all of them use the same one. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { keyOfUser } from "../../../src/export/secrets.js";
import { dataFolder } from "../../../src/files/folders.js";
import { homeIn } from "../../support/cli.js";
import { Folders } from "../../support/liveLog.js";

const folders = new Folders();
afterAll(() => folders.remove());

beforeEach(() => {
  for (const [name, value] of Object.entries(homeIn(folders.make()))) vi.stubEnv(name, value);
  vi.stubEnv("XDG_DATA_HOME", "");
});
afterEach(() => vi.unstubAllEnvs());

it("is the first one if two exports create it at the same time", async () => {
  const making = keyOfUser();
  // It has already seen that there is none.
  mkdirSync(dataFolder(), { recursive: true });
  writeFileSync(join(dataFolder(), "export.key"), `${"7".repeat(64)}\n`);
  const key = await making;
  expect(key.toString()).toBe("7".repeat(64));
  expect(await keyOfUser()).toEqual(key);
  expect(readdirSync(dataFolder())).toEqual(["export.key"]);
});

it("is the same for all exports that create it at the same time", async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => keyOfUser()));
  expect(new Set(keys.map(String)).size).toBe(1);
});
