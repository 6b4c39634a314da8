/** Empty or relative folder variables: the current folder is someone's project, and nothing in it is ours. */
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built, Place } from "../support/cli.js";
import { call, logText, result, textOf } from "../support/log.js";
import { filesUnder } from "../support/replay.js";
import { snapshot } from "../support/snapshot.js";

beforeAll(built);

let elsewhere: Place;
/** The current folder: a project with folders that have the names of ours. */
let project: Place;

beforeEach(() => {
  [elsewhere, project] = [new Place(), new Place()];
  const folders = ["", ".cache/", ".local/share/", "relative/", "relative/.cache/", "relative/.local/share/"];
  const names = ["README.md", "package.json", "hook.js", "hookProgram.js", "hook/notes.txt", "settings/mine.json"];
  names.push("liveHints.json", "mod/plugin/hooks/register.js", "mod/.claude-plugin/marketplace.json");
  for (const folder of [...folders, "Library/Caches/"])
    for (const name of names) project.write(`${folder}dedup-inspector/${name}`, "somebody's\n");
  project.write("settings.json", "{}");
  project.write(".claude/projects/p/s.jsonl", "");
  project.write("relative/settings.json", "{}");
  for (const file of filesUnder(project.folder)) utimesSync(file, 1e9, 1e9);
  mkdirSync(elsewhere.path("CLAUDE_CONFIG_DIR"));
  elsewhere.write("logs/s.jsonl", logText(call("1", "Bash", { command: "ls" }), result("1", textOf(300))));
});
afterEach(() => {
  elsewhere.remove();
  project.remove();
});

const WINDOWS = ["USERPROFILE", "LOCALAPPDATA", "APPDATA"] as const;
const NAMES = ["HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "TMPDIR", ...WINDOWS] as const;
/** Every variable has its own place outside the project. */
const sound = () => Object.fromEntries(NAMES.map(name => [name, elsewhere.path(name)]));
/** The three that only Windows uses are set together. */
const SETS = [["HOME"], ["XDG_CACHE_HOME"], ["XDG_DATA_HOME"], ["CLAUDE_CONFIG_DIR"], ["TMPDIR"], WINDOWS] as const;
const VALUES = ["", ".", "./relative"];

/** What a user does, step by step; returns the settings written on the way. */
async function everything(env: Record<string, string>, limits = "") {
  const run = (...args: string[]) =>
    limits === "" ? project.ask(args, env, 30_000) : project.run(args, env, 30_000, limits);
  const ran = [await run("report", elsewhere.path("logs")), await run("hooks", "install", "--yes")];
  const settings = filesUnder(elsewhere.folder).filter(file => file.endsWith("settings.json"));
  const texts = settings.map(file => readFileSync(file, "utf8"));
  ran.push(await run("hooks", "status"), await run("hooks", "uninstall", "--yes"));
  ran.push(await run("report", elsewhere.path("logs")));
  return { ran, texts };
}

/** What settings make Claude Code run: the hooks' programs and the mods' folders. */
function pathsIn(settings: string) {
  const [programs, mods]: [string[], string[]] = [[], []];
  JSON.parse(settings, (key, value: unknown) => {
    if (key === "command") programs.push(String(value).replace(/^\[ [^|]* \] \|\| node /, ""));
    if (key === "path") mods.push(String(value));
    return value;
  });
  return { programs, mods };
}

describe.each(SETS.map(names => ({ names })))("$names", ({ names }) => {
  it.each(VALUES)("set to %j touches nothing in the current folder", async value => {
    const before = snapshot(project.folder);
    const { ran, texts } = await everything({ ...sound(), ...Object.fromEntries(names.map(name => [name, value])) });
    expect(snapshot(project.folder)).toEqual(before);
    for (const { status, stderr } of ran)
      if (status !== 0) expect(stderr).toContain("CLAUDE_CONFIG_DIR is not an absolute");
    // Refused if Claude Code's folder is relative; done in every other case.
    const isRefused = names[0] === "CLAUDE_CONFIG_DIR" && value !== "";
    expect(ran.map(({ status }) => status)).toEqual(isRefused ? [0, 1, 1, 1, 0] : [0, 0, 0, 0, 0]);
    for (const text of texts) {
      const { programs, mods } = pathsIn(text);
      expect([programs.length, mods.length]).toEqual([6, 1]);
      for (const path of [...programs, ...mods]) expect(path).toMatch(new RegExp(`^${elsewhere.folder}/`));
    }
    expect(texts).toHaveLength(isRefused ? 0 : 1);
  });
});

const isRoot = process.geteuid?.() === 0;
if (!isRoot) console.log("skipped: a user without an account (only root can become one)");

it.skipIf(!isRoot && process.env["CI"] !== "true")(
  "without any home nothing is stored, and reports still work",
  async () => {
    for (const { folder } of [elsewhere, project]) chmodSync(folder, 0o777);
    const before = [snapshot(project.folder), snapshot(elsewhere.folder)];
    const nothing = Object.fromEntries(NAMES.map(name => [name, ""]));
    const asStranger = 'exec setpriv --reuid=434343 --regid=434343 --clear-groups "$@"';
    const { ran } = await everything(nothing, asStranger);
    const refusal = "dedup-inspector: there is no home folder: HOME is not set to an absolute path\n";
    expect(ran.map(({ status, stderr }) => [status, stderr])).toEqual([
      [0, ""],
      [1, refusal],
      [1, refusal],
      [1, refusal],
      [0, ""],
    ]);
    expect([snapshot(project.folder), snapshot(elsewhere.folder)]).toEqual(before);
  },
);

it("a list of Claude Code's folders applies to hints as it does to logs", async () => {
  const [one, two] = [elsewhere.path("one"), elsewhere.path("two")];
  for (const folder of [one, two]) {
    mkdirSync(folder);
    elsewhere.write(join(folder.slice(elsewhere.folder.length), "projects/p/s.jsonl"), logText(call("1", "Bash", {})));
  }
  const env = { ...sound(), CLAUDE_CONFIG_DIR: `${one},${two}` };
  const before = [snapshot(one), snapshot(two)];
  const { stdout } = await project.ask(["report", "--json"], env);
  expect((JSON.parse(stdout) as { sessions: unknown[] }).sessions).toHaveLength(2);
  expect((await project.ask(["hooks", "install", "--yes"], env)).status).toBe(0);
  for (const folder of [one, two]) expect(readFileSync(join(folder, "settings.json"), "utf8")).toContain("hook.js");
  const { stdout: status } = await project.ask(["hooks", "status"], env);
  expect(status.match(/^user .*/gm)).toEqual([one, two].map(folder => `user     on   ${folder}/settings.json`));
  // If a folder is named, only that one is meant.
  await project.ask(["hooks", "uninstall", "--yes", "--config-dir", two], env);
  expect((await project.ask(["hooks", "status"], env)).stdout.match(/^user +o\w+/gm)).toEqual([
    "user     on",
    "user     off",
  ]);
  // One that cannot be changed does not block the others.
  elsewhere.write("two/settings.json", "broken");
  const { status: failed, stderr } = await project.ask(["hooks", "uninstall", "--yes"], env);
  expect([failed, stderr]).toEqual([1, expect.stringContaining("two/settings.json: not valid JSON")]);
  rmSync(join(two, "settings.json"));
  expect([snapshot(one), snapshot(two)]).toEqual(before);
});
