/** Where files are kept, on each system and in any environment: always an absolute path, or a clear refusal. */
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { isAbsolute, join, posix, win32 } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cacheFolder, claudeFolders, claudeLogFolders, dataFolder, withRealPaths } from "../../../src/files/folders.js";
import { Place } from "../../support/cli.js";

const place = new Place();
afterAll(() => place.remove());

const account = userInfo().homedir;
const on = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv) => ({ platform, env });

describe("a folder of ours", () => {
  it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string, string]>([
    ["linux", { HOME: "/h" }, "/h/.cache/dedup-inspector", "/h/.local/share/dedup-inspector"],
    ["linux", { HOME: "/h", XDG_CACHE_HOME: "/c", XDG_DATA_HOME: "/d" }, "/c/dedup-inspector", "/d/dedup-inspector"],
    ["darwin", { HOME: "/h" }, "/h/Library/Caches/dedup-inspector", "/h/Library/Application Support/dedup-inspector"],
    ["win32", { LOCALAPPDATA: "C:\\L" }, "C:\\L\\dedup-inspector\\Cache", "C:\\L\\dedup-inspector\\Data"],
    [
      "win32",
      { USERPROFILE: "C:\\ana", HOME: "D:\\msys" },
      "C:\\ana\\AppData\\Local\\dedup-inspector\\Cache",
      "C:\\ana\\AppData\\Local\\dedup-inspector\\Data",
    ],
  ])("on %s with %j", (platform, env, cache, data) => {
    expect([cacheFolder(on(platform, env)), dataFolder(on(platform, env))]).toEqual([cache, data]);
  });

  const values = [undefined, "", ".", "relative/path", " "];
  it.skipIf(process.platform === "win32").each(values)("is absolute if variables are %j", value => {
    const env = { HOME: value, XDG_CACHE_HOME: value, XDG_DATA_HOME: value };
    expect(cacheFolder(on("linux", env))).toBe(`${account}/.cache/dedup-inspector`);
    expect(dataFolder(on("linux", env))).toBe(`${account}/.local/share/dedup-inspector`);
    for (const name of ["XDG_CACHE_HOME", "XDG_DATA_HOME"])
      expect(cacheFolder(on("linux", { HOME: "/h", [name]: value }))).toBe("/h/.cache/dedup-inspector");
    for (const folder of [cacheFolder, dataFolder]) expect(isAbsolute(folder(on("darwin", env)))).toBe(true);
    const windows = { LOCALAPPDATA: value, USERPROFILE: "C:\\ana" };
    expect(win32.isAbsolute(dataFolder(on("win32", windows)))).toBe(true);
  });
});

describe("Claude Code's own folder", () => {
  it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ["linux", { HOME: "/h", USERPROFILE: "/p" }, "/h/.claude"],
    ["darwin", { HOME: "/h" }, "/h/.claude"],
    // Claude Code ignores the HOME that Git Bash sets.
    ["win32", { HOME: "D:\\msys", USERPROFILE: "C:\\ana" }, "C:\\ana\\.claude"],
    ["linux", { HOME: "/h", CLAUDE_CONFIG_DIR: "/c" }, "/c"],
    ["linux", { HOME: "/h", CLAUDE_CONFIG_DIR: "" }, "/h/.claude"],
    [process.platform, { HOME: "" }, join(account, ".claude")],
    // One name with a comma in it, of a folder that does not exist yet.
    ["linux", { CLAUDE_CONFIG_DIR: "/nowhere/a,b/.claude" }, "/nowhere/a,b/.claude"],
    ["linux", { CLAUDE_CONFIG_DIR: "/e\u0301" }, "/\u00e9"],
  ])("is the same for installing and for reading, on %s with %j", (platform, env, folder) => {
    const system = on(platform, env);
    expect(claudeFolders(system)).toEqual([folder]);
    if (!folder.includes(",") && folder !== "/\u00e9")
      expect(claudeLogFolders(system)[0]).toBe((platform === "win32" ? win32 : posix).join(folder, "projects"));
  });

  // Their paths are those of this machine.
  const unixOnly = it.skipIf(process.platform === "win32");

  unixOnly("may be a list: logs are read from all of it, and settings are in each folder that is there", () => {
    const [none, one, two] = [place.path("none"), place.path("one"), place.path("two")];
    for (const folder of [one, two]) mkdirSync(folder, { recursive: true });
    const list = on("linux", { CLAUDE_CONFIG_DIR: `${none}, ${one}, ${two},` });
    expect(claudeLogFolders(list)).toEqual([`${none}/projects`, `${one}/projects`, `${two}/projects`]);
    expect(claudeFolders(list)).toEqual([one, two]);
  });

  unixOnly("may have a comma in its name, for both", () => {
    const folder = place.path("with, comma");
    mkdirSync(folder);
    mkdirSync(place.path("with"), { recursive: true });
    const system = on("linux", { CLAUDE_CONFIG_DIR: folder });
    expect([claudeFolders(system), claudeLogFolders(system)]).toEqual([[folder], [`${folder}/projects`]]);
  });

  it("is not taken from the current folder", () => {
    expect(() => claudeFolders(on("linux", { CLAUDE_CONFIG_DIR: ".claude" }))).toThrow("not an absolute path: .claude");
    for (const folder of claudeLogFolders(on("linux", { CLAUDE_CONFIG_DIR: "logs" })))
      expect(isAbsolute(folder)).toBe(true);
  });
});

it("an open folder has the name by which it was opened, and the one that programs in it see", () => {
  const folder = realpathSync.native(place.folder);
  mkdirSync(join(folder, "real", "app"), { recursive: true });
  symlinkSync(join(folder, "real"), join(folder, "linked"), "junction");
  const [real, linked, gone] = [join(folder, "real", "app"), join(folder, "linked", "app"), join(folder, "gone")];
  expect(withRealPaths([linked, gone])).toEqual([linked, gone, real]);
  expect(withRealPaths([real])).toEqual([real]);
});
