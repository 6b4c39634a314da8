/** The kernel against the JavaScript replay: everything that figures are based on must be exactly equal. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { replayLog } from "../../../src/batch/replayLog.js";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import type { LogData } from "../../../src/inspect/logData.js";
import { OUTCOMES } from "../../../src/inspect/outcomes.js";
import { ResultRows, ROW_WIDTH } from "../../../src/inspect/rows.js";
import { StrategyRows } from "../../../src/inspect/strategyRows.js";
import { KernelFailure, ReplayKernel } from "../../../src/kernel/kernel.js";
import * as Layout from "../../../src/kernel/layout.js";
import { asBytes } from "../../../src/log/bytes.js";
import { isTranscript } from "../../../src/log/sessionFiles.js";
import { FiguresPipeline } from "../../../src/pipeline/figuresPipeline.js";
import type { ShownContext } from "../../../src/pipeline/quickReplay.js";
import { byKernel, byKernelFrom, byReplay, byReplayFrom, opened, packedFactsOf } from "../../support/kernel.js";
import { answer, boundary, call, type Json, logText, microcompact, read, result } from "../../support/log.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

const INVALIDATES = { Bash: ["Grep", "Glob"], mcp__jira__update_issue: ["mcp__jira__*"], Write: ["*"] };

const SETTINGS: readonly DedupSettings[] = [
  DEFAULT_SETTINGS,
  settings({ capacity: 1, minBytes: 1000, spanMinBytes: 200 }),
  settings({ capacity: 2, minBytes: 0, spanMinBytes: 300, verbosity: "terse", invalidates: INVALIDATES }),
  settings({ capacity: 3, minBytes: 60, spanMinBytes: 200, verbosity: "standard", invalidates: { Read: ["Read"] } }),
  settings({ capacity: 100, minBytes: 0, runs: false, verbosity: "verbose", invalidates: INVALIDATES }),
];

/** For all strategies, and for what is shown besides figures: only some, because each takes a while. */
const COMPARED_SETTINGS = SETTINGS.filter((_, index) => index % 2 === 0);
const SHOWN_SETTINGS = SETTINGS.filter((_, index) => index % 3 === 0);

function settings(more: Partial<DedupSettings>): DedupSettings {
  return { ...DEFAULT_SETTINGS, ...more };
}

function compare(path: string, content: Uint8Array): void {
  const saved = packedFactsOf(path, content, DEFAULT_SETTINGS);
  for (const one of SETTINGS) {
    const expected = byReplay(path, content, one);
    expect(byKernel(path, content, one, 997)).toEqual(expected);
    expect(byKernelFrom(path, saved, one)).toEqual(expected);
    expect(byReplayFrom(path, saved, one)).toEqual(expected);
  }
  for (const one of COMPARED_SETTINGS) {
    const ways = { strategies: true, passes: one === DEFAULT_SETTINGS };
    expect(byKernel(path, content, one, 997, ways)).toEqual(byReplay(path, content, one, ways));
  }
  for (const one of SHOWN_SETTINGS) compareOpened(path, content, one);
}

/** A panel's first view of a log, its second one, and everything else it may request. */
function compareOpened(path: string, content: Uint8Array, one: DedupSettings): void {
  const [quick, whole] = [opened(path, one, true), opened(path, one, false)];
  const half = Math.round(content.length / 2);
  for (const piece of [content.subarray(0, half), content.subarray(half)]) {
    for (const log of [quick, whole]) log.push(asBytes(piece));
    expect(quick.data()).toEqual(whole.data());
    expect(quick.contexts.map(shownFirst)).toEqual(whole.contexts.map(shownFirst));
    const again = opened(path, one, true, structuredClone(quick.save()));
    expect(again.data()).toEqual(whole.data());
  }
  expect(quick.contexts.map(({ emissions }) => emissions)).toEqual(whole.contexts.map(({ emissions }) => emissions));
}

function shownFirst(context: ShownContext): unknown {
  const { id, model, rows, marks, ids, targets, sources, sweep, offsets, callOffsets } = context;
  return { id, model, rows: rows.cells(), marks, ids, targets, sources, sweep, offsets, callOffsets };
}

function compareLines(...lines: readonly Json[]): LogData {
  const content = asBytes(logText(...lines));
  compare("s.jsonl", content);
  return byKernel("s.jsonl", content, DEFAULT_SETTINGS);
}

function outcomesOf({ contexts }: LogData): Set<string> {
  const rows = new ResultRows();
  for (const context of contexts) rows.append(context.rows);
  return new Set(Array.from({ length: rows.length }, (_, row) => OUTCOMES[rows.get(row, "outcome")] ?? ""));
}

function savedCharsOf({ contexts }: LogData): number[] {
  const rows = new ResultRows();
  for (const context of contexts) rows.append(context.rows);
  return Array.from({ length: rows.length }, (_, row) => rows.get(row, "savedChars"));
}

describe("the kernel and the replay give the same", () => {
  const fixtures = filesUnder(FIXTURES).filter(isTranscript);

  it.each(fixtures.map(path => relative(FIXTURES, path)))("on %s", name => {
    const path = join(FIXTURES, name);
    compare(path, readFileSync(path));
  });

  it("for texts that are equal, and for texts that are nearly equal, whoever reads their lines", () => {
    const base = "a text of thirty-two characters!";
    const texts = [
      ...Array.from({ length: base.length + 1 }, (_, length) => base.slice(0, length)),
      ...Array.from(base, (_, at) => `${base.slice(0, at)}\u0000${base.slice(at + 1)}`),
      ...Array.from({ length: 17 }, (_, zeros) => "\u0000".repeat(zeros)),
      `${base.slice(0, 8)}${base}`,
      "é→😀 and more",
      "half a pair: \ud800",
      "half a pair: \ufffd",
    ];
    // Long enough for a hint.
    const long = texts.map(text => "x".repeat(600) + text);
    const lines = [...long, ...long, ...long].flatMap((text, at) => [
      call(`t${at}`, "Bash", { command: "show" }),
      // The WebAssembly program cannot read a line with a duplicate name.
      at % 2 === 0 ? result(`t${at}`, text) : JSON.stringify(result(`t${at}`, text)).replace("{", '{"type":"x",'),
    ]);
    const content = asBytes(logText(...lines));
    const settings = { ...DEFAULT_SETTINGS, minBytes: 0, capacity: 1000, runs: false };
    const data = byKernel("s.jsonl", content, settings);
    expect(data).toEqual(byReplay("s.jsonl", content, settings));
    // Half a surrogate pair has no UTF-8 and becomes a replacement character; one text is spelled the same twice.
    const different = new Set(texts.map(text => text.replace("\ud800", "\ufffd"))).size;
    expect(savedCharsOf(data).filter(chars => chars > 0)).toHaveLength(3 * texts.length - different);
  });

  it("on the bundled sample session", () => {
    const path = join(REPOSITORY, "media", "sample.jsonl");
    compare(path, readFileSync(path));
  });

  it("on sessions in which anything may happen", async () => {
    await fc.assert(
      turning(anySession(60), text => compare("s.jsonl", asBytes(text))),
      { numRuns: 60 },
    );
  });

  it("on subagents' own files", async () => {
    await fc.assert(
      turning(anySession(40), text => compare("agent-a1.jsonl", asBytes(text))),
      { numRuns: 15 },
    );
  });

  it("on long sessions", async () => {
    await fc.assert(
      turning(anySession(600), text => compare("s.jsonl", asBytes(text))),
      { numRuns: 2 },
    );
  });

  it("on random sessions that contain every outcome", () => {
    const seen = new Set<string>();
    for (const text of fc.sample(anySession(60), { numRuns: 300, seed: 1 })) {
      const data = byKernel(
        "s.jsonl",
        asBytes(text),
        settings({ capacity: 3, minBytes: 60, invalidates: INVALIDATES }),
      );
      for (const outcome of outcomesOf(data)) seen.add(outcome);
    }
    // Not here: near-references, settings hooks, and hints that have stopped.
    const others = ["nearHit", "miss:fixed", "miss:stopped"];
    expect([...seen].sort()).toEqual(OUTCOMES.filter(outcome => !others.includes(outcome)).sort());
  });

  it("after so many hints were asked for again that there are no more", () => {
    const text = (mark: number) =>
      Array.from({ length: 30 }, (_, at) => `line ${at} of what ${mark} prints, long enough`).join("\n");
    const lines: Json[] = [];
    let requests = 0;
    const say = (id: string, command: string, body: string) => {
      const uuids = [`c-${id}`, `r-${id}`];
      lines.push(call(id, "Bash", { command }, { uuid: uuids[0], message: { id: `m${++requests}`, model: "m" } }));
      lines.push(result(id, body, { uuid: uuids[1] }));
    };
    for (let round = 0; round < 40; round++) {
      say(`t${round}`, `make ${round}`, text(round));
      say(`h${round}`, `make ${round}`, `> [ref: t${round}, byte-identical]`);
      say(`a${round}`, `make ${round}`, text(round));
    }
    const outcomes = outcomesOf(compareLines(...lines));
    expect(outcomes).toContain("miss:stopped");
    expect(outcomes).toContain("bypass:realised");
  });

  it("if hints replace lines, with or without their own numbers", () => {
    const numbered = (from: number) =>
      Array.from({ length: 20 }, (_, at) => `${from + at}\tline ${at} of a file`).join("\n");
    const plain = Array.from({ length: 20 }, (_, at) => `line ${at} of a file`).join("\n");
    const lines = [
      call("t1", "Write", { file_path: "/f", content: plain }, { uuid: "a" }),
      result("t1", "written", { uuid: "b" }),
      read("t2", "/f", { uuid: "c" }),
      result("t2", numbered(1), { uuid: "d" }),
      read("t3", "/f", { uuid: "e" }),
      result(
        "t3",
        `> [ref: t2 lines 3-12, renumbered from 9]\nmore\n> [ref: t1 input.content lines 1-4, numbered from 7]`,
      ),
      read("t4", "/f", { uuid: "g" }),
      result("t4", `> [ref: t2 lines 3-900]\n> [ref: t9 lines 1-2]\n> [ref: t2 lines 0-2]\n> [ref: t2 lines 4-3]`),
    ];
    const [, , saved] = savedCharsOf(compareLines(...lines));
    expect(saved).toBeGreaterThan(0);
    // What they replaced does not depend on whether the replay itself has runs.
    const withoutRuns = byKernel("s.jsonl", asBytes(logText(...lines)), settings({ runs: false }));
    expect(savedCharsOf(withoutRuns)[2]).toBe(saved);
  });

  it("where lines with numbers repeat what was written without, in one style or in both", () => {
    const body = Array.from({ length: 40 }, (_, at) => `const value${at} = compute(${at}, "é→");`);
    const tabs = body.map((line, at) => `${at + 5}\t${line}`);
    const arrows = body.map((line, at) => `${String(at + 1).padStart(6)}→${line}`);
    const lines: Json[] = [call("w", "Write", { file_path: "/f", content: body.join("\n") }), result("w", "ok")];
    const texts = [tabs, arrows, [...tabs.slice(0, 20), ...arrows.slice(20)], body, ["Result:", ...tabs]];
    for (const [index, text] of texts.entries()) {
      lines.push(answer(`m${index}`, 0), read(`t${index}`, `/f${index}`), result(`t${index}`, text.join("\n")));
    }
    const { contexts } = compareLines(...lines);
    expect(contexts.map(({ rows }) => rows.length / ROW_WIDTH)).toEqual([6]);
  });

  it("where lines are just long enough to start a run, or not quite", () => {
    const lines: Json[] = [];
    for (const [index, chars] of [6, 7, 8, 9].entries()) {
      const text = Array.from({ length: 90 }, (_, at) => `${at}`.padStart(chars, "x")).join("\n");
      for (const mark of ["a", "b"]) {
        const id = `${mark}${index}`;
        lines.push(answer(`m-${id}`, 0), call(id, "Bash", { command: id }), result(id, `${id} first\n${text}`));
      }
    }
    const { contexts } = compareLines(...lines);
    const runs = contexts.flatMap(({ rows }) => Array.from(rows).filter((_, at) => at % ROW_WIDTH === Layout.ROW_RUNS));
    expect(runs).toEqual([0, 0, 0, 0, 0, 1, 0, 1]);
  });

  it("where a context holds more than is remembered of one", () => {
    const lines: Json[] = [];
    for (let index = 0; index < 14; index++) {
      const text = Array.from({ length: 40_000 }, (_, at) => `line ${(at + 9000 * index) % 90_000} of many`).join("\n");
      lines.push(answer(`m${index}`, 0), call(`t${index}`, "Bash", { command: `${index}` }), result(`t${index}`, text));
    }
    const content = asBytes(logText(...lines));
    expect(byKernel("s.jsonl", content, DEFAULT_SETTINGS, 1 << 16)).toEqual(
      byReplay("s.jsonl", content, DEFAULT_SETTINGS),
    );
  });

  it("where a result comes before its call", () => {
    const text = Array.from({ length: 40 }, (_, at) => `line ${at} of a file that is read again`).join("\n");
    const of = (id: string, parentUuid: string | null) => [
      read(id, "/f", { uuid: `c-${id}`, parentUuid, message: { id: `m-${id}` } }),
      result(id, `${id}\n${text}`, { uuid: `r-${id}`, parentUuid: `c-${id}` }),
    ];
    const early = of("early", "r-first").toReversed();
    const saved = savedCharsOf(compareLines(...of("first", null), ...early, ...of("last", "r-early")));
    expect(saved).toEqual([0, 0, expect.any(Number)]);
    expect(saved[2]).toBeGreaterThan(0);
  });

  it("where JSON objects differ in a few values, and there are more than are compared", () => {
    const text = (mark: number, state: string) =>
      JSON.stringify({ state, mark, log: `what ${mark} printed\n`.repeat(40) });
    const lines: Json[] = [];
    let said = 0;
    const say = (tool: string, body: string) => {
      const id = `t${++said}`;
      lines.push(answer(`m-${id}`, 0), call(id, tool, { id }), result(id, body, { uuid: `r-${id}` }));
    };
    for (let mark = 0; mark < 80; mark++) say(mark % 20 === 19 ? "Grep" : "mcp__ci__status", text(mark, "queued"));
    lines.push(microcompact(["t70", "t71"]));
    // With some settings, Grep's results are stale from here on.
    say("Bash", "x".repeat(300));
    for (const mark of [5, 14, 16, 18, 30, 60, 79]) say("mcp__ci__status", text(mark, "done ✓"));
    for (const mark of [5, 14, 15, 16, 17, 30]) say("mcp__ci__status", text(mark, "queued"));
    lines.push(boundary(["r-t31"]));
    for (const mark of [30, 16]) say("mcp__ci__status", text(mark, "at last"));
    const data = compareLines(...lines);
    expect(data.contexts).toHaveLength(1);
    const savings = byKernel("s.jsonl", asBytes(logText(...lines)), DEFAULT_SETTINGS, 997, {
      strategies: true,
    }).contexts.flatMap(({ strategies }) => new StrategyRows(strategies));
    const near = (rows: StrategyRows) =>
      Array.from({ length: rows.length }, (_, row) => row).filter(
        row => rows.find(row, "near-unbounded") && !rows.find(row, "whole-unbounded"),
      );
    // Only the last 64 of the first 80 are compared, and after the compaction only the one that it kept.
    expect(savings.map(near)).toEqual([[83, 84, 85, 86, 87, 94]]);
  });

  it("where names are missing, odd or equal", () => {
    compareLines(
      call("", "", { file_path: "" }),
      result("", "x".repeat(300)),
      result("ü\ud800", "y".repeat(300), { uuid: "" }),
      result("ü", "y".repeat(300), { uuid: "" }),
      boundary([""]),
      call("Bash", "Bash", { Bash: "Bash\n".repeat(80) }, { uuid: "Bash" }),
      result("Bash", "Bash\n".repeat(80), { uuid: "Bash" }),
      boundary(["Bash"]),
      result("unknown", "Bash\n".repeat(80), { timestamp: "+275760-09-13T00:00:00.001Z" }),
    );
  });
});

describe("a log read by the kernel in two steps", () => {
  it("gives the same figures and the same facts as in one step, wherever the first one ended", async () => {
    await fc.assert(
      turning(anySession(40), fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const bytes = asBytes(text);
        const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: false, keepFacts: true };
        const saved = structuredClone(
          packedFactsOf("s.jsonl", bytes.subarray(0, Math.round(share * bytes.length)), DEFAULT_SETTINGS),
        );
        const log = new FiguresPipeline("s.jsonl", options, saved);
        log.push(asBytes(bytes.subarray(saved.reader.offset)));
        expect(log.data()).toEqual(byReplay("s.jsonl", bytes, DEFAULT_SETTINGS));
        const [whole] = SETTINGS.slice(2);
        const again = log.save();
        if (again === undefined || whole === undefined) throw new Error("facts were not kept");
        expect(byKernelFrom("s.jsonl", again, whole)).toEqual(byReplay("s.jsonl", bytes, whole));
      }),
      { numRuns: 40 },
    );
  });
});

describe("the kernel", () => {
  it("leaves a log to the JavaScript replay if it fails", () => {
    const path = join(REPOSITORY, "media", "sample.jsonl");
    const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: false, keepFacts: false };
    const failing = vi.spyOn(ReplayKernel.prototype, "takeRead").mockImplementation(() => {
      throw new KernelFailure();
    });
    try {
      expect(replayLog(path, options, { cache: undefined }, () => {})).toEqual(
        byReplay(path, readFileSync(path), DEFAULT_SETTINGS),
      );
      expect(failing).toHaveBeenCalled();
    } finally {
      failing.mockRestore();
    }
  });

  it("does not mix up two logs", () => {
    const path = join(REPOSITORY, "media", "sample.jsonl");
    const options = { settings: DEFAULT_SETTINGS, keepEvents: false, keepDetails: false, keepFacts: false };
    const [one, other] = [new FiguresPipeline(path, options), new FiguresPipeline(path, options)];
    expect(() => one.push(readFileSync(path))).toThrow("another log was begun");
    expect(() => one.data()).toThrow("another log was begun");
    other.push(readFileSync(path));
    expect(other.data()).toEqual(byReplay(path, readFileSync(path), DEFAULT_SETTINGS));
  });

  it("numbers outcomes and the cells of rows as everything else does", () => {
    const outcomes = Object.entries(Layout).filter(([name]) => /^(?:HIT|MISS_.*|BYPASS_.*)$/.test(name));
    const named = outcomes.map(([name, code]) => [
      name.toLowerCase().replaceAll("_", ""),
      OUTCOMES[code]?.toLowerCase().replace(":", ""),
    ]);
    expect(named.filter(([name, outcome]) => name !== outcome)).toEqual([]);
    expect(Layout.ROW_WORDS).toBe(ROW_WIDTH);
  });
});
