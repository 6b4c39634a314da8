import { describe, expect, it } from "vitest";
import { bytesOf } from "../../../src/log/bytes.js";
import { type Fact, withStrings } from "../../../src/log/facts.js";
import { LogReader } from "../../../src/log/logReader.js";
import { answer, boundary, type Json, logText, microcompact, prompt, replacement, result } from "../../support/log.js";

function readingOf(...lines: (Json | string)[]) {
  const facts: (Fact & { context: string })[] = [];
  const reader = new LogReader((context, fact) => facts.push({ context: context.id, ...withStrings(fact) }));
  reader.push(bytesOf(logText(...lines)));
  return { facts, reader };
}

const rewindsIn = (...lines: Json[]) =>
  readingOf(...lines).facts.flatMap(fact => (fact.fact === "rewind" ? `${fact.line} to ${fact.toLine}` : []));

describe("a rewind", () => {
  const start = [prompt("go", { uuid: "u1" }), answer("m1", 5, { uuid: "u2", parentUuid: "u1" })];

  it("is a prompt after a line that an answer has already followed", () => {
    expect(rewindsIn(...start, prompt("again", { uuid: "u3", parentUuid: "u1" }))).toEqual(["3 to 1"]);
  });

  it("is not a prompt that simply continues", () => {
    expect(rewindsIn(...start, prompt("next", { uuid: "u3", parentUuid: "u2" }))).toEqual([]);
    expect(
      rewindsIn(...start, prompt("a", { uuid: "u3", parentUuid: "u2" }), prompt("b", { parentUuid: "u2" })),
    ).toEqual([]);
  });

  it("may be Claude Code's own text too, or a system line", () => {
    expect(rewindsIn(...start, prompt("x", { parentUuid: "u1", isMeta: true }))).toEqual(["3 to 1"]);
    expect(rewindsIn(...start, { type: "system", subtype: "local_command", parentUuid: "u1" })).toEqual(["3 to 1"]);
    expect(rewindsIn(...start, { type: "attachment", parentUuid: "u1" })).toEqual([]);
  });

  it("is not the summary of a compaction", () => {
    for (const parentUuid of ["u1", null]) {
      expect(rewindsIn(...start, prompt("x", { parentUuid, isCompactSummary: true }))).toEqual([]);
    }
  });

  it("is a prompt that starts over after an answer, unless a compaction came in between", () => {
    const anew = prompt("x", { parentUuid: null });
    expect(rewindsIn(anew, ...start, anew)).toEqual(["4 to 0"]);
    expect(rewindsIn(...start, boundary(), anew)).toEqual([]);
    expect(rewindsIn(...start, boundary(), answer("m2", 5), anew)).toEqual(["5 to 0"]);
    expect(rewindsIn(...start, { type: "system", parentUuid: null })).toEqual([]);
  });

  it("is not a tool result, even one that names no call", () => {
    expect(rewindsIn(...start, result("t1", "x", { parentUuid: "u1" }))).toEqual([]);
    const nameless = { type: "user", parentUuid: "u1", message: { content: [{ type: "tool_result", content: "x" }] } };
    expect(rewindsIn(...start, nameless)).toEqual([]);
  });

  it("is a prompt made of blocks too", () => {
    const blocks = { type: "user", parentUuid: "u1", message: { content: [{ type: "text", text: "again" }] } };
    expect(rewindsIn(...start, blocks)).toEqual(["3 to 1"]);
  });

  it.each([
    ["none at all", undefined],
    ["a line that is not in the file", "gone"],
    ["itself", "u9"],
  ])("needs a parent, not %s", (_, parentUuid) => {
    expect(rewindsIn(...start, prompt("x", { uuid: "u9", parentUuid }))).toEqual([]);
  });

  it("stays in its context: parents and answers of others do not count", () => {
    const aside = { isSidechain: true, agentId: "a" };
    expect(rewindsIn(...start, prompt("x", { parentUuid: "u1", ...aside }))).toEqual([]);
    expect(rewindsIn(prompt("go", { uuid: "u1" }), answer("m", 5, aside), prompt("x", { parentUuid: "u1" }))).toEqual(
      [],
    );
  });

  it("goes to the newest line of that uuid, and may go to a line of any type", () => {
    expect(rewindsIn(...start, { type: "attachment", uuid: "u1" }, prompt("x", { parentUuid: "u1" }))).toEqual([]);
    for (const type of ["system", "attachment", "progress", "assistant", "user", "content-replacement"]) {
      const lines = [{ type, uuid: "p" }, answer("m", 5), prompt("x", { parentUuid: "p" })];
      expect(rewindsIn(...lines)).toEqual(["3 to 1"]);
    }
  });

  it("does not get lost in circular parents", () => {
    const round = [prompt("a", { uuid: "a", parentUuid: "b" }), answer("m", 5, { uuid: "b", parentUuid: "a" })];
    expect(rewindsIn(...round, prompt("c", { uuid: "c", parentUuid: "c" }))).toEqual([]);
  });
});

const boundaryOf = (line: Json) => readingOf(line).facts.flatMap(fact => (fact.fact === "boundary" ? [fact] : []));

describe("a compaction", () => {
  const of = (preservedMessages: unknown) =>
    boundaryOf({ type: "system", subtype: "compact_boundary", compactMetadata: { preservedMessages } })[0]?.preserved;

  it("names the lines that stay: allUuids, else uuids, else none", () => {
    expect(of({ allUuids: ["a", "b"], uuids: ["a"] })).toEqual(["a", "b"]);
    expect(of({ uuids: ["a"] })).toEqual(["a"]);
    expect(of({})).toEqual([]);
    expect(of(undefined)).toEqual([]);
    expect(of({ allUuids: ["a", 5, null] })).toEqual(["a"]);
    for (const odd of [null, 5, "text", ["a"]]) {
      expect(boundaryOf({ type: "system", subtype: "compact_boundary", compactMetadata: odd })[0]?.preserved).toEqual(
        [],
      );
    }
  });

  it("is recognized by its own line alone", () => {
    expect(boundaryOf(prompt("This session is being continued", { isCompactSummary: true }))).toEqual([]);
    expect(boundaryOf({ type: "user", subtype: "compact_boundary" })).toEqual([]);
    expect(boundaryOf({ type: "system", subtype: "turn_duration" })).toEqual([]);
    expect(boundaryOf(boundary())).toHaveLength(1);
  });
});

describe("cleared results", () => {
  const clearsIn = (...lines: Json[]) =>
    readingOf(...lines).facts.flatMap(fact =>
      fact.fact === "clear" ? [`${fact.context} ${fact.by} ${fact.ids}`] : [],
    );

  it("are named by a micro-compaction", () => {
    expect(clearsIn(microcompact(["t1", "t2"]))).toEqual(["main microcompact t1,t2"]);
    expect(clearsIn(microcompact(["t1"], { isSidechain: true, agentId: "a" }))).toEqual(["a microcompact t1"]);
  });

  it("are named by a replacement, in the context of its line", () => {
    const aside = { isSidechain: true, agentId: "a" };
    expect(clearsIn(replacement(["t1"]), answer("m", 5))).toEqual(["main replacement t1"]);
    expect(clearsIn(replacement(["t1"], { agentId: "a" }), answer("m", 5, aside))).toEqual(["a replacement t1"]);
    expect(clearsIn(answer("m", 5), replacement(["t1"]))).toEqual(["main replacement t1"]);
    expect(clearsIn(answer("m", 5, aside), replacement(["t1"], aside))).toEqual(["a replacement t1"]);
    const nameless = { isSidechain: true };
    expect(clearsIn(answer("m", 5), answer("n", 5, nameless), replacement(["t1"], nameless))).toEqual([
      "sidechain replacement t1",
    ]);
  });
});

describe("samples for the calibration", () => {
  const usage = (input: number, id: string) => answer(id, input);
  const samplesOf = (...between: Json[]) => readingOf(usage(1000, "m1"), ...between, usage(2210, "m2")).reader.samples;

  it("come from requests between which only text results were added", () => {
    // 2,210 − 1,000 − 10 of the answer.
    expect(samplesOf(result("t1", "x".repeat(3000)))).toEqual([{ model: "m", chars: 3000, tokens: 1200 }]);
    expect(samplesOf(result("t1", "x".repeat(2000)), result("t2", "é".repeat(500)))).toEqual([
      { model: "m", chars: 2500, tokens: 1200 },
    ]);
  });

  it("count an error's text too: the model read it", () => {
    expect(samplesOf(result("t1", "x".repeat(3000), { is_error: true }))).toHaveLength(1);
  });

  it.each([
    ["a prompt", prompt("hello")],
    ["Claude Code's own text", prompt("reminder", { isMeta: true })],
    ["an attachment", { type: "attachment", attachment: { type: "file" } }],
    ["a compaction", boundary()],
    ["a micro-compaction", microcompact([])],
    ["a replacement", replacement([])],
    ["a picture", result("t2", [{ type: "image" }])],
    ["an API error", answer("e", 0, { message: { model: "<synthetic>" } })],
  ])("are not taken across %s", (_, line) => {
    expect(samplesOf(result("t1", "x".repeat(3000)), line)).toEqual([]);
  });

  it("are not spoilt by lines that the model never sees", () => {
    const unseen = [
      { type: "progress" },
      { type: "file-history-snapshot" },
      { type: "system", subtype: "turn_duration" },
    ];
    expect(samplesOf(result("t1", "x".repeat(3000)), ...unseen)).toHaveLength(1);
  });
});
