/** `hooks restore`, and a settings file that somebody else changes at the same time. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { backupOf } from "../../src/hook/install/backup.js";
import { install, planInstall, planUninstall, uninstall } from "../../src/hook/install/installer.js";
import type { LiveSettings } from "../../src/settings/liveSettings.js";
import { built, homeIn, Place } from "../support/cli.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";
import { snapshot } from "../support/snapshot.js";

beforeAll(built);

const THEIRS = '{\n  "model": "opus",\n  "hooks": {}\n}\n';
let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(place.path("home", "config"), { recursive: true });
  // For code that runs in this process: the same folders as for the program.
  for (const [name, value] of Object.entries(homeIn(place.path("home")))) vi.stubEnv(name, value);
  vi.stubEnv("XDG_DATA_HOME", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  place.remove();
});

const file = () => place.path("home", "config", "settings.json");
const hooks = (...args: string[]) => place.ask(["hooks", ...args]);

describe("a settings file that is broken", () => {
  async function broken(before: string | undefined, length: number): Promise<void> {
    if (before !== undefined) writeFileSync(file(), before);
    await hooks("install", "--yes");
    truncateSync(file(), length);
  }

  it.each([0, 1, 40])("is restored as it was, and the broken one is kept: cut at %i bytes", async length => {
    await broken(THEIRS, length);
    const cut = readFileSync(file());
    for (const action of ["install", "uninstall", "status"]) {
      const { status, stderr } = await hooks(action, ...(action === "status" ? [] : ["--yes"]));
      expect([status, stderr]).toEqual([1, expect.stringContaining("hooks restore brings back the file")]);
      expect(readFileSync(file())).toEqual(cut);
    }
    const { status, stdout } = await hooks("restore", "--yes");
    expect([status, stdout]).toEqual([0, expect.stringContaining(`The broken file was kept as ${file()}.broken`)]);
    expect(stdout).toContain('+   "hooks": {}');
    expect(readFileSync(file(), "utf8")).toBe(THEIRS);
    expect(readFileSync(`${file()}.broken`)).toEqual(cut);
    // Live hints are off, and nothing else is left.
    expect(filesUnder(place.path("home"))).toEqual([file(), `${file()}.broken`]);
  });

  it("is restored from a backup of 1.0.0", async () => {
    await broken(THEIRS, 9);
    const backup = JSON.parse(readFileSync(backupOf(file()), "utf8"));
    writeFileSync(backupOf(file()), JSON.stringify({ ...backup, wrote: backup.wrote[0] }));
    expect((await hooks("restore", "--yes")).status).toBe(0);
    expect(readFileSync(file(), "utf8")).toBe(THEIRS);
  });

  it("is restored if it is not UTF-8, or its hooks do not have the right structure", async () => {
    for (const wrong of [Buffer.from('{"a":"\xe9"}', "latin1"), Buffer.from('{"hooks": 3}')]) {
      await broken(THEIRS, 0);
      writeFileSync(file(), wrong);
      const { stdout } = await hooks("restore", "--yes");
      const kept = /The broken file was kept as (.*)/.exec(stdout)?.[1] ?? "";
      expect(readFileSync(kept)).toEqual(wrong);
      expect(readFileSync(file(), "utf8")).toBe(THEIRS);
    }
    // The first one is not overwritten by the second.
    expect(readdirSync(place.path("home", "config")).sort()).toEqual([
      "settings.json",
      "settings.json.broken",
      "settings.json.broken-2",
    ]);
  });

  it("is removed if there was none before", async () => {
    await broken(undefined, 20);
    expect((await hooks("restore", "--yes")).status).toBe(0);
    expect(filesUnder(place.path("home"))).toEqual([`${file()}.broken`]);
  });

  it("is restored if it is gone", async () => {
    await broken(THEIRS, 0);
    rmSync(file());
    expect((await hooks("restore", "--yes")).status).toBe(0);
    expect(filesUnder(place.path("home"))).toEqual([file()]);
    expect(readFileSync(file(), "utf8")).toBe(THEIRS);
  });

  it("is not restored without asking, nor without a backup, nor in place of a valid one", async () => {
    await broken(THEIRS, 9);
    const before = snapshot(place.folder);
    expect(await hooks("restore")).toMatchObject({ status: 2, stderr: expect.stringContaining("use --yes") });
    expect(snapshot(place.folder)).toEqual(before);
    writeFileSync(file(), '{"mine": 1}');
    expect(await hooks("restore", "--yes")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("it is not broken"),
    });
    expect(readFileSync(file(), "utf8")).toBe('{"mine": 1}');
    const other = place.path("other");
    place.write("other/settings.json", "{");
    expect(await hooks("restore", "--yes", "--config-dir", other)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("there is no backup of it"),
    });
    expect(readFileSync(join(other, "settings.json"), "utf8")).toBe("{");
  });
});

describe("a settings file that changes between showing and writing", () => {
  const shipped = join(REPOSITORY, "dist", "hook.js");
  const theirs = '{"theirs": true}';
  const same = (chosen: LiveSettings) => chosen;

  it.each<[string, (act: () => Promise<unknown>, change: () => void) => Promise<unknown>]>([
    [
      "before anything is written",
      async (act, change) => {
        change();
        return act();
      },
    ],
    // Writing has begun a few promises later, and nothing has its final name before the system's first answer.
    [
      "while the new one is written",
      async (act, change) => {
        const acting = act();
        for (let promise = 0; promise < 10; promise++) await Promise.resolve();
        change();
        return acting;
      },
    ],
  ])("is then left unchanged: %s", async (_, at) => {
    writeFileSync(file(), THEIRS);
    const installing = planInstall(file());
    await expect(
      at(
        () => install(installing, shipped, same),
        () => writeFileSync(file(), theirs),
      ),
    ).rejects.toThrow("has changed in the meantime; nothing was written");
    expect(filesUnder(place.path("home"))).toEqual([file()]);
    expect(readFileSync(file(), "utf8")).toBe(theirs);

    await install(planInstall(file()), shipped, same);
    const uninstalling = planUninstall(file());
    await expect(
      at(
        () => uninstall(uninstalling),
        () => writeFileSync(file(), THEIRS),
      ),
    ).rejects.toThrow("in the meantime");
    expect(readFileSync(file(), "utf8")).toBe(THEIRS);
    expect(existsSync(backupOf(file()))).toBe(true);
  });
});
