/** What the mod does with a session is what the replay of its log says, result by result. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { digest } from "../../src/dedup/digest.js";
import { fingerprint } from "../../src/dedup/fingerprint.js";
import { ContextReplay, type Decision } from "../../src/dedup/replay.js";
import { emittedText } from "../../src/dedup/runs/contextRuns.js";
import { LineScanner } from "../../src/dedup/runs/lines.js";
import type { DedupSettings } from "../../src/dedup/settings.js";
import { bytesOf } from "../../src/log/bytes.js";
import { agentOfFile } from "../../src/log/layout.js";
import { LogReader } from "../../src/log/reader.js";
import { MOD_DEFAULTS } from "../../src/mod/settings.js";
import { type Emitted, LogPlayer } from "../support/modLog.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../support/replay.js";

function replayed(path: string, text: string, settings: DedupSettings): Emitted {
  const emitted: Emitted = new Map();
  const replays = new Map<string, ContextReplay>();
  const scanner = new LineScanner();
  const reader = new LogReader(
    (context, fact) => {
      const decided = ({ result, hint, runs = [] }: Decision) => {
        const text = hint ?? (runs.length > 0 ? emittedText(result.body ?? "", runs) : undefined);
        emitted.set(`${context.id} ${result.id}`, text);
      };
      const replay = replays.get(context.id) ?? new ContextReplay(settings, { event: () => {}, decided });
      replays.set(context.id, replay);
      replay.take(digest(fact, true, fingerprint, scanner));
    },
    { agentOfFile: agentOfFile(path), tellCalls: true },
  );
  reader.push(bytesOf(text));
  return emitted;
}

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
    const [emitted, expected] = [player.emitted, replayed(path, text, MOD_DEFAULTS)];
    if (Object.keys(DIFFERENCES).some(name => path.includes(name))) expect(emitted).not.toEqual(expected);
    else expect(emitted).toEqual(expected);
  });
});
