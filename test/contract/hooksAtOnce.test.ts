/** Several changes to the same settings file at the same moment: each is made, or repeated, and none undoes another. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { dataFolder } from "../../src/files/folders.js";
import { readBackup } from "../../src/hook/install/backup.js";
import {
  ChangedMeanwhile,
  install,
  openDoors,
  planInstall,
  planStatusLine,
  planUninstall,
  uninstall,
} from "../../src/hook/install/installer.js";
import { chosenSettings, updateSettings } from "../../src/hook/install/ownCopies.js";
import { inTurn } from "../../src/hook/install/turns.js";
import { type LiveSettings, NO_CHOICES } from "../../src/settings/liveSettings.js";
import { built, homeIn, Place } from "../support/cli.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

beforeAll(built);

const THEIRS = '{ "theirs": true }\n';
const shipped = join(REPOSITORY, "dist", "hook.js");

let place: Place;
let file: string;
beforeEach(() => {
  place = new Place();
  for (const [name, value] of Object.entries(homeIn(place.path("home")))) vi.stubEnv(name, value);
  file = place.write(join("home", "config", "settings.json"), THEIRS);
});
afterEach(() => {
  vi.unstubAllEnvs();
  place.remove();
});

const saying = (said: object) => (chosen: LiveSettings) => ({ ...chosen, ...said });
const lock = () => join(dataFolder(), "changing.lock");

it("the second of two installations does not undo the first", async () => {
  const [hints, line] = [planInstall(file), planStatusLine(file)];
  const results = await Promise.allSettled([install(hints, shipped, saying({})), install(line, shipped)]);
  expect(results).toMatchObject([{ status: "fulfilled" }, { reason: expect.any(ChangedMeanwhile) }]);
  expect(openDoors(file)).toEqual({ mod: true, hooks: true });
  expect(readBackup(file)?.before).toBe(THEIRS);
  for (const name of ["hook.js", "hookProgram.js", "liveHints.json"])
    expect(existsSync(join(dataFolder(), name))).toBe(true);
  await uninstall(planUninstall(file));
  expect(filesUnder(place.path("home"))).toEqual([file]);
  expect(readFileSync(file, "utf8")).toBe(THEIRS);
});

it("turning hints off waits for turning them on, and finds all of it", async () => {
  await install(planInstall(file), shipped, saying({}));
  const [off, again] = [planUninstall(file), planInstall(file)];
  await Promise.all([install(again, shipped, saying({})), uninstall(off)]);
  expect(filesUnder(place.path("home"))).toEqual([file]);
  expect(readFileSync(file, "utf8")).toBe(THEIRS);
});

it("settings from the command line and from VS Code do not replace each other", async () => {
  await install(planInstall(file), shipped, saying({}));
  const again = planInstall(file);
  await Promise.all([
    updateSettings(saying({ vscode: { capacity: 7 } })),
    install(again, shipped, saying({ commandLine: { minBytes: 300 } })),
    updateSettings(saying({ vscode: { capacity: 8 } })),
  ]);
  expect(chosenSettings()).toMatchObject({ vscode: { capacity: 8 }, commandLine: { minBytes: 300 } });
});

it("settings are not created for hints that are off", async () => {
  await updateSettings(saying({}));
  expect(existsSync(dataFolder())).toBe(false);
  await updateSettings(saying({}), NO_CHOICES);
  expect(chosenSettings()).toEqual(NO_CHOICES);
});

it("commands at the same moment all succeed", async () => {
  const commands = [
    ["hooks", "install"],
    ["statusline", "install"],
    ["hooks", "install"],
    ["hooks", "install"],
  ];
  const runs = await Promise.all(commands.map(command => place.run([...command, "--yes"])));
  expect(runs.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
  expect(openDoors(file)).toEqual({ mod: true, hooks: true });
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ theirs: true, statusLine: { type: "command" } });
  for (const command of ["hooks", "statusline"]) {
    expect((await place.run([command, "uninstall", "--yes"])).status).toBe(0);
  }
  expect(filesUnder(place.path("home"))).toEqual([file]);
  expect(readFileSync(file, "utf8")).toBe(THEIRS);
});

it.each([
  ["by a process that was killed", () => `dedup-inspector changes settings, ${hostname()} ${deadProcess()} x\n`],
  ["before its text was written, long ago", () => ""],
])("a lock that was left behind %s holds nobody up", async (_, text) => {
  mkdirSync(dataFolder(), { recursive: true });
  writeFileSync(lock(), text());
  if (text() === "") utimesSync(lock(), 1e9, 1e9);
  await install(planInstall(file), shipped, saying({}));
  await uninstall(planUninstall(file));
  expect(existsSync(dataFolder())).toBe(false);
});

it("whoever fails gives the next one its turn", async () => {
  await expect(inTurn(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await inTurn(async () => existsSync(lock()))).toBe(true);
  expect(existsSync(dataFolder())).toBe(false);
});

/** A process that has ended: no other has its pid yet. */
function deadProcess(): number {
  return spawnSync(process.execPath, ["-e", "0"]).pid;
}
