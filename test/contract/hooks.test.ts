/** `hooks install|uninstall|status`: shows, asks, keeps what belongs to others, and leaves no trace. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIVE_SETTINGS_START } from "../../src/settings/liveSettings.js";
import { built, Place } from "../support/cli.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

beforeAll(built);

const THEIRS = `{
    "permissions": { "allow": ["Bash(ls:*)"] },
    "hooks": {
        "PostToolUse": [
            { "matcher": "Edit", "hooks": [ { "type": "command", "command": "format" } ] }
        ]
    },
    "unknownKey": [1, 2, 3]
}
`;

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(place.path("home", "config"), { recursive: true });
});
afterEach(() => place.remove());

const file = () => place.path("home", "config", "settings.json");
const hooks = (...args: string[]) => place.ask(["hooks", ...args]);
const settings = () => JSON.parse(readFileSync(file(), "utf8"));
const program = (...names: string[]) => join(place.kept.data, ...names);
const chosen = () => program("liveHints.json");
const unixOnly = it.skipIf(process.platform === "win32");

describe("hooks install", () => {
  it("shows the change and writes it", async () => {
    writeFileSync(file(), THEIRS);
    const { status, stdout } = await hooks("install", "--yes");
    expect(status).toBe(0);
    expect(stdout).toContain(file());
    expect(stdout).toMatch(/^\+ .*hook\.js/m);
    // Their lines only gain commas.
    const lines = stdout.split("\n");
    const gone = lines.filter(line => line.startsWith("- "));
    expect(gone).toContain('-     "unknownKey": [1, 2, 3]');
    for (const line of gone) {
      const kept = line.replace("-", "+");
      expect(lines.filter(other => other === kept || other === `${kept},`)).not.toEqual([]);
    }
    const { hooks: written, ...others } = settings();
    const { hooks: before, ...untouched } = JSON.parse(THEIRS);
    const folder = program("mod");
    expect(others).toEqual({
      ...untouched,
      extraKnownMarketplaces: { "dedup-inspector": { source: { source: "directory", path: folder } } },
      enabledPlugins: { "dedup-inspector@dedup-inspector": true },
    });
    expect(written.PostToolUse[0]).toEqual(before.PostToolUse[0]);
    expect(Object.keys(written).sort()).toEqual([
      "PostCompact",
      "PostToolUse",
      "PreCompact",
      "PreToolUse",
      "SessionStart",
      "SubagentStart",
    ]);
    // All of their lines are still there, unchanged.
    for (const line of THEIRS.split("\n")) expect(readFileSync(file(), "utf8")).toContain(line.replace(/[\]}]+$/, ""));
  });

  it("first says what live hints do, and where", async () => {
    const { stdout } = await hooks("install", "--yes", "--scope", "project");
    const [what = "", where = ""] = stdout.split("\n\n");
    expect(what).toMatch(/^When a tool returns text that the model already has, .+\. It can always ask .+\.$/);
    expect(where).toMatch(/^This project, for everyone who works on it:\n/);
    expect(stdout).toContain("shared with everyone");
  });

  it("names the backup of a file, if there was one", async () => {
    expect((await hooks("install", "--yes")).stdout).not.toContain("Backup");
    await hooks("uninstall", "--yes");
    writeFileSync(file(), THEIRS);
    expect((await hooks("install", "--yes")).stdout).toContain("Backup of the original file: ");
  });

  it("writes nothing if it cannot ask", async () => {
    writeFileSync(file(), THEIRS);
    const { status, stderr } = await hooks("install");
    expect([status, stderr]).toEqual([2, expect.stringContaining("use --yes")]);
    expect(readFileSync(file(), "utf8")).toBe(THEIRS);
    expect(filesUnder(place.path("home"))).toEqual([file()]);
  });

  it("can be run twice", async () => {
    await hooks("install", "--yes");
    const once = readFileSync(file(), "utf8");
    const { status, stdout } = await hooks("install");
    expect([status, stdout]).toEqual([0, expect.stringContaining("already on")]);
    expect(readFileSync(file(), "utf8")).toBe(once);
  });

  it("puts the program where an update does not move it, and names it in full", async () => {
    await hooks("install", "--yes");
    expect(settings().hooks.PostToolUse[0].hooks[0].command).toContain(program("hook.js"));
    expect(program().startsWith(place.path("home"))).toBe(true);
    for (const name of ["hook.js", "hookProgram.js", "statusProgram.js"])
      expect(readFileSync(program(name))).toEqual(readFileSync(join(REPOSITORY, "dist", name)));
    expect(settings().extraKnownMarketplaces["dedup-inspector"].source.path).toBe(program("mod"));
    const { modules } = JSON.parse(readFileSync(program("mod", "plugin", "hooks", "hooks.json"), "utf8"));
    expect(readFileSync(program("mod", "plugin", "hooks", modules[0]))).toEqual(
      readFileSync(join(REPOSITORY, "dist", "register.js")),
    );
    if (process.platform === "win32") return;
    for (const path of filesUnder(program())) expect(statSync(path).mode & 0o077).toBe(0);
  });

  it("keeps choices in a separate file, until something else is chosen", async () => {
    place.write("map.json", '{"Bash":["Grep"]}');
    await hooks("install", "--yes", "--capacity", "20", "--near-ref", "--invalidates", "map.json");
    const once = readFileSync(file(), "utf8");
    const expected = { capacity: 20, nearRef: true, invalidates: { Bash: ["Grep"] } };
    expect(JSON.parse(readFileSync(chosen(), "utf8"))).toMatchObject({ commandLine: expected });
    const status = await hooks("status");
    expect(status.stdout).toContain('Settings: --capacity=20 --near-ref --invalidates={"Bash":["Grep"]}');
    const again = await hooks("install", "--no-runs");
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining("Settings: --no-runs\n")]);
    // Claude Code's own settings are unchanged.
    expect(readFileSync(file(), "utf8")).toBe(once);
    expect((await hooks("install")).stdout).toContain("Settings: the defaults\n");
  });

  it("keeps VS Code's settings, except for what is chosen here", async () => {
    const said = { capacity: 7, minBytes: 300 };
    place.write(
      relative(place.folder, chosen()),
      `${LIVE_SETTINGS_START},"commandLine":{"minBytes":100},"vscode":${JSON.stringify(said)}}`,
    );
    const { stdout } = await hooks("install", "--yes", "--capacity", "9");
    expect(stdout).toContain("Settings: --capacity=9 --min-bytes=300\n");
  });

  it.each([
    ['{\n  "a": 1,\n}', "line 3, column 1"],
    ["", "line 1, column 1"],
    ['{\n  // mine\n  "a": 1\n}', "line 2, column 3"],
    ['{"hooks": []}', "hooks is not an object"],
  ])("refuses %j and touches nothing", async (text, where) => {
    writeFileSync(file(), text);
    const { status, stderr, stdout } = await hooks("install", "--yes");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(where);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(filesUnder(place.path("home"))).toEqual([file()]);
    expect(readFileSync(file(), "utf8")).toBe(text);
  });

  unixOnly("keeps a link a link, and the file's permissions", async () => {
    const target = place.write("dotfiles/claude.json", THEIRS);
    chmodSync(target, 0o640);
    symlinkSync(target, file());
    await hooks("install", "--yes");
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    await hooks("uninstall", "--yes");
    expect(readFileSync(target, "utf8")).toBe(THEIRS);
  });

  it.each([
    ["user", "home/config/settings.json"],
    ["project", ".claude/settings.json"],
    ["local", ".claude/settings.local.json"],
  ])("writes the settings of scope %s", async (scope, name) => {
    await hooks("install", "--yes", "--scope", scope);
    expect(existsSync(place.path(name))).toBe(true);
    const { stdout } = await hooks("status");
    expect(stdout.split("\n").filter(line => / on /.test(line))).toEqual([expect.stringContaining(scope)]);
    expect(stdout).toContain("Claude Code 2.1.287 and later: mod\n");
    expect(stdout).toContain("earlier versions: hooks\n");
  });

  it("uses the given Claude Code folder", async () => {
    await hooks("install", "--yes", "--config-dir", place.path("elsewhere"));
    expect(existsSync(place.path("elsewhere", "settings.json"))).toBe(true);
  });

  it("is refused if there is another program with its name", async () => {
    mkdirSync(program(), { recursive: true });
    const mine = program("hook.js");
    writeFileSync(mine, "mine");
    const { status, stderr } = await hooks("install", "--yes");
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("does not belong to this program and was not changed"),
    ]);
    expect(filesUnder(place.path("home"))).toEqual([mine]);
    expect(readFileSync(mine, "utf8")).toBe("mine");
  });

  it.each([
    [[]],
    [["on"]],
    [["install", "--config-dir", ""]],
    [["install", "uninstall"]],
    [["install", "--scope", "all"]],
  ])("explains wrong usage: %j", async args => {
    const { status, stderr } = await hooks(...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining("see dedup-inspector hooks --help")]);
  });
});

describe("the plugin of claude plugin install", () => {
  const id = "dedup-inspector@dedup";
  const text = `${JSON.stringify({ enabledPlugins: { [id]: true, "dedup-inspector@off": false, "other@dedup": true } })}\n`;

  it("counts as on, and is off if the project turns it off", async () => {
    writeFileSync(file(), text);
    const { stdout } = await hooks("status");
    expect(stdout).toMatch(/^user +on .*\n +Claude Code 2\.1\.287 and later: plugin\n +earlier versions: off\n/m);
    expect(stdout).toMatch(/^local +off /m);
    mkdirSync(place.path(".claude"));
    writeFileSync(place.path(".claude/settings.local.json"), JSON.stringify({ enabledPlugins: { [id]: false } }));
    expect((await hooks("status")).stdout).toMatch(
      /^local +off .*\n +plugin dedup-inspector@dedup: off in this project/m,
    );
  });

  it("is listed next to the mod, and stays when that is removed", async () => {
    writeFileSync(file(), text);
    expect((await hooks("status")).stdout).toContain(`plugin ${id}: on, installed with claude plugin install\n`);
    await hooks("install", "--yes");
    const { stdout } = await hooks("status");
    expect(stdout).toContain(
      `plugin ${id}: on, installed with claude plugin install; in each session, either it or the mod`,
    );
    expect(stdout).not.toMatch(/@off|other@/);
    const { stdout: left } = await hooks("uninstall", "--yes");
    expect(left).toContain(`To remove it, run: claude plugin uninstall ${id}\n`);
    expect(readFileSync(file(), "utf8")).toBe(text);
  });
});

describe("hooks uninstall", () => {
  it("restores the file byte for byte and leaves no trace", async () => {
    // Their empty containers look like ours: only the backup knows them.
    for (const text of [THEIRS, "{}", '{ "hooks": {} }\n', '{\r\n\t"hooks": { "SessionStart": [] }\r\n}']) {
      writeFileSync(file(), text);
      await hooks("install", "--yes");
      await hooks("install", "--yes", "--capacity", "9");
      const { status } = await hooks("uninstall", "--yes");
      expect(status).toBe(0);
      expect(readFileSync(file(), "utf8")).toBe(text);
      expect(filesUnder(place.path("home"))).toEqual([file()]);
    }
  });

  it("removes a file and a folder that were not there before", async () => {
    await hooks("install", "--yes", "--scope", "local");
    await hooks("uninstall", "--yes", "--scope", "local");
    expect(existsSync(place.path(".claude"))).toBe(false);
  });

  unixOnly("does the same if the file is named through a link to its folder", async () => {
    symlinkSync(place.path("home", "config"), place.path("link"));
    for (const text of [THEIRS, undefined]) {
      if (text !== undefined) writeFileSync(file(), text);
      await hooks("install", "--yes");
      await hooks("uninstall", "--yes", "--config-dir", place.path("link"));
      expect(filesUnder(place.path("home"))).toEqual(text === undefined ? [] : [file()]);
      if (text === undefined) break;
      expect(readFileSync(file(), "utf8")).toBe(text);
      rmSync(file());
    }
  });

  it("removes only ours if somebody changed the file in the meantime", async () => {
    writeFileSync(file(), THEIRS);
    await hooks("install", "--yes");
    const changed = readFileSync(file(), "utf8").replace("[1, 2, 3]", "[4]");
    writeFileSync(file(), changed);
    await hooks("uninstall", "--yes");
    expect(readFileSync(file(), "utf8")).toBe(THEIRS.replace("[1, 2, 3]", "[4]"));
  });

  it("keeps other hooks, whatever their names", async () => {
    const commands = [
      "~/bin/dedup-inspector-hook.sh",
      "node /opt/dedup-inspector/hook.js",
      "dedup-inspector hook",
      `node ${program("hook.js")} && notify-send done`,
    ];
    const text = JSON.stringify({ hooks: { PostToolUse: [{ hooks: commands.map(command => ({ command })) }] } });
    writeFileSync(file(), text);
    expect((await hooks("status")).stdout).toMatch(/^user {5}off/);
    await hooks("install", "--yes");
    expect(settings().hooks.PostToolUse[0].hooks.map(({ command }: { command: string }) => command)).toEqual(commands);
    // Even if only the text itself shows which are ours.
    writeFileSync(file(), readFileSync(file(), "utf8").replace("{", "{ "));
    await hooks("uninstall", "--yes");
    expect(settings()).toEqual(JSON.parse(text));
  });

  it("removes nothing from its own folders that it did not write", async () => {
    const { data, cache } = place.kept;
    const mine = [
      join(data, "notes.md"),
      join(data, "settings", "mine.json"),
      join(cache, "hook", "notes.txt"),
      join(cache, "README.md"),
    ].map(path => place.write(relative(place.folder, path), "mine"));
    writeFileSync(file(), THEIRS);
    await hooks("install", "--yes");
    expect((await hooks("uninstall", "--yes")).status).toBe(0);
    expect(filesUnder(place.path("home")).sort()).toEqual([...mine, file()].sort());
  });

  it("removes what running the hook has left, and its older files", async () => {
    writeFileSync(file(), THEIRS);
    await hooks("install", "--yes");
    const state = join(relative(place.folder, place.kept.cache), "hook/");
    const compiled = Buffer.concat([Buffer.of(2), readFileSync(program("hookProgram.js")), Buffer.of(1, 2)]);
    for (const name of ["v20.1.0.x64.compiled", "v24.0.0.arm64.compiled", "v20.1.0.x64.compiled.77"])
      writeFileSync(program(`hookProgram.${name}`), compiled);
    writeFileSync(program("statusProgram.v24.0.0.arm64.compiled"), compiled);
    place.write(`${state}0123456789abcdef.state`, "dedup-inspector hook 1\n{}\nend\n");
    place.write(`${state}0123456789abcdef.journal`, '\n{"at":1,"begun":true}\n');
    place.write(`${state}0123456789abcdef.status`, "dedup-inspector hook 4\n{}\nend\n");
    place.write(`${state}hook.log`, "2026-11-16T00:00:00.000Z something\n");
    await hooks("uninstall", "--yes");
    expect(filesUnder(place.path("home"))).toEqual([file()]);
    expect([existsSync(program()), existsSync(place.kept.cache)]).toEqual([false, false]);
  });

  it("keeps the program while another scope needs it", async () => {
    await hooks("install", "--yes");
    await hooks("install", "--yes", "--scope", "local");
    await hooks("uninstall", "--yes");
    expect(existsSync(program("hook.js"))).toBe(true);
    await hooks("uninstall", "--yes", "--scope", "local");
    expect(existsSync(program("hook.js"))).toBe(false);
  });

  it("is safe if nothing is on", async () => {
    writeFileSync(file(), THEIRS);
    const { status, stdout } = await hooks("uninstall");
    expect([status, stdout]).toEqual([0, expect.stringContaining("already off")]);
    expect(readFileSync(file(), "utf8")).toBe(THEIRS);
  });
});

describe("Claude Code's record of marketplaces", () => {
  const record = (path: string) =>
    `{\n  "theirs": { "installLocation": "/elsewhere" },\n  "dedup-inspector": {\n    "installLocation": ${JSON.stringify(path)}\n  }\n}`;
  const known = () => place.path("home/config/plugins/known_marketplaces.json");

  it("loses ours when live hints are turned off", async () => {
    await hooks("install", "--yes");
    place.write("home/config/plugins/known_marketplaces.json", record(program("mod")));
    await hooks("uninstall", "--yes");
    expect(readFileSync(known(), "utf8")).toBe('{\n  "theirs": { "installLocation": "/elsewhere" }\n}');
  });

  it.each([record("/mine"), "not JSON"])("is left alone where it does not name our folder", async text => {
    await hooks("install", "--yes");
    place.write("home/config/plugins/known_marketplaces.json", text);
    expect((await hooks("uninstall", "--yes")).status).toBe(0);
    expect(readFileSync(known(), "utf8")).toBe(text);
  });
});

it("the plugin has the package's version, and hooks for no version", () => {
  const { modules, hooks } = JSON.parse(readFileSync(join(REPOSITORY, "plugin", "hooks", "hooks.json"), "utf8"));
  expect({ modules, hooks }).toEqual({ modules: ["../dist/register.js"], hooks: {} });
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, "plugin", ".claude-plugin", "plugin.json"), "utf8"));
  expect(version).toBe(JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")).version);
});
