/** What the CLI promises for wrong input: a clear line, the right exit status, and everything else still done. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { built, homeIn, Place } from "../support/cli.js";
import { call, logText, result, textOf } from "../support/log.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

const LOG = logText(
  { type: "attachment", sessionId: "s1", cwd: "/w" },
  ...["1", "2"].flatMap(id => [call(id, "Bash", { command: "ls" }), result(id, textOf(300))]),
);

const isWindows = process.platform === "win32";
const place = new Place();
beforeAll(async () => {
  await built();
  mkdirSync(place.path("empty"));
  mkdirSync(place.path("folder.jsonl"));
  place.write("folder.jsonl/inner.jsonl", LOG);
  place.write("good.jsonl", LOG);
  place.write("zero.jsonl", "");
  place.write("garbage.jsonl", Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 37) % 256)));
  if (isWindows) return;
  symlinkSync("nowhere.jsonl", place.path("dangling.jsonl"));
  symlinkSync("circle.jsonl", place.path("circle.jsonl"));
  execFileSync("mkfifo", [place.path("pipe.jsonl")]);
});
afterAll(() => place.remove());

const lines = (text: string) => text.split("\n").filter(line => line !== "");

describe("report on a path that cannot be read", () => {
  const unixOnly: [what: string, name: string, words: RegExp][] = [
    ["a dangling link", "dangling.jsonl", /no such file/],
    ["a link that leads to itself", "circle.jsonl", /link/],
    ["a pipe", "pipe.jsonl", /not a file/],
  ];
  it.each([["a missing path", "missing.jsonl", /no such file/], ...(isWindows ? [] : unixOnly)])(
    "says so in one line, fails, and still reports the others: %s",
    async (_, name, words) => {
      const { status, stdout, stderr } = await place.ask(["report", name, "good.jsonl", "--json"]);
      expect(status).toBe(1);
      expect(lines(stderr)).toEqual([expect.stringMatching(words)]);
      expect(stderr).toContain(name);
      expect((JSON.parse(stdout) as Report).sessions.map(session => session.file)).toEqual(["good.jsonl"]);
    },
  );

  it.skipIf(isWindows || process.getuid?.() === 0)("says so of a file without permission", async () => {
    chmodSync(place.write("secret.jsonl", LOG), 0);
    const { status, stderr } = await place.ask(["report", "secret.jsonl", "good.jsonl", "--json"]);
    expect([status, lines(stderr)]).toEqual([1, [expect.stringMatching(/permission/)]]);
  });

  it("keeps a strange path in one line and harmless", async () => {
    for (const command of ["report", "replay"]) {
      const { status, stderr } = await place.ask([command, "odd\nname\u001b[31m\u202e.jsonl", "--json"]);
      expect(status).toBe(1);
      expect(lines(stderr)).toHaveLength(1);
      for (const character of ["\u001b", "\u202e"]) expect(stderr).not.toContain(character);
    }
  });
});

// Windows allows no such names.
describe.skipIf(isWindows)("a name that would control the terminal", () => {
  /** Clears the screen, begins a line and reverses what follows. */
  const ODD = "\u001b[2J\nX\u202e\u009b";
  const harmless = ({ stdout, stderr }: { stdout: string; stderr: string }) => {
    for (const line of [...stdout.split("\n"), ...stderr.split("\n")]) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    return lines(stdout);
  };

  it("is harmless as the name of a watched log: one line per event", async () => {
    const log = place.write(`odd/${ODD}.jsonl`, LOG);
    const args = ["watch", log, "--from-start", "--idle-exit", "1"];
    const watched = harmless(await place.run(args));
    const { stdout } = await place.run([...args, "--json"]);
    expect([watched.length > 1, watched.length]).toEqual([true, lines(stdout).length]);
    for (const line of watched) expect(line).toContain("␛[2J X\ufffd\ufffd");
  });

  it("is harmless as the folder of an export", async () => {
    const told = harmless(await place.ask(["export", "good.jsonl", "--format", "csv", "--out", `${ODD}out`]));
    expect(told).toEqual([expect.stringContaining("out: ")]);
  });

  it.each([
    [["hooks", "install", "--yes"], "Live hints are on"],
    [["hooks", "install", "--yes"], "Live hints are already on"],
    [["statusline", "install", "--yes"], "The status line is set up"],
    [["statusline", "install", "--yes"], "The status line is already set up"],
    [["statusline", "uninstall", "--yes"], "The status line was removed"],
    [["hooks", "status"], "user     on "],
    [["hooks", "uninstall", "--yes"], "Live hints are off"],
    [["hooks", "uninstall", "--yes"], "Live hints are already off"],
  ])("is harmless as the folder of settings: %j says %s", async (args, words) => {
    const settings = `${ODD}config/settings.json`;
    if (!existsSync(place.path(settings))) place.write(settings, "{}\n");
    const told = harmless(await place.ask([...args, "--config-dir", `${ODD}config`]));
    expect(told).toContainEqual(expect.stringContaining(words));
  });

  it("is harmless where settings are restored", async () => {
    const [folder, settings] = [`${ODD}broken`, `${ODD}broken/settings.json`];
    place.write(settings, "{}\n");
    await place.ask(["hooks", "install", "--yes", "--config-dir", folder]);
    place.write(settings, "{");
    const told = harmless(await place.ask(["hooks", "restore", "--yes", "--config-dir", folder]));
    for (const words of ["The settings from before", "The broken file was kept"]) {
      expect(told).toContainEqual(expect.stringContaining(words));
    }
  });
});

describe("report on a path with nothing to report", () => {
  it.each([
    ["a folder without logs", "empty", /no Claude Code logs/],
    ["a file of 0 bytes", "zero.jsonl", /empty/],
    ["binary garbage", "garbage.jsonl", /not a Claude Code log/],
  ])("says so in one line and does not fail: %s", async (_, name, words) => {
    const { status, stdout, stderr } = await place.ask(["report", name, "good.jsonl", "--json"]);
    expect(status).toBe(0);
    expect(lines(stderr)).toEqual([expect.stringMatching(words)]);
    const sessions = (JSON.parse(stdout) as Report).sessions;
    expect(sessions.find(session => session.file === "good.jsonl")?.contexts[0]?.partitions[0]?.hits).toBe(1);
  });

  it("is still a complete object", async () => {
    const { stdout } = await place.ask(["report", "empty", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 2, sessions: [], totals: { results: 0 } });
  });

  it("counts every line of garbage as bad", async () => {
    const { stdout } = await place.ask(["report", "garbage.jsonl", "--json"]);
    // 4,000 bytes in steps of 37: every value, including 0x0a, occurs once in 256. The end is unfinished.
    const newlines = Array.from({ length: 4000 }, (_, at) => (at * 37) % 256).filter(byte => byte === 0x0a).length;
    expect((JSON.parse(stdout) as Report).sessions[0]?.badLines).toBe(newlines);
  });
});

// Windows does not remove a folder that is in use.
describe.skipIf(process.platform === "win32")("in a current folder that has been removed", () => {
  const run = (...args: string[]) => place.run(args, {}, undefined, "mkdir removed && cd removed && rmdir ../removed");

  it("report needs none, if paths are absolute", async () => {
    const { status, stderr } = await run("report", place.path("good.jsonl"));
    expect([status, stderr]).toEqual([0, ""]);
  });

  it.each<[string, (log: string) => string[]]>([
    ["open", log => ["open", log, "--no-browser"]],
    ["export", log => ["export", log, "--format", "csv", "--out", place.path("export")]],
    ["hooks", () => ["hooks", "status"]],
  ])("%s says so in one line", async (_, args) => {
    const { status, stdout, stderr } = await run(...args(place.path("good.jsonl")));
    expect([status, stdout, stderr]).toEqual([1, "", "dedup-inspector: the current folder no longer exists\n"]);
    expect(existsSync(place.path("export"))).toBe(false);
  });
});

describe("report on what only looks wrong", () => {
  it("searches a folder whose name ends in .jsonl", async () => {
    const { status, stdout, stderr } = await place.ask(["report", "folder.jsonl", "--json"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect((JSON.parse(stdout) as Report).sessions.map(session => session.file)).toEqual(["folder.jsonl/inner.jsonl"]);
  });

  it("counts a log that is named twice only once, without a message", async () => {
    const { status, stdout, stderr } = await place.ask([
      "report",
      "good.jsonl",
      "good.jsonl",
      "./good.jsonl",
      "--json",
    ]);
    expect([status, stderr]).toEqual([0, ""]);
    expect((JSON.parse(stdout) as Report).totals.results).toBe(2);
  });

  it("searches Claude Code's own folder by default, and says so if it is missing", async () => {
    const bare = await place.ask(["report", "--json"]);
    expect([bare.status, bare.stdout, lines(bare.stderr).length]).toEqual([1, "", 1]);
    expect(bare.stderr).toContain(`no Claude Code logs found in ${place.path("home/config/projects")}: `);
    place.write("home/config/projects/-w/s1.jsonl", LOG);
    const own = await place.ask(["report", "--json"]);
    expect(own.status).toBe(0);
    expect((JSON.parse(own.stdout) as Report).totals.hits).toBe(1);
    place.write("home/.claude/projects/-w/s2.jsonl", LOG);
    const standard = await place.ask(["report", "--json"], { CLAUDE_CONFIG_DIR: "" });
    expect((JSON.parse(standard.stdout) as Report).sessions[0]?.file).toBe(
      place.path("home/.claude/projects/-w/s2.jsonl"),
    );
  });
});

describe("wrong usage", () => {
  it.each([
    [["report", "--capacity", "0"], /--capacity/],
    [["report", "--capacity", "x"], /--capacity/],
    [["report", "--capacity", "-1"], /--capacity/],
    [["report", "--capacity", "1.5"], /--capacity/],
    [["report", "--capacity", "99999999999999999999"], /--capacity/],
    [["report", "--capacity"], /--capacity/],
    [["report", "--min-bytes", "x"], /--min-bytes/],
    [["report", "--verbosity", "loud"], /--verbosity/],
    [["report", "--since", "never"], /--since/],
    [["report", "--invalidates", "missing.json"], /--invalidates/],
    [["report", "--invalidates", "good.jsonl"], /--invalidates/],
    [["report", "good.jsonl", "--events"], /--json/],
    [["report", "--frobnicate"], /--frobnicate/],
    [["frobnicate"], /frobnicate/],
    [["constructor"], /constructor/],
    [["./logs"], /"\.\/logs": if it is a log or a folder, write open or report before it/],
    [["C:\\logs"], /write open or report before it/],
    [["good.jsonl"], /write open or report before it/],
    [["help", "frobnicate"], /unknown command "frobnicate"/],
    [["help", "constructor"], /unknown command "constructor"/],
    [["report", "-Users-me"], /"-Users-me" is a file or a folder, write \.\/-Users-me/],
    [["-home-me"], /"-home-me" is a file or a folder, write \.\/-home-me/],
    [["report", "--project", "-Users-me"], /'--project'.* write --project=VALUE/],
    [["replay", "--json"], /file/],
    [["replay", "good.jsonl", "good.jsonl", "--json"], /file/],
    [["replay", "good.jsonl", "--json", "--strategy", "magic"], /--strategy/],
    [["sample", "--out"], /--out/],
    [["sample", "--frobnicate"], /--frobnicate/],
    [["sample", "out.jsonl"], /./],
  ])("%j is one line on stderr, nothing on stdout, status 2", async (args, words) => {
    const { status, stdout, stderr } = await place.run(args);
    expect(lines(stderr)).toEqual([expect.stringMatching(words)]);
    expect([status, stdout]).toEqual([2, ""]);
  });
});

it.each(["--version", "-v"])("%s is the package's", async asked => {
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as { version: string };
  expect(await place.run([asked])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
});

describe("help", () => {
  it("is also about one command", async () => {
    const { status, stdout } = await place.ask(["help", "report"]);
    expect([status, stdout]).toEqual([0, (await place.ask(["report", "--help"])).stdout]);
  });

  it.each([[["--help"]], [["-h"]], [["help"]], [["help", "help"]], [["help", "--help"]]])(
    "is what %j gives",
    async args => {
      const { status, stdout, stderr } = await place.ask(args);
      expect([status, stderr]).toEqual([0, ""]);
      for (const command of ["report", "replay", "sample"]) expect(stdout).toContain(command);
    },
  );

  it.each(["report", "replay", "sample"])("explains %s, whatever else is wrong", async command => {
    const { status, stdout, stderr } = await place.ask([command, "--help", "--frobnicate"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`Usage: .*${command}`));
  });

  it.each(["report", "watch", "open", "export"])("says what a log of %s is", async command => {
    const { stdout } = await place.ask([command, "--help"]);
    expect(stdout).toContain("(its subagents' logs are separate files)");
    const hasSince = command === "report" || command === "export";
    expect(stdout.includes("the day begins in UTC")).toBe(hasSince);
  });

  it("lists every option that a command accepts", async () => {
    const { stdout } = await place.ask(["report", "--help"]);
    const options = ["--json", "--events", "--since", "--project", "--capacity", "--min-bytes", "--near-ref"];
    for (const option of [...options, "--verbosity", "--invalidates", "--no-cache"]) expect(stdout).toContain(option);
  });
});

describe("a reader that stops at once", () => {
  const unread = async (...args: string[]) => {
    const env = { ...homeIn(place.path("unread")), CLAUDE_CONFIG_DIR: place.path("unread", "config") };
    const program = spawn(process.execPath, [join(REPOSITORY, "dist", "cli.js"), ...args], { cwd: place.folder, env });
    program.stdout.destroy();
    const [status] = await once(program, "exit");
    return status;
  };
  const settings = () => readFileSync(place.path("unread", "config", "settings.json"), "utf8");

  it("does not stop a command that changes settings", async () => {
    expect(await unread("hooks", "install", "--yes")).toBe(0);
    expect(settings()).toContain("hook.js");
    expect(await unread("statusline", "install", "--yes")).toBe(0);
    expect(settings()).toContain("statusLine");
    expect(await unread("hooks", "uninstall", "--yes")).toBe(0);
    expect(settings()).not.toContain("PostToolUse");
  });

  it("does not hide that a command failed", async () => {
    const broken = place.write(".claude/settings.json", "{");
    expect(await unread("hooks", "status")).toBe(1);
    rmSync(broken);
  });

  it.each([[["watch", "good.jsonl", "--from-start"]], [["sample", "--live"]]])(
    "ends what would only go on printing: %j",
    async args => {
      expect(await unread(...args)).toBe(0);
    },
    10_000,
  );
});

describe("no command", () => {
  it("ever touches a log or writes next to it", async () => {
    place.write("kept/s.jsonl", LOG);
    await place.ask(["report", "kept", "--json", "--events"]);
    await place.ask(["report", "kept"]);
    await place.ask(["replay", "kept/s.jsonl", "--json"]);
    expect(filesIn("kept")).toEqual([[place.path("kept/s.jsonl"), LOG]]);
  });
});

function filesIn(folder: string): [string, string][] {
  return filesUnder(place.path(folder)).map(path => [path, readFileSync(path, "utf8")]);
}
