/** The mod does with a session what the replay of its log does, result by result. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import { modSettings } from "../../src/mod/pluginSettings.js";
import { expanded } from "../claude/rig/expand.js";
import { built } from "../support/cli.js";
import { type Emitted, LogPlayer, replayedEmissions } from "../support/modLog.js";
import { FIXTURES, filesUnder, genuineLogs, REPOSITORY } from "../support/replay.js";
import { turn } from "../support/turns.js";

beforeAll(built);

const logs = [...filesUnder(FIXTURES), join(REPOSITORY, "media", "sample.jsonl")]
  .filter(path => path.endsWith(".jsonl"))
  .map(path => relative(REPOSITORY, path));

/** Where a mod knows less, or more, than the log, and why. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  "inline-sidechain": "two subagents without ids are one context there; a mod is always told the id",
  "parents-in-a-circle": "what Claude Code would make of such a conversation, nobody knows",
  "inline-agent-ids": "a subagent's results were cleared: a mod can only ask what the main conversation holds",
  "subagents/agent-a0123456789abcdef": "the same",
  "results-cut": "a mod is told that results were cut, but not which: it gives up all of them",
  "two-processes": "each process has a mod of its own, which sees only its own rows",
};

/** The context of subagents in old logs, which may be several: a mod knows each by its id. */
const WITHOUT_ID = "sidechain";

const SETTINGS: readonly DedupSettings[] = [
  DEFAULT_SETTINGS,
  { ...DEFAULT_SETTINGS, capacity: 64, minBytes: 0, spanMinBytes: 200, nearRef: true },
  { ...DEFAULT_SETTINGS, runs: false, verbosity: "terse" },
];

describe("the mod emits what the replay emits", () => {
  it.each(logs)("%s", path => {
    const text = readFileSync(join(REPOSITORY, path), "utf8");
    const isNamed = Object.keys(DIFFERENCES).some(name => path.includes(name));
    const differing = SETTINGS.filter(settings => {
      const player = new LogPlayer(path, false, settings);
      player.play(text);
      const expected = replayedEmissions(path, text, settings);
      if (isNamed) return !isDeepStrictEqual(player.emitted, expected);
      expect(player.emitted).toEqual(expected);
      return false;
    });
    expect(differing.length > 0).toBe(isNamed);
  });
});

describe("over genuine logs, if available", () => {
  const genuine = genuineLogs();

  it.skipIf(genuine.length === 0)("the mod emits what the replay emits", async () => {
    for (const path of genuine) {
      const text = readFileSync(path, "utf8");
      const player = new LogPlayer(path, false, DEFAULT_SETTINGS);
      player.play(text);
      const ofKnown = (emitted: Emitted) => [...emitted].filter(([key]) => !key.startsWith(`${WITHOUT_ID} `));
      expect([path, ofKnown(player.emitted)]).toEqual([path, ofKnown(replayedEmissions(path, text, DEFAULT_SETTINGS))]);
      await turn();
    }
  });
});

/** Including what only live hints do: a text that is asked for again is given. */
describe("the mod's hints replace exactly what was returned", () => {
  it.each(logs)("%s", path => {
    const player = new LogPlayer(path, true, { ...DEFAULT_SETTINGS, spanMinBytes: 200 });
    player.play(readFileSync(join(REPOSITORY, path), "utf8"));
    for (const [key, text] of player.emitted) {
      if (text === undefined) continue;
      const context = key.slice(0, key.indexOf(" "));
      const textOf = (id: string, input: string | undefined) => {
        const named = `${context} ${id}`;
        if (input !== undefined) return player.inputs.get(`${named} ${input}`);
        return player.emitted.get(named) ?? player.returned.get(named);
      };
      expect(expanded(text, textOf)).toBe(player.returned.get(key));
    }
  });
});

describe("the built plugin", () => {
  const plugin = (...path: string[]) => readFileSync(join(REPOSITORY, "plugin", ...path), "utf8");

  it("uses nothing from Node in its module", () => {
    const { modules } = JSON.parse(plugin("hooks", "hooks.json"));
    expect(modules).toEqual(["../dist/register.js"]);
    expect(plugin("dist", "register.js")).not.toMatch(/\bimport\b|\brequire\b|\bBuffer\b|\bprocess\b|node:/);
  });

  it("has the engine's settings, with the defaults of live hints", () => {
    const { line, ...userConfig } = JSON.parse(plugin(".claude-plugin", "plugin.json")).userConfig;
    // Nothing is on the screen unasked.
    expect(line.default).toBe(false);
    const given = Object.fromEntries(Object.keys(userConfig).map(key => [key, userConfig[key].default]));
    const { door: _, ...expected } = DEFAULT_SETTINGS;
    expect(Object.keys(given).sort()).toEqual(Object.keys(expected).sort());
    expect(modSettings(given)).toEqual(DEFAULT_SETTINGS);
  });
});
