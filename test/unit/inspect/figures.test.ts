import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addFigures, emptyFigures, type Figures, rounded } from "../../../src/inspect/figures.js";
import { answer, boundary, call, type Json, read, result, textOf } from "../../support/log.js";
import { dataOf, reportOf, reportOn } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

/**
 * Without samples a token is 2.6 characters, and a standard hint on a call with a one-letter id has 26 of them: a body
 * of 286 characters is 110 tokens, its hint 10, and so a hit on it saves 260 characters or 100 tokens.
 */
const BODY = 286;

function reading(id: string, message: string, more: Json = {}): Json[] {
  return [read(id, "/a", { message: { id: message } }), result(id, textOf(BODY), more)];
}

const partitionsOf = (lines: Json[]) => reportOn(lines).sessions[0]?.contexts[0]?.partitions ?? [];

describe("the figures of a partition", () => {
  it("count results by outcome, and what they cost", () => {
    const lines = [
      ...reading("1", "m1"),
      ...reading("2", "m2"),
      answer("m3", 0),
      answer("m3", 500),
      answer("m4", 500),
      boundary(),
      ...reading("3", "m5"),
      answer("m6", 0),
    ];
    const [first, second] = partitionsOf(lines);
    expect(first).toEqual({
      ...emptyFigures(),
      index: 0,
      results: 2,
      hits: 1,
      misses: 1,
      bytes: 572,
      savedBytes: 260,
      tokens: 220,
      savedTokens: 100,
      saved: { ...emptyFigures().saved, whole: { results: 1, bytes: 260, tokens: 100 } },
      // Two requests followed the hit: m3, on two lines, and m4. m6 is in the next partition.
      carriedTokens: 200,
    });
    const forgone = { ...emptyFigures().forgone, compacted: 1 };
    expect(second).toEqual({
      ...emptyFigures(),
      index: 1,
      results: 1,
      misses: 1,
      forgone,
      // The hit that the compaction prevented would have saved as much as the one before it.
      forgoneTokens: 100,
      bytes: 286,
      tokens: 110,
    });
  });

  it("distinguish whole results, near-references and runs of lines, which add up to what is saved", () => {
    const poll = (value: number) => JSON.stringify({ value, text: "x".repeat(600) });
    // 40 lines of 25 characters with 39 line breaks; the text has 1039 of them.
    const lines = Array.from({ length: 40 }, (_, at) => `this is line number ${at}`.padEnd(25, "."));
    const text = lines.join("\n");
    const changed = lines.with(20, "another line").join("\n");
    const asked = (id: string, body: string) => [read(id, "/a", { message: { id: `m${id}` } }), result(id, body)];
    const report = reportOn(
      [
        ...asked("1", text),
        ...asked("2", text),
        ...asked("3", changed),
        ...asked("4", poll(1)),
        ...asked("5", poll(2)),
      ],
      {
        runs: true,
        spanMinBytes: 200,
        nearRef: true,
      },
    );
    const hint = "> [ref: 1, byte-identical]".length;
    const near = "> [near-ref: 4, value: 1→2]";
    // 20 lines before the changed one, 19 after it.
    const runs = 20 * 25 + 19 - "> [ref: 1 lines 1-20]".length + (19 * 25 + 18) - "> [ref: 1 lines 22-40]".length;
    const tokens = (chars: number) => Math.round(chars / 2.6);
    const saved = {
      whole: { results: 1, bytes: 1039 - hint, tokens: tokens(1039 - hint) },
      near: {
        results: 1,
        bytes: poll(2).length - Buffer.byteLength(near),
        tokens: tokens(poll(2).length - near.length),
      },
      runs: { results: 1, bytes: runs, tokens: tokens(runs) },
    };
    expect(report.totals).toMatchObject({ results: 5, hits: 1, nearHits: 1, misses: 3, runHits: 1, saved });
    expect(report.totals.savedBytes).toBe(saved.whole.bytes + saved.near.bytes + saved.runs.bytes);
    expect(report.tools[0]).toMatchObject({ runHits: 1, saved });
    // The result itself cannot replace another: it was not given in full.
    expect(report.sessions[0]?.contexts[0]?.events?.[2]).toEqual({
      kind: "miss",
      line: 6,
      at: null,
      partition: 0,
      id: "3",
      tool: "Read",
      bytes: changed.length,
      why: "new",
      runs: [
        { ref: "1", from: 1, to: 20, bytes: 519 },
        { ref: "1", from: 22, to: 40, bytes: 493 },
      ],
      savedBytes: runs,
    });
  });

  it("add up in any session, and count each miss with runs once", async () => {
    let found = 0;
    await fc.assert(
      turning(anySession(60), text => {
        const settings = { runs: true, spanMinBytes: 200, nearRef: true, minBytes: 0 };
        const report = reportOf([dataOf("s.jsonl", text, { settings })], settings);
        for (const context of report.sessions.flatMap(({ contexts }) => contexts)) {
          for (const { index, saved, savedBytes, savedTokens, hits, nearHits, runHits, misses } of context.partitions) {
            const parts = Object.values(saved);
            expect(parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(savedBytes);
            // Each is rounded separately.
            expect(Math.abs(parts.reduce((sum, part) => sum + part.tokens, 0) - savedTokens)).toBeLessThanOrEqual(2);
            expect(parts.map(({ results }) => results)).toEqual([hits, nearHits, runHits]);
            const withRuns = (context.events ?? []).filter(
              event => event.kind === "miss" && event.runs !== undefined && event.partition === index,
            );
            expect(runHits).toBe(withRuns.length);
            expect(misses).toBeGreaterThanOrEqual(runHits);
            found += runHits;
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(found).toBeGreaterThan(0);
  });

  it("count bytes of all texts, including errors, and nothing that is not text", () => {
    const lines = [
      result("1", "é".repeat(10)),
      result("2", "no such file", { is_error: true }),
      result("3", [{ type: "image" }]),
    ];
    expect(partitionsOf(lines)[0]).toMatchObject({
      results: 3,
      bytes: 32,
      tokens: 8, // 22 characters ÷ 2.6 = 8.46
      bypassed: { small: 1, mutation: 0, error: 1, nonText: 1, native: 0, realised: 0 },
    });
  });

  it("separate what Claude Code saved, what live hints saved and what would be saved", () => {
    const stub = textOf(26, "File unchanged");
    const lines = [
      ...reading("1", "m1"),
      read("2", "/a", { message: { id: "m2" } }),
      result("2", stub, { toolUseResult: { type: "file_unchanged" } }),
      read("3", "/a", { message: { id: "m3" } }),
      result("3", "> [ref: 1, byte-identical]"),
      // Right after the hint it would count as asked for again.
      answer("m4", 0),
      ...reading("4", "m5"),
    ];
    expect(partitionsOf(lines)[0]).toMatchObject({
      nativeTokens: 100,
      realisedTokens: 100,
      savedTokens: 100,
      carriedTokens: 0,
      hits: 1,
      bypassed: { native: 1, realised: 1 },
    });
  });

  it("count invalidations and evictions by their cause", () => {
    const two = [
      read("1", "/a"),
      result("1", textOf(300, "a")),
      call("2", "Grep", { path: "/a" }),
      result("2", textOf(300, "b")),
    ];
    const edit = [call("e", "Edit", { file_path: "/a" }), result("e", "done")];
    expect(partitionsOf([...two, ...edit])[0]).toMatchObject({ invalidations: 2, evictions: 0 });
    const six = Array.from({ length: 6 }, (_, at) => result(`r${at}`, textOf(300, `${at}`)));
    expect(partitionsOf(six)[0]).toMatchObject({ invalidations: 0, evictions: 1, misses: 6 });
  });

  it("are listed for partitions without results too", () => {
    const found = partitionsOf([boundary(), boundary(), ...reading("1", "m1")]);
    expect(found.map(({ index, results }) => [index, results])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
  });
});

describe("figures", () => {
  const some: Figures = {
    ...emptyFigures(),
    results: 3,
    hits: 1,
    bypassed: { small: 1, mutation: 3, error: 0, nonText: 0, native: 0, realised: 2 },
    forgone: {
      evicted: 4,
      invalidated: 0,
      compacted: 0,
      cleared: 0,
      rewound: 0,
      shrunk: 5,
      parallel: 1,
      afterEdit: 2,
      fixed: 0,
      stopped: 0,
    },
    bytes: 100,
    tokens: 0.4,
    savedTokens: 2.5,
  };

  it("add up one by one", () => {
    const sum = emptyFigures();
    addFigures(sum, some);
    addFigures(sum, some);
    expect(sum).toMatchObject({ results: 6, hits: 2, bytes: 200, tokens: 0.8, savedTokens: 5, misses: 0 });
    expect(sum.bypassed).toEqual({ small: 2, mutation: 6, error: 0, nonText: 0, native: 0, realised: 4 });
    expect(sum.forgone).toEqual({
      stopped: 0,
      evicted: 8,
      invalidated: 0,
      compacted: 0,
      cleared: 0,
      rewound: 0,
      shrunk: 10,
      parallel: 2,
      afterEdit: 4,
      fixed: 0,
    });
  });

  it("are rounded as sums, not one by one", () => {
    const sum = emptyFigures();
    addFigures(sum, some);
    addFigures(sum, some);
    expect(rounded(sum)).toMatchObject({ tokens: 1, savedTokens: 5 });
  });

  it("start from nothing every time", () => {
    const first = emptyFigures();
    first.bypassed.small = 9;
    first.forgone.evicted = 9;
    expect(emptyFigures().bypassed.small).toBe(0);
    expect(emptyFigures().forgone.evicted).toBe(0);
  });
});

describe("what live hints saved", () => {
  const hint = (id: string, message: string) => [
    read(id, "/a", { message: { id: message } }),
    result(id, "> [ref: 1, byte-identical]"),
  ];
  const explanation = (chars: number) => {
    const content = ["Tool output `> [ref: ID".padEnd(chars, "x")];
    return { type: "attachment", attachment: { type: "hook_additional_context", content } };
  };
  const realised = (...lines: Json[][]) => partitionsOf(lines.flat()).map(({ realisedTokens }) => realisedTokens);

  it("is the text minus its hint", () => {
    expect(realised(reading("1", "m1"), hint("2", "m2"))).toEqual([100]);
  });

  it("is lost if the text is asked for again, and the hint with it", () => {
    // 100 saved, then the whole text of 110 after all: the hint's own 10 are what it cost.
    expect(realised(reading("1", "m1"), hint("2", "m2"), reading("3", "m3"))).toEqual([-10]);
  });

  it("has the cost of the explanation deducted, once", () => {
    // 52 characters are 20 tokens.
    expect(realised([explanation(52)], reading("1", "m1"), hint("2", "m2"), hint("3", "m3"))).toEqual([180]);
  });

  it("does not count what other hooks added", () => {
    const other = { type: "attachment", attachment: { type: "hook_additional_context", content: ["mine"] } };
    expect(realised([other], reading("1", "m1"), hint("2", "m2"))).toEqual([100]);
  });
});
