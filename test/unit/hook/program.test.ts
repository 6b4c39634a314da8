/** Ours is the command that install writes, to the letter. */
import { describe, expect, it } from "vitest";
import { hookCommand, isHookCommand } from "../../../src/hook/install/program.js";

const LINUX = { platform: "linux", env: { HOME: "/home/ana" } } as const;
const XDG = { platform: "linux", env: { HOME: "/home/ana", XDG_DATA_HOME: "/data of ana's" } } as const;
const MAC = { platform: "darwin", env: { HOME: "/Users/ana" } } as const;
const WINDOWS = { platform: "win32", env: { LOCALAPPDATA: "C:\\Users\\ana b\\AppData\\Local" } } as const;
const SYSTEMS = [LINUX, XDG, MAC, WINDOWS];

describe("the hook's command", () => {
  it.each([
    [LINUX, "node /home/ana/.local/share/dedup-inspector/hook.js --capacity=9"],
    [XDG, "node '/data of ana'\\''s/dedup-inspector/hook.js' --capacity=9"],
    [MAC, "node '/Users/ana/Library/Application Support/dedup-inspector/hook.js' --capacity=9"],
    [WINDOWS, 'node "C:\\Users\\ana b\\AppData\\Local\\dedup-inspector\\Data\\hook.js" --capacity=9'],
  ])("names the program in full, as the system's shell reads it", (system, command) => {
    expect(hookCommand(["--capacity=9"], system)).toBe(command);
  });

  it.each([
    [[]],
    [["--capacity=9", "--near-ref", "--span"]],
    [['--invalidates={"Bash":["Grep","mcp__it\'s *"]}', "--verbosity=terse"]],
  ])("is known again with %j", args => {
    for (const system of SYSTEMS) expect(isHookCommand(hookCommand(args, system), system)).toBe(true);
  });

  it("is known in a shell without XDG_DATA_HOME, and in one with it", () => {
    expect(isHookCommand(hookCommand([], LINUX), XDG)).toBe(true);
    expect(isHookCommand(hookCommand([], XDG), LINUX)).toBe(false);
  });

  it.each([
    [LINUX, "node dedup-inspector/hook.js"],
    [LINUX, "node .local/share/dedup-inspector/hook.js --span"],
    [MAC, "node 'Library/Application Support/dedup-inspector/hook.js'"],
    [WINDOWS, 'node "dedup-inspector\\Data\\hook.js"'],
  ])("is known as 1.0.0 wrote it where a variable was empty", (system, command) => {
    expect(isHookCommand(command, system)).toBe(true);
  });

  it.each([
    "python3 ~/dedup-inspector/my-hook.py",
    "echo dedup-inspector hook",
    "dedup-inspector hook",
    "/usr/local/bin/dedup-inspector hook --near-ref",
    "node /opt/dedup-inspector/hook.js",
    "node /home/ana/work/dedup-inspector/src/hook.js",
    "node hook.js",
    "node /home/ana/.local/share/dedup-inspector/hook.js && notify-send done",
    "node /home/ana/.local/share/dedup-inspector/hook.js; rm x",
    "node /home/ana/.local/share/dedup-inspector/hook.js --mine",
    "nodejs /home/ana/.local/share/dedup-inspector/hook.js",
    "node  /home/ana/.local/share/dedup-inspector/hook.js",
    "time node /home/ana/.local/share/dedup-inspector/hook.js",
    "node '/home/ana/.local/share/dedup-inspector/hook.js",
    "",
  ])("is not somebody else's: %s", command => {
    for (const system of SYSTEMS) expect(isHookCommand(command, system)).toBe(false);
  });
});
