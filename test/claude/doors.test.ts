/** `hooks install`, and what it becomes in each version of Claude Code: a mod from 2.1.287 on, hooks before. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Report } from "../../src/inspect/report.js";
import { SPAN_EXPLANATION } from "../../src/log/explanation.js";
import { parseLiveSettings } from "../../src/settings/liveSettings.js";
import { GROUPS, groupOf } from "../../src/trial/assign.js";
import { filesUnder } from "../support/replay.js";
import { turn, use } from "./rig/api.js";
import { aside, bash, cat, TEXT } from "./rig/calls.js";
import { outcomesOf, resultsIn, saidIn } from "./rig/requests.js";
import { runsMods, Workplace } from "./rig/workplace.js";

/** Other settings of the user, which must stay byte-identical. */
const THEIRS = '{\n    "env": { "MINE": "1" },\n    "permissions": { "allow": ["Bash(ls:*)"] }\n}\n';

describe(`live hints by hooks install, as ${runsMods ? "a mod" : "hooks"}`, () => {
  let place: Workplace;

  beforeEach(async () => {
    place = new Workplace();
    place.write("a.txt", TEXT);
    writeFileSync(settings(), THEIRS);
    await place.dedup("hooks", "install", "--yes");
  });

  afterEach(() => place.remove());

  const settings = () => join(place.config, "settings.json");
  const last = (requests: Parameters<typeof outcomesOf>[0], conversation = "main") => {
    const request = requests.findLast(one => one.conversation === conversation);
    if (request === undefined) throw new Error(`there was no request of ${conversation}`);
    return request;
  };

  /** A `node` that records that it ran. */
  const countingNode = () => {
    const folder = join(place.home, "bin");
    mkdirSync(folder);
    const program = join(folder, "node");
    writeFileSync(program, `#!/bin/sh\necho ran >> '${join(place.home, "ran")}'\nexec '${process.execPath}' "$@"\n`);
    chmodSync(program, 0o755);
    return { PATH: `${folder}:${process.env["PATH"]}` };
  };

  it("work immediately, without a question, and start no Node where the mod runs", async () => {
    const calls = [cat(), cat()] as const;
    const script = { main: [turn(calls[0]), aside(), turn(calls[1]), aside()] };
    const { requests } = await place.play(script, { args: ["--debug"], env: countingNode() });
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1"]);
    expect(saidIn(last(requests)).split(SPAN_EXPLANATION)).toHaveLength(2);
    expect(existsSync(join(place.home, "ran"))).toBe(!runsMods);
    expect(place.complaints).toBe("");
    expect(place.debugLog).not.toMatch(/Failed to load hooks|Live hints are off|hook skipped|did not load/);
  });

  it("follow settings that change while a session runs", async () => {
    const calls = [cat(), cat(), cat()] as const;
    const choose = async () => {
      await place.dedup("hooks", "install", "--verbosity", "terse");
    };
    const first = [turn(calls[0]), aside(), turn(calls[1])];
    const later = [{ ...aside(), until: runsMods ? undefined : choose }, turn(calls[2]), aside()];
    const { requests } = await place.play({ main: [...first, ...later] }, { args: ["--debug"] });
    const results = resultsIn(last(requests));
    expect(results.get(calls[1].id)).toContain(`> [ref: ${calls[0].id}, byte-identical, from: `);
    if (!runsMods) expect(results.get(calls[2].id)).toBe(`> [ref: ${calls[0].id}]`);
  });

  it("are given in half of a trial's sessions, and not mentioned in the others", async () => {
    await place.dedup("hooks", "install", "--trial");
    const { trial } = parseLiveSettings(
      readFileSync(join(place.home, ".local/share/dedup-inspector/liveHints.json"), "utf8"),
    );
    if (trial === undefined) throw new Error("no trial was begun");
    for (const group of GROUPS) {
      const session = Array.from({ length: 50 }, () => randomUUID()).find(id => groupOf(id, trial) === group) ?? "";
      const calls = [cat(), cat()] as const;
      const script = { main: [turn(calls[0]), aside(), turn(calls[1]), aside()] };
      const { requests } = await place.play(script, { args: ["--session-id", session] });
      expect(outcomesOf(requests, calls)).toEqual(["full", group === "hints" ? "= 1" : "full"]);
      expect(saidIn(last(requests)).includes(SPAN_EXPLANATION)).toBe(group === "hints");
    }
    const report = JSON.parse(await place.dedup("report", "--trial", "--json")) as Report;
    expect(report.trial?.sessions).toMatchObject({ hints: 1, control: 1, hinted: 1 });
  });

  it("are explained to a subagent, which gets them too", async () => {
    const [theirs, again] = [cat(), cat()];
    const input = { description: "read", prompt: "script:helper go", subagent_type: "general-purpose" };
    const agent = use("Agent", { ...input, run_in_background: false });
    const script = { main: [turn(agent), aside()], helper: [turn(theirs), aside(), turn(again), aside()] };
    const { requests } = await place.play(script);
    expect(outcomesOf(requests, [theirs, again], "helper")).toEqual(["full", "= 1"]);
    expect(saidIn(last(requests, "helper")).split(SPAN_EXPLANATION)).toHaveLength(2);
  });

  /** Since 2.1.269: for people and hooks, not for the model. Earlier versions have no such setting. */
  it.each(["on", "off"])("are given for commands whose edits are shown as diffs, with the mod %s", async mod => {
    execFileSync("git", ["init", "-q"], { cwd: place.project });
    const installed = JSON.parse(readFileSync(settings(), "utf8"));
    const enabledPlugins = { "dedup-inspector@dedup-inspector": mod === "on" };
    place.settings({ ...installed, enabledPlugins, bashEditDiffEnabled: true });
    const calls = [1, 2].map(() => bash("cat a.txt; date +%N >> changed.txt"));
    const script = { main: [turn(...calls.slice(0, 1)), aside(), turn(...calls.slice(1)), aside()] };
    const { requests } = await place.play(script);
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1"]);
    expect(readFileSync(place.logs.main, "utf8").includes('"bashEditDiff"')).toBe(runsMods);
  });

  it("never end up in a file", async () => {
    const [first, again] = [cat(), cat()];
    const content = `one\n> [ref: ${first.id} lines 2-9]\ntwo\n`;
    const write = use("Write", { file_path: place.file("b.txt"), content });
    const shell = bash(`cat > c.txt <<'END'\n${content}END`);
    const fine = use("Write", { file_path: place.file("d.txt"), content: "> [ref: something else]\n" });
    const script = [turn(first), aside(), turn(again), turn(write), turn(shell), turn(fine), aside()];
    const { requests } = await place.play({ main: script });
    const results = resultsIn(last(requests));
    for (const { id } of [write, shell]) expect(results.get(id)).toContain("write those lines themselves");
    expect(["b.txt", "c.txt", "d.txt"].map(name => existsSync(place.file(name)))).toEqual([false, false, true]);
  });

  it("are removed by hooks uninstall, to the byte, and Claude Code misses nothing", async () => {
    await place.play({ main: [turn(cat())] });
    await place.dedup("hooks", "uninstall", "--yes");
    expect(readFileSync(settings(), "utf8")).toBe(THEIRS);
    expect(place.ownFiles).toEqual([]);
    const records = filesUnder(join(place.config, "plugins")).map(file => readFileSync(file, "utf8"));
    expect(records.join("")).not.toContain("dedup-inspector");
    const calls = [cat(), cat()] as const;
    const { requests } = await place.play({ main: [turn(calls[0]), aside(), turn(calls[1])] }, { args: ["--debug"] });
    expect(outcomesOf(requests, calls)).toEqual(["full", "full"]);
    expect(place.debugLog).not.toContain("dedup-inspector");
  });

  it("are hooks where the mod is turned off", async () => {
    const { enabledPlugins: _, ...others } = JSON.parse(readFileSync(settings(), "utf8"));
    place.settings({ ...others, enabledPlugins: { "dedup-inspector@dedup-inspector": false } });
    const calls = [cat(), cat()] as const;
    const script = { main: [turn(calls[0]), aside(), turn(calls[1]), aside()] };
    const { requests } = await place.play(script, { env: countingNode() });
    expect(outcomesOf(requests, calls)).toEqual(["full", "= 1"]);
    expect(existsSync(join(place.home, "ran"))).toBe(true);
    const status = await place.dedup("hooks", "status");
    expect(status).toContain("Claude Code 2.1.287 and later: hooks (the mod is turned off)");
  });
});
