/**
 * The WebAssembly reader of facts against the JavaScript one: the same facts and the same state. Lines that no program
 * should write are compared in test/unit/scanner.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, it } from "vitest";
import { isTranscript } from "../../../src/log/sessionFiles.js";
import { checkReader } from "../../fuzz/scanner.js";
import { HOSTILE_KINDS, hostileLog } from "../../support/hostileLogs.js";
import { Chance, LineSource } from "../../support/liveLog.js";
import { answer, boundary, call, logText, prompt, read, result } from "../../support/log.js";
import { check, checkLines } from "../../support/readers.js";
import { FIXTURES, filesUnder, REPOSITORY } from "../../support/replay.js";
import { anySession } from "../../support/sessions.js";
import { turning } from "../../support/turns.js";

describe("both readers give the same facts", () => {
  it.each([...filesUnder(FIXTURES).filter(isTranscript), join(REPOSITORY, "media", "sample.jsonl")])("of %s", path => {
    check(readFileSync(path), 997, path);
  });

  it("for a log that is cut anywhere", () => {
    const bytes = Buffer.from(new LineSource(new Chance(7)).take(12));
    const ends = [...bytes.keys()].filter(at => at % 53 === 0 || bytes[at] === 0x0a || bytes[at - 1] === 0x0a);
    for (const cut of ends) checkReader("s.jsonl", [bytes.subarray(0, cut), bytes.subarray(cut)]);
  });

  it("for sessions in which anything may happen", async () => {
    await fc.assert(
      turning(anySession(80), fc.integer({ min: 1, max: 3000 }), (text, bytes) => check(text, bytes)),
      { numRuns: 60 },
    );
  });

  it("for subagents' own files", async () => {
    await fc.assert(
      turning(anySession(40), text => check(text, 997, "agent-a1.jsonl")),
      { numRuns: 20 },
    );
  });

  it.each(Object.keys(HOSTILE_KINDS))("of a log that repeats one thing: %s", kind => {
    check(hostileLog(kind, 60_000), 20_011);
  });

  it("for lines over one chunk, and for lines that are too long for one reader or both", () => {
    const line = "a long line of a long text ".repeat(400);
    const text = (length: number) => `${line}\n`.repeat(length / line.length);
    const picture = { type: "image", source: { data: "A".repeat(17 << 20) } };
    const log = logText(
      read("t1", "/a", { uuid: "a", parentUuid: null }),
      result("t1", text(1_500_000), { uuid: "b", parentUuid: "a" }),
      read("t2", "/b", { uuid: "c", parentUuid: "b" }),
      result("t2", text(3_000_000), { uuid: "d", parentUuid: "c" }),
      call("t3", "Write", { file_path: "/c", content: text(2_000_000) }, { uuid: "e", parentUuid: "d" }),
      result("t3", [picture], { uuid: "f", parentUuid: "e" }),
      prompt(text(17 << 20), { uuid: "g", parentUuid: "f" }),
      result("t1", text(400), { uuid: "h", parentUuid: "g" }),
    );
    check(log, 700_001);
  });

  it("for texts with more lines than fit in a table", () => {
    checkLines(read("t1", "/a"), result("t1", "\n".repeat(300_000)), read("t2", "/a"), result("t2", "x\n".repeat(99)));
  });
});

describe("both readers agree on", () => {
  const message = (id: string) => ({ message: { id, model: "m" } });

  it("parents that are missing, late, or copies", () => {
    const lines = [
      prompt("go", { uuid: "p", parentUuid: null }),
      call("t1", "Bash", { command: "make" }, { uuid: "a", parentUuid: "p", ...message("m1") }),
      result("t1", "made, and it took a while", { uuid: "b", parentUuid: "late" }),
      answer("m2", 90, { uuid: "late", parentUuid: "a" }),
      call("t2", "Bash", { command: "test" }, { uuid: "c", parentUuid: "b" }),
      result("t2", "tested, and it took a while", { uuid: "d", parentUuid: "c" }),
      call("t1", "Bash", { command: "make" }, { uuid: "a", parentUuid: "p", ...message("m1") }),
      call("t3", "Bash", { command: "ls" }, { uuid: "e", parentUuid: "a" }),
      result("t3", "a b c", { uuid: "f", parentUuid: "never" }),
      ...Array.from({ length: 20 }, (_, at) => answer(`n${at}`, 100 + at, { uuid: `n${at}`, parentUuid: "f" })),
      prompt("again", { uuid: "q", parentUuid: "a" }),
      { type: "system", uuid: "s", parentUuid: "p" },
      call("t4", "Bash", { command: "ls" }, { uuid: "g", parentUuid: "f" }),
      { type: "progress", uuid: "h" },
    ];
    checkLines(...lines, boundary(["b", "d", "b"]), ...lines);
  });

  it("paths and subjects, however they are written", () => {
    const paths = [
      "/a/b",
      "/a//b",
      "/a/./b",
      "/a/..",
      "/",
      "",
      ".",
      "x/../y",
      "C:\\a\\b",
      "c:\\a/b\\c d",
      "C:/a/b",
      "C:\\a\\..\\b",
      "C:\\a\\",
      "C:\\",
      "C:a",
      "C:",
      "C:\\é\\a",
      "1:\\a",
      `C:\\${"long\\".repeat(200)}name`,
      "\\\\host\\a",
      "/é/b",
      "/a/b.c",
      "/a/...",
      "a\ud800",
    ];
    const folders = [
      ...[undefined, "/a", "/", "", "/a/b", "C:\\a", "C:/A", "\\\\host", "/é", "rel", "\ud800"],
      ...["C:", "C:\\", "C:\\é", "c:\\a", "C:\\a\\b", "C", "é", "éé", "C:é", `C:\\${"long\\".repeat(60)}`],
    ];
    const subjects = [
      "ls",
      " two  blanks ",
      "a\nb\tc",
      "é",
      `${"x".repeat(59)} y`,
      "x".repeat(61),
      " ".repeat(300),
      `${" ".repeat(250)}x`,
      "\u007f\u0000a",
      "😀".repeat(70),
      "a\ud800b",
    ];
    let id = 0;
    const lines = paths.flatMap(path =>
      folders.flatMap(cwd => [
        call(`p${++id}`, id % 2 === 0 ? "Read" : "Edit", { file_path: path, offset: id, limit: 2 * id }, { cwd }),
        result(`p${id}`, `what ${id} returned`, { cwd }),
      ]),
    );
    const more = subjects.flatMap(command => [
      call(`s${++id}`, "Bash", { command, path: "/a" }, { cwd: "/a" }),
      result(`s${id}`, "done"),
    ]);
    checkLines(...lines, ...more);
  });

  it("times, however they are written", () => {
    const times = [
      "2026-01-02T03:04:05.678Z",
      "2024-02-29T00:00:00.000Z",
      "2025-02-29T00:00:00.000Z",
      "2026-04-31T00:00:00.000Z",
      "1999-12-31T23:59:59.999Z",
      "2026-01-01T24:00:00.000Z",
      "2026-01-01T00:00:60.000Z",
      "2026-13-01T00:00:00.000Z",
      "2026-01-02T03:04:05Z",
      "2026-01-02",
      "1969-12-31T23:59:59.000Z",
      "2026-01-02T03:04:05.678+02:00",
      "",
      "soon",
      "\ud800 half a pair",
      "x".repeat(99),
      "2026-01-02T03:04:05.6é8Z",
      "9999-12-31T23:59:59.999Z",
      "2026-01-0aT03:04:05.678Z",
      7,
      null,
    ];
    checkLines(
      ...times.flatMap((timestamp, at) => [
        { ...call(`t${at}`, "Bash", { command: "date" }, message(`m${at}`)), timestamp },
        { ...result(`t${at}`, "what the date command has printed"), timestamp },
        { type: "other", timestamp },
      ]),
    );
  });

  it("lists of matches, diffs and numbers of lines", () => {
    const texts = [
      "a.ts:1: one line\nb.ts:2: another\n",
      "a.ts:1: one line\nno match\nnone here\n",
      ":1: no path, but long enough\n",
      " a:1: a blank in front of it\n",
      "C:\\a:1: with a drive\r\nC:b:2: more\r\n",
      "1:2:3: all numbers\n",
      "\u00a0a:1: another kind of blank\n",
      "é:1: not ASCII, but a path\n",
      "C:\u3000a:1: a blank after a drive\n",
      "diff --git a/b a/b and more\n",
      "@@ -1,2 +3,4 @@ a hunk of a diff",
      "@@ -1 +1 @@ is a hunk too",
      "@@ -x +1 @@ is no hunk of any diff",
      "@@ -1 @ +1 @@ is no hunk either",
      "@@ -1+1 @@ is no hunk at all",
      "@@ -1 +1@@ is no hunk at all",
      "first line of it\rdiff --git after a return",
      "a separator\u2028diff --git after it",
      "x:1:\ry:2: odd breaks in the text",
    ];
    const tools = ["Bash", "Grep", "Glob", "Read", "PowerShell", "mcp__a__b", ""];
    checkLines(
      ...texts.flatMap((text, at) =>
        tools.flatMap((tool, of) => [call(`${at}-${of}`, tool, { query: text }), result(`${at}-${of}`, text)]),
      ),
    );
  });

  it("what a header needs: sessions, folders, versions, models, titles and prompts", () => {
    checkLines(
      { type: "mode", mode: "plan" },
      { type: "mode", version: "1" },
      prompt("<command>x</command>", { sessionId: "s1" }),
      prompt("the first thing to do", { cwd: "/a", version: "2" }),
      answer("m1", 10, { version: "2", sessionId: "s2", cwd: "/b" }),
      answer("m2", 20, { version: "", message: { id: "m2", model: "<synthetic>" } }),
      answer("m3", 30, { version: "1", message: { id: "m3", model: "other" } }),
      answer("m4", 40, { message: { id: "m4" } }),
      { type: "custom-title", customTitle: "a title" },
      { type: "summary", summary: "another", leafUuid: "x" },
      prompt("[Request interrupted by user]"),
      prompt("\ud800 half a pair", { uuid: "\ud800", version: "\udfff" }),
    );
  });

  it("subagents, which are named after what started them", () => {
    const aside = { isSidechain: true, agentId: "a1" };
    checkLines(
      call("t1", "Task", { description: "look for it" }),
      call("t2", "Bash", { command: "ls -l" }, aside),
      result("t2", "what the command printed", aside),
      result("t1", "found after some time", { toolUseResult: { agentId: "a1" } }),
      call("t4", "Agent", { description: "look again" }),
      result("t4", "found again", { toolUseResult: { agentId: "a1" } }),
      call("t5", "Agent", { description: "é" }),
      result("t5", "found again", { toolUseResult: { status: "done", agentId: "é😀", type: "file_unchanged" } }),
      result("t5", "a copy", { toolUseResult: { agentId: "a6" } }),
      call("t6", "Agent", { description: "" }),
      result("t6", "no task", { toolUseResult: { agentId: "a7" } }),
      call("t7", "Agent", { description: "no name" }),
      result("t7", "no agent", { toolUseResult: { agentId: 7 } }),
      result("t7", "no agent", { toolUseResult: [{ agentId: "a8" }] }),
      call("t8", "Bash", { command: "no agent" }),
      result("t8", "no agent", { toolUseResult: { agentId: "a9" } }),
      call("t3", "Bash", { command: "ls -l" }, { isSidechain: true }),
      result("t3", "what the command printed", { isSidechain: true }),
      result("t2", "the same call from elsewhere"),
      { type: "other", isSidechain: true, agentId: "a2" },
    );
  });
});
