/** The mod's pane says the same about a session as a report of its log. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { contextUse } from "../../../src/inspect/contextUse.js";
import { packRequests } from "../../../src/inspect/cost.js";
import type { ResultRows, RowField } from "../../../src/inspect/rows.js";
import { bytesOf } from "../../../src/log/bytes.js";
import { calibrate, calibrationsOf } from "../../../src/log/calibration.js";
import { SPAN_EXPLANATION } from "../../../src/log/explanation.js";
import { Ledger } from "../../../src/mod/ledger.js";
import { LogPipeline } from "../../../src/pipeline/logPipeline.js";
import { LogPlayer } from "../../support/modLog.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../../support/replay.js";

const logs = [...filesUnder(FIXTURES), join(REPOSITORY, "media", "sample.jsonl")]
  .filter(path => path.endsWith(".jsonl") && !path.includes("subagents"))
  .map(path => relative(REPOSITORY, path));

/** Where a mod knows less, or more, than the log, and why: see test/contract/mod.test.ts. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  "parents-in-a-circle": "what Claude Code would make of such a conversation, nobody knows",
  "bad-lines": "the same",
  "results-cut": "a mod is told that results were cut, but not which",
  "two-processes": "each process has a mod of its own, which sees only its own rows",
  "applied-edits": "what the API itself cleared is no row",
};

const FIELDS: readonly RowField[] = ["outcome", "partition", "bytes", "chars", "savedBytes", "savedChars", "request"];
const MORE: readonly RowField[] = ["ref", "cause", "earlier", "forgoneChars", "runs", "evicted", "invalidations"];

const SETTINGS: readonly DedupSettings[] = [
  DEFAULT_SETTINGS,
  { ...DEFAULT_SETTINGS, capacity: 2, nearRef: true, spanMinBytes: 200 },
];

const told = (rows: ResultRows) =>
  Array.from({ length: rows.length }, (_, row) =>
    Object.fromEntries([...FIELDS, ...MORE].map(field => [field, rows.get(row, field)])),
  );

describe("the mod's record of a session", () => {
  it.each(logs)("says what the log says: %s", path => {
    const text = readFileSync(join(REPOSITORY, path), "utf8");
    for (const settings of SETTINGS) {
      const pipeline = new LogPipeline(path, { settings, keepEvents: false, keepDetails: true, keepFacts: false });
      pipeline.push(bytesOf(text));
      const main = pipeline.contexts.find(({ id }) => id === "main");
      const player = new LogPlayer(path, false, settings);
      player.play(text);
      const basis = player.ledger.basis(true);
      if (main === undefined) {
        expect(basis.rows.length).toBe(0);
        continue;
      }
      if (Object.keys(DIFFERENCES).some(name => path.includes(name))) continue;
      expect(told(basis.rows)).toEqual(told(main.rows));
      expect(basis.targets).toEqual(main.targets);
      expect(basis.calibration).toEqual(
        calibrate(main.model, calibrationsOf(pipeline.samples), { everywhere: new Map() }),
      );
      // There Claude Code reports the window's size: a mod does not learn at what size a compaction happened.
      const use = contextUse({ ...main, requests: packRequests(main.requestCosts) });
      const lacks = use !== undefined && basis.use === undefined;
      expect(lacks || basis.use).toEqual(lacks || { ...use, window: basis.use?.window });
    }
  });

  it("counts what hints had cost to explain in a session that was resumed", () => {
    const call = (id: string, text: string) => ({ tool_use_id: id, tool: "Bash", input: { command: "cat a" }, text });
    const [body, hint] = ["a line of text\n".repeat(200), "> [ref: toolu_1, byte-identical, from: Bash(cat a)]"];
    const ledger = new Ledger(DEFAULT_SETTINGS);
    const answers = [call("toolu_1", body), call("toolu_2", hint)].map(use => ({ role: "assistant", toolUses: [use] }));
    ledger.settle([answers[0], { role: "user" }, answers[1]], "/p");
    const { figures, calibration } = ledger.basis(true);
    const spared = body.length - hint.length - SPAN_EXPLANATION.length;
    expect(figures.realisedTokens).toBe(Math.round(spared / calibration.charsPerToken));
  });
});
