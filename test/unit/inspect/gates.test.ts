import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer, boundary, call, type Json, result, textOf } from "../../support/log.js";
import { dataOf, reportOf, reportOn } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

/** 260 characters are 100 tokens. */
const body = (mark: string) => textOf(260, mark);

let calls = 0;
function reading(path: string, mark: string, input: Json = {}): Json[] {
  const id = `r${++calls}`;
  return [call(id, "Read", { file_path: path, ...input }), result(id, body(mark))];
}

function editing(path: string, more: Json = {}): Json[] {
  const id = `e${++calls}`;
  return [call(id, "Edit", { file_path: path }), result(id, "done", more)];
}

const gatesOn = (...lines: Json[]) => reportOn(lines).gates;
const counts = (...lines: Json[]) =>
  Object.fromEntries(gatesOn(...lines).gates.map(({ gate, results }) => [gate, results]));

describe("the gates", () => {
  it("recognize new text of a file read before by its lines", () => {
    expect(
      counts(
        ...reading("/a", "one"),
        ...reading("/a", "two", { offset: 10, limit: 5 }),
        ...reading("/a", "three", { offset: 10, limit: 5 }),
        ...reading("/b", "four", { offset: 10, limit: 5 }),
      ),
    ).toEqual({ new: 2, otherRange: 1, changed: 1 });
  });

  it("match the engine's outcomes for everything else", () => {
    expect(
      counts(
        ...reading("/a", "one"),
        ...reading("/a", "one"),
        ...editing("/a"),
        ...reading("/a", "one"),
        boundary(),
        ...reading("/a", "one"),
        result("x", body("y"), { is_error: true }),
        result("i", [{ type: "image" }]),
      ),
    ).toEqual({ new: 1, hit: 1, mutation: 1, invalidated: 1, compacted: 1, error: 1, nonText: 1 });
  });

  it("are counted by tool", () => {
    const { tools } = gatesOn(...reading("/a", "1"), ...reading("/a", "2"), ...editing("/a"));
    expect(tools).toEqual([
      { tool: "Read", results: 2, bytes: 520, tokens: 200, gates: { new: 1, changed: 1 } },
      { tool: "Edit", results: 1, bytes: 4, tokens: 2, gates: { mutation: 1 } },
    ]);
  });
});

describe("the files", () => {
  it("show how often they were read again, and which lines twice", () => {
    const { reread, overlapping } = gatesOn(
      ...reading("/a", "1", { offset: 1, limit: 10 }),
      ...reading("/a", "2", { offset: 11, limit: 10 }),
      ...reading("/a", "3", { offset: 20, limit: 5 }),
      ...reading("/a", "4"),
      ...reading("/b", "5"),
      boundary(),
      ...reading("/b", "6"),
    );
    expect(reread.map(({ path, reads, rereads }) => [path, reads, rereads])).toEqual([
      ["/a", 4, 3],
      ["/b", 2, 1],
    ]);
    // Line 20 was read twice, and then the whole file; what was read of /b before the compaction is gone.
    expect(overlapping.map(file => [file.path, file.overlapping, file.overlappingTokens])).toEqual([["/a", 2, 200]]);
  });

  it("show which reads became stale while the model still had them", () => {
    const { stale } = gatesOn(
      ...reading("/a", "1"),
      ...reading("/a", "2", { offset: 5 }),
      ...editing("/a", { is_error: true }),
      ...editing("/a"),
      // Nothing new was read in between.
      ...editing("/a"),
      ...reading("/b", "3"),
      boundary(),
      ...editing("/b"),
    );
    expect(stale.map(file => [file.path, file.stale, file.staleTokens])).toEqual([["/a", 2, 200]]);
  });
});

describe("the largest results", () => {
  it("are named by their place, largest first", () => {
    const { largest } = gatesOn(
      result("1", textOf(300)),
      call("2", "Read", { file_path: "/a" }),
      result("2", textOf(520, "b")),
      answer("m", 5),
    );
    expect(largest).toEqual([
      { file: "s.jsonl", context: "main", line: 3, tool: "Read", path: "/a", bytes: 520, tokens: 200, gate: "new" },
      { file: "s.jsonl", context: "main", line: 1, tool: "", path: null, bytes: 300, tokens: 115, gate: "new" },
    ]);
  });

  it("are the right twenty of many", () => {
    const lines = Array.from({ length: 200 }, (_, at) => result(`${at}`, textOf(300 + ((at * 37) % 200), `${at}`)));
    const sizes = gatesOn(...lines).largest.map(({ bytes }) => bytes);
    expect(sizes).toEqual(Array.from({ length: 20 }, (_, at) => 499 - at));
  });
});

describe("for any session", () => {
  it("every result goes through exactly one gate, and the sums match the report", async () => {
    await fc.assert(
      turning(anySession(60), text => {
        const { gates, totals, tools } = reportOf([dataOf("s.jsonl", text)]);
        const sum = (of: (one: (typeof gates.gates)[number]) => number) =>
          gates.gates.reduce((all, one) => all + of(one), 0);
        expect(sum(one => one.results)).toBe(totals.results);
        expect(sum(one => one.bytes)).toBe(totals.bytes);
        const of = (name: string) => gates.gates.find(({ gate }) => gate === name)?.results ?? 0;
        expect(of("hit")).toBe(totals.hits);
        for (const [name, count] of Object.entries({ ...totals.bypassed, ...totals.forgone }))
          expect(of(name)).toBe(count);
        for (const one of gates.tools) {
          expect(one.results).toBe(tools.find(({ tool }) => tool === one.tool)?.results);
        }
      }),
      { numRuns: 60 },
    );
  });
});
