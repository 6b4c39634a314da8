import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LineFinder } from "../../../src/hook/lineFinder.js";
import { call, type Json, logText, prompt, result } from "../../support/log.js";

const folder = mkdtempSync(join(tmpdir(), "dedup-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A finder over all lines of a log. */
function finderOf(lines: readonly (Json | string)[], options: { begin?: number; agent?: string } = {}): LineFinder {
  const path = join(folder, "s.jsonl");
  const text = logText(...lines);
  writeFileSync(path, text);
  const file = openSync(path, "r");
  opened.push(file);
  const begin = options.begin ?? 0;
  const end = Buffer.byteLength(text);
  const count = Buffer.from(text).subarray(begin).toString("utf8").split("\n").length - 1;
  return new LineFinder({ file, agentOfFile: options.agent, begin, end, lines: count });
}
const opened: number[] = [];
afterAll(() => opened.forEach(closeSync));

describe("a line that is no longer remembered", () => {
  const chain = [
    prompt("go", { uuid: "p", parentUuid: null }),
    call("1", "Bash", {}, { uuid: "c1", parentUuid: "p" }),
    result("1", "x", { uuid: "r1", parentUuid: "c1" }),
    "no JSON",
    { type: "attachment", uuid: "h1", parentUuid: "r1" },
    prompt("more", { uuid: "q", parentUuid: "h1" }),
  ];

  it("is found with its number and the newest call that it comes from", () => {
    const finder = finderOf(chain);
    expect(finder.find("q")).toEqual({ line: 6, node: 2 });
    expect(finder.find("r1")).toEqual({ line: 3, node: 2 });
    expect(finder.find("c1")).toEqual({ line: 2, node: 2 });
    expect(finder.find("p")).toEqual({ line: 1, node: 0 });
    expect(finder.find("gone")).toBeUndefined();
  });

  it("keeps its place if it is copied", () => {
    const [go, first, answer] = chain;
    const other = [
      call("2", "Bash", {}, { uuid: "c2", parentUuid: "r1" }),
      result("2", "y", { uuid: "r2", parentUuid: "c2" }),
    ];
    // A copy of a call, of its parent's line, and of a result with another parent: all come after the other call.
    const moved = result("1", "x", { uuid: "r1", parentUuid: "r2" });
    const later = prompt("later", { uuid: "l", parentUuid: "r1" });
    const finder = finderOf([go, first, answer, ...other, first, go, moved, later] as Json[]);
    expect(finder.find("c1")).toEqual({ line: 6, node: 2 });
    expect(finder.find("r1")).toEqual({ line: 8, node: 2 });
    expect(finder.find("l")).toEqual({ line: 9, node: 2 });
    expect(finder.find("p")).toEqual({ line: 7, node: 0 });
    expect(finder.find("r2")).toEqual({ line: 5, node: 4 });
    // Its parent came only with the copy.
    expect(finderOf([answer, go, first, answer] as Json[]).find("r1")).toEqual({ line: 4, node: 0 });
  });

  it("continues a compaction from what it kept, the newest first", () => {
    const kept = { preservedMessages: { allUuids: ["r1", "r2", "r3"] } };
    const boundary = { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null };
    const calls = ["1", "2"].flatMap(id => [
      call(id, "Bash", {}, { uuid: `c${id}`, parentUuid: null }),
      result(id, "x", { uuid: `r${id}`, parentUuid: `c${id}` }),
    ]);
    const compacted = { ...boundary, logicalParentUuid: "reminder", compactMetadata: kept };
    expect(finderOf([...calls, compacted]).find("b")).toEqual({ line: 5, node: 3 });
    expect(finderOf([calls[1] as Json, ...calls, compacted]).find("b")).toEqual({ line: 6, node: 4 });
    expect(finderOf([...calls.slice(0, 2), compacted]).find("b")).toEqual({ line: 3, node: 1 });
    // The parent itself comes before all that stand in for it.
    expect(finderOf([...calls, { ...compacted, logicalParentUuid: "r1" }]).find("b")).toEqual({ line: 5, node: 1 });
  });

  it("is one of its own context", () => {
    const nested = { type: "progress", uuid: "n", parentUuid: "r1", data: { uuid: "inner" } };
    const aside = prompt("aside", { uuid: "a", parentUuid: "r1", isSidechain: true, agentId: "x" });
    const finder = finderOf([...chain, nested, aside]);
    expect(finder.find("n")).toEqual({ line: 7, node: 2 });
    expect(finder.find("inner")).toBeUndefined();
    expect(finder.find("a")).toBeUndefined();
    expect(finderOf([...chain, aside], { agent: "x" }).find("a")).toEqual({ line: 7, node: 2 });
  });

  it("comes from no call if its parents are missing or circular", () => {
    const round = [
      prompt("a", { uuid: "a", parentUuid: "b" }),
      prompt("b", { uuid: "b", parentUuid: "a" }),
      prompt("c", { uuid: "c", parentUuid: "gone" }),
      prompt("d", { uuid: "d", parentUuid: "d" }),
    ];
    const finder = finderOf(round);
    for (const [at, uuid] of ["a", "b", "c", "d"].entries()) {
      expect(finder.find(uuid)).toEqual({ line: at + 1, node: 0 });
    }
  });

  it("is not searched for before the start of what was read", () => {
    const begin = Buffer.byteLength(logText(...chain.slice(0, 2))) + 5;
    const finder = finderOf(chain, { begin });
    expect(finder.find("p")).toBeUndefined();
    // The first line is incomplete.
    expect(finder.find("h1")).toEqual({ line: 3, node: 0 });
  });

  it("is found wherever the log's pieces begin", () => {
    // Pieces have 1 MB. Lines of about a third of that, each a little longer, cross every border.
    const size = (1024 * 1024) / 3;
    const steps = Array.from({ length: 12 }, (_, at) => [
      call(`${at}`, "Bash", {}, { uuid: `c${at}`, parentUuid: at === 0 ? null : `r${at - 1}` }),
      result(`${at}`, "x".repeat(size + at), { uuid: `r${at}`, parentUuid: `c${at}` }),
    ]);
    const finder = finderOf(steps.flat());
    for (const at of steps.keys()) {
      expect(finder.find(`r${at}`)).toEqual({ line: 2 * at + 2, node: 2 * at + 1 });
    }
    // Just before, on and after a border, byte by byte.
    for (let shift = 0; shift < 60; shift++) {
      const filler = { type: "progress", data: "x".repeat(1024 * 1024 - 160 + shift) };
      const found = finderOf([...chain, filler]).find("q");
      expect(found).toEqual({ line: 6, node: 2 });
    }
  });

  it("is given up after a quarter of a gigabyte", () => {
    const filler = { type: "progress", data: "x".repeat(10 * 1024 * 1024) };
    const finder = finderOf([...chain, filler]);
    for (let search = 0; search < 24; search++) expect(finder.find(`gone ${search}`)).toBeUndefined();
    expect(finder.find("q")).toEqual({ line: 6, node: 2 });
    expect(finder.find("gone")).toBeUndefined();
    expect(finder.find("q")).toBeUndefined();
  });
});
