/** What the mod does with a session is what the replay of its log says, result by result. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { MOD_DEFAULTS } from "../../src/mod/settings.js";
import { LogPlayer, replayedEmissions } from "../support/modLog.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../support/replay.js";

const logs = [...filesUnder(FIXTURES), join(REPOSITORY, "media", "sample.jsonl")].filter(path =>
  path.endsWith(".jsonl"),
);

/** Where a mod is told less, or more, than the log says, and why. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  "inline-agent-ids": "a subagent's results were cleared: a mod can only ask what the main conversation holds",
  "subagents/agent-a0123456789abcdef": "the same",
  "results-cut": "a mod is told that results were cut, but not which: it gives up all of them",
  "two-processes": "each process has a mod of its own, which sees only its own rows",
};

describe("the mod emits what the replay emits", () => {
  it.each(logs.map(path => relative(REPOSITORY, path)))("%s", path => {
    const text = readFileSync(join(REPOSITORY, path), "utf8");
    const player = new LogPlayer(path, false);
    player.play(text);
    const [emitted, expected] = [player.emitted, replayedEmissions(path, text, MOD_DEFAULTS)];
    if (Object.keys(DIFFERENCES).some(name => path.includes(name))) expect(emitted).not.toEqual(expected);
    else expect(emitted).toEqual(expected);
  });
});
