/** Only the exact command that install writes is ours. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hookCommand, isHookCommand, isModFolder, modFolder } from "../../../src/hook/install/programCommand.js";

const LINUX = { platform: "linux", env: { HOME: "/home/ana" } } as const;
const XDG = { platform: "linux", env: { HOME: "/home/ana", XDG_DATA_HOME: "/data of ana's" } } as const;
const MAC = { platform: "darwin", env: { HOME: "/Users/ana" } } as const;
const WINDOWS = { platform: "win32", env: { LOCALAPPDATA: "C:\\Users\\ana b\\AppData\\Local" } } as const;
const SYSTEMS = [LINUX, XDG, MAC, WINDOWS];

const UNLESS_MOD = `[ "$\{DEDUP_INSPECTOR_MOD:-none}" = "$CLAUDE_CODE_SESSION_ID" ] || `;

describe("the hook's command", () => {
  it.each([
    [LINUX, `${UNLESS_MOD}node /home/ana/.local/share/dedup-inspector/hook.js`],
    [XDG, `${UNLESS_MOD}node '/data of ana'\\''s/dedup-inspector/hook.js'`],
    [MAC, `${UNLESS_MOD}node '/Users/ana/Library/Application Support/dedup-inspector/hook.js'`],
    [WINDOWS, 'node "C:\\Users\\ana b\\AppData\\Local\\dedup-inspector\\Data\\hook.js"'],
  ])("names the program in full, as the system's shell reads it", (system, command) => {
    expect(hookCommand(system)).toBe(command);
  });

  it.skipIf(process.platform === "win32").each([
    [{ DEDUP_INSPECTOR_MOD: "a", CLAUDE_CODE_SESSION_ID: "a" }, ""],
    [{ DEDUP_INSPECTOR_MOD: "a", CLAUDE_CODE_SESSION_ID: "b" }, "ran\n"],
    [{ CLAUDE_CODE_SESSION_ID: "b" }, "ran\n"],
    [{ DEDUP_INSPECTOR_MOD: "a" }, "ran\n"],
    [{}, "ran\n"],
  ])("starts no program in a session that the mod handles: %j", (env, output) => {
    expect(hookCommand(LINUX).startsWith(UNLESS_MOD)).toBe(true);
    const { status, stdout } = spawnSync("/bin/sh", ["-c", `${UNLESS_MOD}echo ran`], { env, encoding: "utf8" });
    expect([status, stdout]).toEqual([0, output]);
  });

  it.each([
    [LINUX, `'--invalidates={"Bash":["Grep","mcp__it'\\''s *"]}' --verbosity=terse`],
    [MAC, "--capacity=9 --near-ref --span"],
    [WINDOWS, "--capacity=9 --near-ref --span"],
  ])("is recognised, in its current form and with the settings of 1.0.0", (system, settings) => {
    const command = hookCommand(system);
    expect(isHookCommand(command, system)).toBe(true);
    expect(isHookCommand(`${command.replace(UNLESS_MOD, "")} ${settings}`, system)).toBe(true);
  });

  it("comes with a folder for the mod, which is recognised too", () => {
    for (const system of SYSTEMS) expect(isModFolder(modFolder(system), system)).toBe(true);
    expect(isModFolder(modFolder(LINUX), XDG)).toBe(true);
    expect(isModFolder("/home/ana/mods/mod", LINUX)).toBe(false);
  });

  it("is recognised in a shell without XDG_DATA_HOME, and in one with it", () => {
    expect(isHookCommand(hookCommand(LINUX), XDG)).toBe(true);
    expect(isHookCommand(hookCommand(XDG), LINUX)).toBe(false);
  });

  it.each([
    [LINUX, "node dedup-inspector/hook.js"],
    [LINUX, "node .local/share/dedup-inspector/hook.js --span"],
    [MAC, "node 'Library/Application Support/dedup-inspector/hook.js'"],
    [WINDOWS, 'node "dedup-inspector\\Data\\hook.js"'],
  ])("is recognised as 1.0.0 wrote it if a variable was empty", (system, command) => {
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
