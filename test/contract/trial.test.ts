/** A trial from start to end, as a user sees it: the commands, both doors, and the report from the logs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { register } from "../../src/mod/register.js";
import { parseLiveSettings, type Trial } from "../../src/settings/liveSettings.js";
import { groupOf } from "../../src/trial/assign.js";
import { localDate } from "../../src/words/numbers.js";
import { built, Place } from "../support/cli.js";
import { HookedSession, hintTo, longText } from "../support/hook.js";
import { answer, logText, prompt, read, result, textOf } from "../support/log.js";
import { filesUnder } from "../support/replay.js";

beforeAll(built);

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(place.path("home", "config"), { recursive: true });
});
afterEach(() => place.remove());

const hooks = (...args: string[]) => place.ask(["hooks", ...args]);
const dataFolder = () => place.path("home/.local/share/dedup-inspector");
const settingsText = () => readFileSync(join(dataFolder(), "liveHints.json"), "utf8");
const present = () => parseLiveSettings(settingsText()).trial;

async function begun(): Promise<Trial> {
  await hooks("install", "--yes", "--trial");
  const trial = present();
  if (trial === undefined) throw new Error("no trial was begun");
  return trial;
}

/** A session of a group. */
function sessionOf(group: "hints" | "control", trial: Trial): string {
  const ids = Array.from({ length: 100 }, (_, number) => `session-${number}`);
  return ids.find(id => groupOf(id, trial) === group) ?? "";
}

describe("hooks install --trial", () => {
  it("creates a private key, says that a trial is running, and continues a running one", async () => {
    const trial = await begun();
    expect(trial.key).toMatch(/^[0-9a-f]{32}$/);
    expect(Math.abs(Date.parse(trial.since) - Date.now())).toBeLessThan(3_600_000);
    const { stdout } = await hooks("status");
    expect(stdout).toContain(`A trial has been running since ${localDate(trial.since)}`);
    expect(stdout).not.toContain(trial.key);
    expect((await hooks("install", "--trial", "--capacity", "9")).status).toBe(0);
    expect(present()).toEqual(trial);
  });

  it("is dated by the local time", async () => {
    const { since } = await begun();
    place.write("s1.jsonl", logText(read("1", "/a"), result("1", textOf(300))));
    // A day apart: one of them has another date than UTC.
    for (const TZ of ["Pacific/Apia", "Pacific/Pago_Pago"]) {
      const date = new Intl.DateTimeFormat("sv", { timeZone: TZ }).format(new Date(since));
      expect((await place.run(["hooks", "status"], { TZ })).stdout).toContain(`running since ${date}: `);
      expect((await place.run(["report", "s1.jsonl", "--trial"], { TZ })).stdout).toContain(`since ${date}: `);
    }
  });

  it("counts only the project's sessions if live hints are on in one project", async () => {
    await hooks("install", "--yes", "--trial", "--scope", "local");
    expect(present()?.folder).toBe(place.folder);
  });

  it("ends with an install without it: every session gets hints again, and the key is kept", async () => {
    const trial = await begun();
    await hooks("install");
    expect(present()).toEqual({ ...trial, until: expect.any(String) });
    expect((await hooks("status")).stdout).toContain("The last trial ran from");
  });
});

describe("hooks end-trial", () => {
  it("does not decide for the user if the sessions do not", async () => {
    await begun();
    const { status, stderr, stdout } = await hooks("end-trial");
    expect([status, stderr]).toEqual([2, expect.stringContaining("--keep hints or --keep nothing")]);
    expect(stdout).toContain("too few sessions to say: about 40 more needed");
    expect(present()?.until).toBeUndefined();
  });

  it("keeps what the user chooses", async () => {
    await begun();
    expect((await hooks("end-trial", "--keep", "hints")).stdout).toContain("Live hints stay on");
    expect(present()?.until).toEqual(expect.any(String));
    expect((await hooks("end-trial", "--keep", "hints")).status).toBe(2);
    await hooks("install", "--trial");
    const { status, stdout } = await hooks("end-trial", "--keep", "nothing", "--yes");
    expect([status, stdout]).toEqual([0, expect.stringContaining("Live hints are off")]);
    expect((await hooks("status")).stdout).not.toContain(" on ");
  });

  it("keeps what it found if nothing else is kept, until everything is removed", async () => {
    const trial = await begun();
    expect((await nothing()).status).toBe(0);
    expect(present()).toEqual({ ...trial, until: expect.any(String) });
    expect(filesUnder(place.path("home"))).toEqual([join(dataFolder(), "liveHints.json")]);
    place.write("s1.jsonl", logText(read("1", "/a"), result("1", textOf(300))));
    const report = async () => (await place.ask(["report", "s1.jsonl", "--trial", "--no-cache"])).stdout;
    expect(await report()).toContain(`${localDate(trial.since)} to `);
    const { status, stdout } = await hooks("uninstall");
    expect([status, stdout]).toEqual([0, expect.stringContaining("The record of the trial was removed too")]);
    expect(filesUnder(place.path("home"))).toEqual([]);
    expect(await report()).toContain("No trial is on record");
    expect((await hooks("uninstall")).stdout).not.toContain("trial");
  });

  it("keeps what an earlier one found if live hints cannot be turned on again", async () => {
    await begun();
    await nothing();
    const kept = settingsText();
    place.write("home/.local/share/dedup-inspector/hook.js", "theirs");
    expect((await hooks("install", "--yes", "--trial")).status).toBe(1);
    expect(settingsText()).toBe(kept);
  });

  it("makes way for the next one", async () => {
    const { key } = await begun();
    await nothing();
    await hooks("install", "--yes");
    expect(present()).toMatchObject({ key, until: expect.any(String) });
    expect(settingsText()).not.toContain("isOff");
    expect((await hooks("install", "--trial")).status).toBe(0);
    expect([present()?.key === key, present()?.until]).toEqual([false, undefined]);
  });

  it.each(["hooks", "statusline"])("is not needed to remove everything, which %s uninstall says", async command => {
    await begun();
    await place.ask(["statusline", "install", "--yes"]);
    const [first, second] = command === "hooks" ? ["statusline", "hooks"] : ["hooks", "statusline"];
    expect((await place.ask([first, "uninstall", "--yes"])).stdout).not.toContain("trial");
    expect((await place.ask([second, "uninstall", "--yes"])).stdout).toContain("The record of the trial was removed");
    expect(filesUnder(place.path("home"))).toEqual([]);
  });

  const nothing = (...args: string[]) => hooks("end-trial", "--keep", "nothing", "--yes", ...args);
  const isOn = async () => / on /.test((await hooks("status")).stdout);

  it("keeps the trial if turning hints off is declined", async () => {
    const trial = await begun();
    // A terminal on which somebody answers no: a real one could not be answered in time on every system.
    const preload = place.write(
      "terminal.cjs",
      `const { PassThrough } = require("node:stream");
       const stdin = Object.assign(new PassThrough(), { isTTY: true });
       Object.defineProperty(process, "stdin", { value: stdin });
       process.stdout.isTTY = true;
       stdin.write("n\\n");`,
    );
    const run = await place.run(["hooks", "end-trial", "--keep", "nothing"], { NODE_OPTIONS: `--require ${preload}` });
    expect([run.status, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toMatch(/Nothing was changed\.\nThe trial continues\.\n$/);
    expect([present(), await isOn()]).toEqual([trial, true]);
  });

  it("turns hints off although the settings change while the change is shown", async () => {
    await begun();
    const file = place.path("home/config/settings.json");
    const preload = place.write(
      "meanwhile.cjs",
      `const { readFileSync, writeFileSync } = require("node:fs");
       const { write } = process.stdout;
       process.stdout.write = function (text, ...rest) {
         if (String(text).includes("settings.json")) {
           process.stdout.write = write;
           const settings = JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"));
           writeFileSync(${JSON.stringify(file)}, JSON.stringify({ ...settings, theirs: true }));
         }
         return write.call(this, text, ...rest);
       };`,
    );
    const args = ["hooks", "end-trial", "--keep", "nothing", "--yes"];
    const run = await place.run(args, { NODE_OPTIONS: `--require ${preload}` });
    expect([run.status, run.stderr]).toEqual([0, expect.stringContaining("has changed in the meantime")]);
    expect(run.stdout).toMatch(/The trial is over\.\n$/);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ theirs: true });
  });

  it.each(["project", "local"])("turns hints off where they are on: in the settings of scope %s", async scope => {
    await hooks("install", "--yes", "--trial", "--scope", scope);
    const { status, stdout } = await nothing();
    expect([status, stdout]).toEqual([0, expect.stringMatching(/Live hints are off: .*\nThe trial is over\.\n$/)]);
    expect([await isOn(), existsSync(place.path(".claude"))]).toEqual([false, false]);
  });

  it("turns hints off in every folder of Claude Code, and in projects elsewhere", async () => {
    const other = place.path("other");
    mkdirSync(other);
    await hooks("install", "--yes", "--trial");
    await hooks("install", "--yes", "--trial", "--config-dir", other);
    place.write("project/notes.txt", "");
    await place.run(["hooks", "install", "--yes", "--trial", "--scope", "local"], {}, undefined, "cd project");
    expect(existsSync(place.path("project", ".claude"))).toBe(true);
    expect((await nothing()).status).toBe(0);
    const left = ["project/.claude", "other/settings.json", "home/config/settings.json"];
    expect(left.filter(name => existsSync(place.path(name)))).toEqual([]);
  });

  it("continues the trial if hints are still on outside the given scope", async () => {
    await hooks("install", "--yes", "--trial");
    await hooks("install", "--yes", "--trial", "--scope", "local");
    const trial = present();
    const first = await nothing("--scope", "user");
    expect([first.status, first.stdout]).toEqual([1, expect.stringMatching(/The trial continues\.\n$/)]);
    expect(first.stderr).toContain(
      `live hints are still on: ${place.path(".claude", "settings.local.json")} (--scope local)`,
    );
    expect([present(), await isOn()]).toEqual([trial, true]);
    expect((await nothing("--scope", "local")).status).toBe(0);
    expect(await isOn()).toBe(false);
  });

  it("continues the trial if a settings file cannot be changed", async () => {
    await hooks("install", "--yes", "--trial");
    await hooks("install", "--yes", "--trial", "--scope", "project");
    const trial = present();
    writeFileSync(place.path("home/config/settings.json"), "{");
    const { status, stdout, stderr } = await nothing();
    expect([status, stderr]).toEqual([1, expect.stringContaining("hooks restore")]);
    expect(stdout).toMatch(/The trial continues\.\n$/);
    expect(present()).toEqual(trial);
  });
});

describe("a session of a trial", () => {
  it("gets hints and their explanation from the hooks, or neither", async () => {
    const trial = await begun();
    for (const group of ["hints", "control"] as const) {
      const session = new HookedSession();
      session.program = join(dataFolder(), "hook.js");
      const session_id = sessionOf(group, trial);
      session.bash("1", longText());
      session.bash("2", longText("b"));
      session.begin("3");
      const said = session.bashHook("3", longText(), { session_id });
      const told = session.send({ hook_event_name: "SessionStart", source: "startup", session_id });
      const subagent = session.send({ hook_event_name: "SubagentStart", agent_id: "a", session_id });
      expect([said, told === "", subagent === ""]).toEqual(
        group === "hints" ? [hintTo("1"), false, false] : [longText(), true, true],
      );
      expect(session.complaints).toEqual([]);
      session.remove();
    }
  });

  it("gets hints and their explanation from the mod, or neither, until the trial ends", async () => {
    const trial = await begun();
    const text = longText();
    for (const group of ["hints", "control"] as const) {
      let chosen = settingsText();
      const mod = await loadedMod(sessionOf(group, trial), () => chosen);
      const explained = await mod.prompt();
      await mod.call("t1", text);
      await mod.call("t2", longText("b"));
      const hinted = await mod.call("t3", text);
      expect([explained, hinted]).toEqual(group === "hints" ? [true, expect.stringContaining("t1")] : [false, text]);
      if (group === "hints") continue;
      chosen = chosen.replace('"since"', '"until":"2026-12-01T00:00:00.000Z","since"');
      const ended = chosen;
      // Live hints are off: the session that is still running gets none instead of all.
      chosen = chosen.replace(/}\n$/, ',"isOff":true}\n');
      expect(await mod.prompt()).toBe(false);
      chosen = ended;
      expect(await mod.prompt()).toBe(true);
      await mod.call("t4", longText("c"));
      expect(await mod.call("t5", longText("b"))).toContain("> [ref: t2");
    }
  });
});

/** The mod in a fake Claude Code. */
async function loadedMod(session_id: string, settings: () => string) {
  const on = new Map<string, (...args: never[]) => unknown>();
  const messages: unknown[] = [];
  const $ = {
    ui: { log: (said: string) => expect(said).toBe("") },
    session: { messages: async () => messages, cwd: async () => "/p" },
    env: { get: async () => undefined, set: async () => undefined },
    fs: { read: async () => settings() },
    plugin: { root: "/data/mod/plugin" },
  };
  register((name: string, ...rest: unknown[]) => on.set(name, rest.at(-1) as (...args: never[]) => unknown), {});
  const raise = async (name: string, event: unknown): Promise<Record<string, unknown>> =>
    (await on.get(name)?.(...([$, event, async (passed: unknown) => passed] as never[]))) as Record<string, unknown>;
  await raise("classic.SessionStart", { session_id, source: "startup" });
  return {
    prompt: async () => "context" in (await raise("prompt.submit", { text: "go" })),
    call: async (id: string, text: string): Promise<unknown> => {
      // biome-ignore lint/correctness/useYield: an answer without pieces.
      const none = async function* () {
        return {};
      };
      const stream = on.get("turn.step")?.(...([$, {}, none] as never[])) as AsyncGenerator;
      while (!(await stream.next()).done);
      const use = { type: "tool_use", id, name: "Bash", input: { command: `cat ${id}` } };
      await raise("session.append", { door: "response", message: { content: [use] } });
      const content = [{ type: "tool_result", tool_use_id: id, content: text }];
      const row = await raise("session.append", { door: "tool-result", message: { content } });
      const said = (row["message"] as { content: { content: unknown }[] }).content[0]?.content;
      messages.push({ role: "assistant", toolUses: [{ tool_use_id: id, tool: "Bash", input: use.input, text: said }] });
      return said;
    },
  };
}

describe("report --trial", () => {
  const more = (id: string, timestamp: string) => ({ sessionId: id, timestamp, uuid: `${id}-u` });

  function write(id: string, timestamp: string, tokens: number): void {
    const calls = [read("1", "/a"), result("1", textOf(300)), read("2", "/b"), result("2", "no", { is_error: true })];
    const lines = [prompt("do it", more(id, timestamp)), answer("m1", tokens), ...calls, answer("m2", tokens)];
    place.write(`home/config/projects/p/${id}.jsonl`, logText(...lines, prompt("[Request interrupted by user]")));
  }

  it("compares the sessions that began while it ran, from the key and the logs alone", async () => {
    const trial = await begun();
    const [before, during] = [new Date(0).toISOString(), new Date(Date.parse(trial.since) + 1000).toISOString()];
    const ids = Array.from({ length: 120 }, (_, number) => `s${number}`);
    for (const id of ids) write(id, during, groupOf(id, trial) === "hints" ? 500 : 1000);
    for (const id of ids.slice(0, 30)) write(`old-${id}`, before, 9999);
    const { stdout } = await place.ask(["report", "--trial", "--json"]);
    const report = JSON.parse(stdout).trial;
    const hinted = ids.filter(id => groupOf(id, trial) === "hints").length;
    expect(report.sessions).toEqual({ hints: hinted, control: ids.length - hinted, hinted: 0, leftOut: 0 });
    const [tokens, requests] = report.measures;
    expect(tokens).toMatchObject({ figures: { hints: 1000, control: 2000 }, difference: -0.5, finding: "less" });
    expect(requests).toMatchObject({ figures: { hints: 4, control: 4 }, finding: "same" });
    expect(report.verdict).toBe("keep");
    expect(stdout).not.toContain(trial.key);
    const table = await place.ask(["report", "--trial"]);
    expect(table.stdout).toMatch(/Tokens sent per prompt.*−50 % \(−50 to −50\).*less with hints/);
    const { stdout: end, status } = await hooks("end-trial");
    expect([status, end]).toEqual([0, expect.stringContaining("Live hints stay on")]);
  });

  it("says that there is none", async () => {
    write("s1", "2026-11-17T00:00:00.000Z", 10);
    expect((await place.ask(["report", "--trial"])).stdout).toContain("No trial is on record");
  });
});
