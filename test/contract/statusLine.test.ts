/** `statusline` as Claude Code runs it, and its settings entry: only if there is none, and undone to the byte. */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { statusTexts } from "../../src/words/statusTexts.js";
import { built, homeIn, Place } from "../support/cli.js";
import { longText } from "../support/hook.js";
import { call, type Json, logText, result } from "../support/log.js";
import { filesUnder, REPOSITORY } from "../support/replay.js";

beforeAll(built);

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(place.path("home", "config"), { recursive: true });
});
afterEach(() => place.remove());

const file = () => place.path("home", "config", "settings.json");
const statusLine = (...args: string[]) => place.ask(["statusline", ...args]);
const settings = () => JSON.parse(readFileSync(file(), "utf8"));
const turn = (id: string, body: string) => [call(id, "Bash", { command: id }), result(id, body)];

/** What Claude Code would show. */
function shown(session: Json | string, program = "cli.js"): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(REPOSITORY, "dist", program), "statusline"], {
    input: typeof session === "string" ? session : JSON.stringify(session),
    encoding: "utf8",
    env: homeIn(place.path("home")),
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

describe("the line", () => {
  it("says how full the context is, and how much of it repeats", () => {
    const text = longText().repeat(40);
    const log = place.write("s.jsonl", logText(...turn("1", text), ...turn("2", text)));
    const session = { transcript_path: log, context_window: { used_percentage: 62 } };
    for (const program of ["cli.js", "hook.js"]) expect(shown(session, program)).toBe("62 % · 50 % repeats\n");
    // In the words of VS Code's status bar.
    const figures = { tokens: 2, savedTokens: 1, realisedTokens: 0 };
    const use = { tokens: 124_000, window: 200_000, cachedUntil: undefined };
    expect(`${statusTexts({ ...figures, use }, 0).text}\n`).toBe(shown(session));
  });

  it("has a program with only its own texts: it is loaded after every message", () => {
    const { outputs } = JSON.parse(readFileSync(join(REPOSITORY, "dist", "build.json"), "utf8"));
    const words = Object.keys(outputs["dist/statusProgram.js"].inputs).filter(path => path.endsWith("trings.ts"));
    expect(words).toEqual(["src/words/statusStrings.ts"]);
  });

  it("follows the log, in few bytes", () => {
    const text = longText().repeat(40);
    const log = place.write("s.jsonl", logText(...turn("1", text)));
    const session = { transcript_path: log };
    expect(shown(session)).toBe("");
    appendFileSync(log, logText(...turn("2", text)));
    expect(shown(session)).toBe("50 % repeats\n");
    appendFileSync(log, logText(...turn("3", text), ...turn("4", text)));
    expect(shown(session)).toBe("75 % repeats\n");
    // Replaced by another log.
    writeFileSync(log, logText(...turn("5", text.replaceAll("a", "b"))));
    expect(shown(session)).toBe("");
    const kept = filesUnder(place.path("home")).filter(path => path.endsWith(".status"));
    expect(kept).toHaveLength(1);
    expect(readFileSync(kept[0] ?? "").length).toBeLessThan(16_000);
  });

  it.each([
    ["percentage", { used_percentage: 8.4 }, "8.4 %\n"],
    [
      "tokens",
      { context_window_size: 200_000, current_usage: { input_tokens: 2, cache_read_input_tokens: 59_998 } },
      "30 %\n",
    ],
    [
      "nothing before the first answer",
      { context_window_size: 200_000, used_percentage: null, current_usage: null },
      "",
    ],
    ["nonsense", { used_percentage: "<b>", context_window_size: {} }, ""],
    ["a number that is none", { used_percentage: -1e300 }, ""],
  ])("uses what Claude Code passes: %s", (_, context_window, line) => {
    expect(shown({ context_window })).toBe(line);
  });

  it("takes session data with a byte order mark, as a script in Windows PowerShell may pass it on", () => {
    const session = `\ufeff${JSON.stringify({ context_window: { used_percentage: 62 } })}\r\n`;
    for (const program of ["cli.js", "hook.js"]) expect(shown(session, program)).toBe("62 %\n");
  });

  it.each(["", "null", "[]", '"text"', "{", '{"transcript_path": 7}', '{"transcript_path": "/nowhere.jsonl"}'])(
    "is empty for %j",
    input => {
      expect(shown(input)).toBe("");
    },
  );

  it("is empty if there is nothing to read", async () => {
    // Not a pipe, so all commands are loaded.
    expect(await statusLine()).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it.skipIf(process.platform === "win32")("waits for no pipe, and reads no folder", () => {
    const log = place.path("pipe.jsonl");
    spawnSync("mkfifo", [log]);
    expect(shown({ transcript_path: log, context_window: { used_percentage: 62 } })).toBe("62 %\n");
    expect(shown({ transcript_path: place.folder })).toBe("");
  });
});

const THEIRS = '{\n  "model": "opus"\n}\n';

describe("statusline install", () => {
  it("shows the change, sets the line up, and uninstall restores every byte and leaves no trace", async () => {
    for (const text of [THEIRS, "{}", '{"a":1}']) {
      writeFileSync(file(), text);
      const { status, stdout } = await statusLine("install", "--yes");
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^\+ .*"statusLine"/m)]);
      const { type, command } = settings().statusLine;
      expect([type, command]).toEqual(["command", expect.stringMatching(/^node .*hook\.js['"]? statusline$/)]);
      expect(command).toContain(place.kept.data);
      expect((await statusLine("install")).stdout).toContain("already set up");
      expect((await statusLine("uninstall", "--yes")).status).toBe(0);
      expect(filesUnder(place.path("home"))).toEqual([file()]);
      expect(readFileSync(file(), "utf8")).toBe(text);
    }
  });

  it.each([
    { type: "command", command: "~/bin/line.sh" },
    { type: "command", command: "dedup-inspector statusline" },
    "off",
    null,
  ])("changes nothing if there is another one: %j", async other => {
    const text = JSON.stringify({ statusLine: other });
    writeFileSync(file(), text);
    const { status, stderr } = await statusLine("install", "--yes");
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("it has a status line of its own; nothing was changed"),
    ]);
    expect((await statusLine("uninstall", "--yes")).stdout).toContain("Dedup Inspector's status line is not set up");
    expect([filesUnder(place.path("home")), readFileSync(file(), "utf8")]).toEqual([[file()], text]);
  });

  it("does not replace the user's line with a project's", async () => {
    writeFileSync(file(), '{"statusLine":{"command":"mine"}}');
    for (const scope of ["project", "local"]) {
      const { status, stderr } = await statusLine("install", "--yes", "--scope", scope);
      expect([status, stderr]).toEqual([1, expect.stringContaining(file())]);
    }
    expect(readdirSync(place.folder)).toEqual(["home"]);
    writeFileSync(file(), THEIRS);
    expect((await statusLine("install", "--yes", "--scope", "local")).status).toBe(0);
    expect(readdirSync(place.path(".claude"))).toEqual(["settings.local.json"]);
  });

  it("works with live hints, in whatever order they are installed and removed", async () => {
    const on = async (what: string) => expect((await place.ask([what, "install", "--yes"])).status).toBe(0);
    const off = async (what: string) => expect((await place.ask([what, "uninstall", "--yes"])).status).toBe(0);
    // Empty containers: only the backup knows that they were there before.
    const text = '{ "hooks": {} }\n';
    for (const [first, second] of [
      ["hooks", "statusline"],
      ["statusline", "hooks"],
    ] as const) {
      for (const [one, other] of [
        [first, second],
        [second, first],
      ] as const) {
        writeFileSync(file(), text);
        await on(first);
        await on(second);
        await off(one);
        expect("PostToolUse" in (settings().hooks ?? {})).toBe(one === "statusline");
        expect("statusLine" in settings()).toBe(one === "hooks");
        await off(other);
        expect([filesUnder(place.path("home")), readFileSync(file(), "utf8")]).toEqual([[file()], text]);
      }
    }
  });

  it("stays without Claude Code's record of the mod, when live hints are turned off", async () => {
    const known = place.write(
      "home/config/plugins/known_marketplaces.json",
      JSON.stringify({ "dedup-inspector": { installLocation: join(place.kept.data, "mod") }, theirs: {} }),
    );
    for (const what of ["hooks", "statusline"]) await place.ask([what, "install", "--yes"]);
    await place.ask(["hooks", "uninstall", "--yes"]);
    expect(JSON.parse(readFileSync(known, "utf8"))).toEqual({ theirs: {} });
    expect(settings()).toHaveProperty("statusLine");
  });

  it.each([[["on"]], [["install", "now"]], [["install", "--scope", "all"]], [["--yes"]]])(
    "explains wrong usage: %j",
    async args => {
      const { status, stderr } = await statusLine(...args);
      expect([status, stderr]).toEqual([2, expect.stringContaining("see dedup-inspector statusline --help")]);
    },
  );
});
