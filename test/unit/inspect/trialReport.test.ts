/** What is counted for a session, from its log: by hand, and the same with and without hints. */
import { describe, expect, it } from "vitest";
import type { LogData } from "../../../src/inspect/logData.js";
import { trialReport } from "../../../src/inspect/trialReport.js";
import type { Trial } from "../../../src/settings/liveSettings.js";
import { groupOf } from "../../../src/trial/assign.js";
import type { Measure } from "../../../src/trial/compareGroups.js";
import { answer, call, type Json, logText, prompt, read, result, textOf } from "../../support/log.js";
import { dataOf } from "../../support/replay.js";

const TRIAL: Trial = { key: "a key", since: "2026-11-01T00:00:00.000Z" };
const DURING = "2026-11-02T00:00:00.000Z";
const CONTROL = Array.from({ length: 50 }, (_, number) => `s${number}`).find(id => groupOf(id, TRIAL) === "control");

function session(lines: readonly Json[], more: Json = {}, path = `${CONTROL}.jsonl`): LogData {
  const first = prompt("do it", { sessionId: CONTROL, timestamp: DURING, ...more });
  return dataOf(path, logText(first, ...lines));
}

/** The control's figure, if the session is the only one. */
function figureOf(measure: Measure, lines: readonly Json[]): number | null | undefined {
  const { measures } = trialReport([session(lines)], TRIAL, () => true);
  return measures.find(one => one.measure === measure)?.figures.control;
}

const full = (id: string, path: string, mark = path) => [read(id, path), result(id, textOf(300, mark))];
const hinted = (id: string, path: string, to: string) => [read(id, path), result(id, `> [ref: ${to}]`)];

describe("a session's figures", () => {
  it("are per prompt of the main conversation, and count every request", () => {
    const lines = [answer("m1", 100), prompt("more"), answer("m2", 200), prompt("<command-name>/cost</command-name>")];
    expect(figureOf("tokensPerPrompt", lines)).toBe(150);
    expect(figureOf("requestsPerPrompt", lines)).toBe(1);
  });

  it.each([
    ["what nobody typed", prompt("a reminder", { isMeta: true })],
    ["a summary", prompt("what was said", { isCompactSummary: true })],
    ["an interruption", prompt("[Request interrupted by user for tool use]")],
    ["a subagent's task", prompt("look", { isSidechain: true, agentId: "a" })],
  ])("do not count %s as a prompt", (_, line) => {
    expect(figureOf("requestsPerPrompt", [answer("m1", 100), line, answer("m2", 100)])).toBe(2);
  });

  it("count answers that were interrupted", () => {
    const lines = [prompt("[Request interrupted by user]"), prompt("again"), prompt("and again"), prompt("once more")];
    expect(figureOf("interrupted", lines)).toBe(0.25);
  });

  it("count edits that failed", () => {
    const edit = (id: string) => call(id, "Edit", { file_path: "/a", old_string: "a", new_string: "b" });
    const lines = [edit("1"), result("1", "no such text", { is_error: true }), edit("2"), result("2", "done")];
    expect(figureOf("failedEdits", lines)).toBe(0.5);
    expect(figureOf("failedEdits", full("1", "/a"))).toBe(null);
  });

  it.each([
    ["a text that comes again at once", [...full("1", "/a"), ...full("2", "/a")], 1 / 2],
    ["one that comes later", [...full("1", "/a"), ...full("2", "/b"), ...full("3", "/a")], 0],
    [
      "one that a hint replaced",
      [...full("1", "/a"), ...full("2", "/b"), ...hinted("3", "/a", "1"), ...full("4", "/a")],
      1 / 4,
    ],
    [
      "the same without the hint",
      [...full("1", "/a"), ...full("2", "/b"), ...full("3", "/a"), ...full("4", "/a")],
      1 / 4,
    ],
  ])("recognise what is asked again: %s", (_, lines, share) => {
    expect(figureOf("askedAgain", lines)).toBe(share);
  });

  const apart = (...ends: Json[][]) => [...full("1", "/a"), ...full("2", "/b"), ...ends.flat()];
  const edited = [call("e", "Edit", { file_path: "/a" }), result("e", "done")];
  it.each([
    ["a repeated read that is read again", apart(full("3", "/a"), full("x", "/c"), full("4", "/a")), 1 / 2],
    ["the same with hints", apart(hinted("3", "/a", "1"), full("x", "/c"), hinted("4", "/a", "1")), 1 / 2],
    ["one that is not", apart(full("3", "/a")), 0],
    ["one that was edited first", apart(full("3", "/a"), edited, full("4", "/a", "new")), 0],
  ])("recognise what is read again: %s", (_, lines, share) => {
    expect(figureOf("readAgain", lines)).toBe(share);
  });

  it("have a share of text that hints saved, minus what was asked for again", () => {
    const given = [...full("1", "/a"), ...full("2", "/b"), ...hinted("3", "/a", "1")];
    const spared = 300 - "> [ref: 1]".length;
    expect(figureOf("saved", given)).toBe(spared / 900);
    expect(figureOf("saved", [...given, ...full("4", "/a")])).toBe((spared - 300) / 1200);
  });
});

describe("which sessions are shown", () => {
  it("depends on all of a session's logs, as in the rest of the report", () => {
    const agent = dataOf(
      `${CONTROL}/subagents/agent-a.jsonl`,
      logText(prompt("look", { isSidechain: true, agentId: "a", timestamp: "2026-11-05T00:00:00.000Z" })),
    );
    const since = (day: string) =>
      trialReport([session([]), agent], TRIAL, ({ lastAt }) => lastAt !== null && lastAt >= day).sessions.control;
    expect(["2026-11-02", "2026-11-04", "2026-11-06"].map(since)).toEqual([1, 1, 0]);
  });
});

describe("the sessions of a trial", () => {
  const counted = (data: readonly LogData[], trial: Trial = TRIAL) => trialReport(data, trial, () => true).sessions;

  it("began while it ran", () => {
    const at = (timestamp: string) => counted([session([], { timestamp })], { ...TRIAL, until: "2026-12-01" }).control;
    expect(["2026-10-31T23:59:59Z", DURING, "2026-12-01T00:00:00Z"].map(at)).toEqual([0, 1, 0]);
  });

  it("are in the folder where live hints are on", () => {
    const at = (cwd: string) => counted([session([], { cwd })], { ...TRIAL, folder: "/work/one" }).control;
    expect(["/work/one", "/work/one/deep", "/work/oneself", "/work"].map(at)).toEqual([1, 1, 0, 0]);
  });

  it("are not copies of others", () => {
    const lines = [read("1", "/a"), result("1", textOf(300), { uuid: "u1" })];
    const copy = session(lines, { sessionId: "copy" }, "z.jsonl");
    expect(counted([session(lines), copy])).toMatchObject({ leftOut: 1 });
  });
});

describe("hints that are asked for again", () => {
  it("are counted by kind, tool, size and distance", () => {
    const run = Array.from({ length: 30 }, (_, line) => `line ${line} of a text that is long enough`).join("\n");
    const bash = (id: string, text: string) => [call(id, "Bash", { command: "x" }), result(id, text)];
    const { hints } = trialReport(
      [
        session([
          ...full("1", "/a"),
          ...full("2", "/b"),
          ...hinted("3", "/a", "1"),
          ...full("4", "/a"),
          ...bash("5", run),
          ...bash("6", "> [ref: 5 lines 1-30]\nand more"),
          ...full("7", "/c"),
        ]),
      ],
      undefined,
      () => true,
    );
    const of = (by: string) => hints.filter(one => one.by === by).map(({ name, hints, asked }) => [name, hints, asked]);
    expect(of("kind").sort()).toEqual([
      ["run", 1, 0],
      ["whole", 1, 1],
    ]);
    expect(of("tool").sort()).toEqual([
      ["Bash", 1, 0],
      ["Read", 1, 1],
    ]);
    expect(of("distance")).toEqual([
      [1, 1, 0],
      [5, 1, 1],
    ]);
    expect(of("size").reduce((sum, [, count]) => sum + Number(count), 0)).toBe(2);
  });
});
