import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Json, logText, read, result, textOf } from "../../support/log.js";
import { dataOf, reportOf } from "../../support/replay.js";

function reading(id: string, uuid: string, letter = "a"): Json[] {
  return [read(id, `/${letter}`), result(id, textOf(300, letter), { uuid })];
}

const file = (path: string, ...lines: Json[]) => dataOf(path, logText(...lines));

describe("a line that is in several files", () => {
  const original = file("a.jsonl", ...reading("1", "u1"), ...reading("2", "u2"));
  const fork = file("b.jsonl", ...reading("1", "u1"), ...reading("2", "u2"), ...reading("3", "u3"));
  const report = reportOf([original, fork]);

  it("is counted once in the totals", () => {
    expect(report.totals).toMatchObject({ results: 3, hits: 2, misses: 1, bytes: 900, copiedResults: 2 });
  });

  it("is counted once by tool and by project and in the sweep", () => {
    expect(report.tools).toMatchObject([{ tool: "Read", results: 3, hits: 2 }]);
    expect(report.projects).toMatchObject([{ sessions: 2, results: 3, hits: 2 }]);
    expect(report.sweep[4]).toMatchObject({ capacity: 5, hits: 2 });
  });

  it("counts in each session that has it", () => {
    const results = report.sessions.map(({ contexts }) => contexts[0]?.partitions[0]);
    expect(results).toMatchObject([
      { results: 2, hits: 1 },
      { results: 3, hits: 2 },
    ]);
  });

  it("is counted in the first file by name, whatever their order", () => {
    expect(reportOf([fork, original]).totals).toEqual(report.totals);
  });
});

describe("what is no copy", () => {
  it("is an equal body on a separate line", () => {
    const report = reportOf([file("a.jsonl", ...reading("1", "u1")), file("b.jsonl", ...reading("1", "u9"))]);
    expect(report.totals).toMatchObject({ results: 2, copiedResults: 0 });
  });

  it("is a line without a uuid", () => {
    const lines = [read("1", "/a"), result("1", textOf(300))];
    expect(reportOf([file("a.jsonl", ...lines), file("b.jsonl", ...lines)]).totals).toMatchObject({
      results: 2,
      copiedResults: 0,
    });
  });

  it("is a second result on the same line", () => {
    const blocks = ["1", "2"].map(id => ({ type: "tool_result", tool_use_id: id, content: textOf(300, id) }));
    const line = { type: "user", uuid: "u1", message: { content: blocks } };
    expect(reportOf([file("a.jsonl", line)]).totals).toMatchObject({ results: 2, misses: 2, copiedResults: 0 });
    expect(reportOf([file("a.jsonl", line), file("b.jsonl", line)]).totals).toMatchObject({
      results: 2,
      copiedResults: 2,
    });
  });

  it("is any of 40,000 different lines", () => {
    const uuid = (at: number) =>
      hash("sha256", `${at}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
    const lines = Array.from({ length: 40_000 }, (_, at) => result(`t${at}`, "x", { uuid: uuid(at) }));
    expect(reportOf([file("a.jsonl", ...lines)]).totals).toMatchObject({ results: 40_000, copiedResults: 0 });
  });
});
