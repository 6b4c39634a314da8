/**
 * Prompts, titles and everything else about a log itself, by both readers; and that the WebAssembly one leaves hardly
 * any of it to the other.
 */
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { FactReader } from "../../../src/log/factReader.js";
import { checkReader } from "../../fuzz/scanner.js";
import { byKernel } from "../../support/kernel.js";
import { answer, boundary, call, type Json, logText, prompt, result } from "../../support/log.js";
import { check, checkLines } from "../../support/readers.js";

describe("both readers agree on", () => {
  /** As text, in parts, with what is not text, and with what is not a prompt at all. */
  const CONTENTS: readonly unknown[] = [
    "do this",
    "",
    "<command>do this</command>",
    " <not at the beginning>",
    "[Request interrupted by user]",
    "[Request interrupted by user for tool use]",
    "[Request interrupted by use",
    'line\nbreaks, "quotes" and é😀',
    "\ud800 half a pair",
    [],
    [{ type: "text", text: "" }],
    [{ type: "text", text: "<a>" }],
    [{ type: "text", text: "[Request interrupted by user]" }],
    [
      { type: "text", text: "" },
      { type: "text", text: "<b>" },
    ],
    [{ type: "text", text: "see the picture" }, { type: "image" }],
    [{ type: "image" }],
    [{ type: "text" }],
    [{ type: "text", text: 7 }],
    null,
    7,
    { type: "text", text: "an object" },
  ];
  /** The first prompt serves as a title, so each comes first in a log. */
  it.each([{}, { isMeta: true }, { isCompactSummary: true }, { isMeta: 1 }])("prompts of any kind, with %j", more => {
    const user = (content: unknown) => ({ type: "user", ...more, message: { role: "user", content } });
    for (const [first] of CONTENTS.entries()) {
      const contents = [...CONTENTS.slice(first), ...CONTENTS.slice(0, first)];
      const log = logText(...contents.map(user), { type: "user", ...more, message: "no message" }, prompt("more"));
      checkReader("s.jsonl", [Buffer.from(log)]);
      checkReader("agent-a1.jsonl", [Buffer.from(log)]);
    }
    checkLines(...CONTENTS.map(user));
  });

  it("a log that begins like the previous one", () => {
    checkLines(prompt("do it", { sessionId: "s", cwd: "/a", version: "1" }));
  });

  it("prompts however they are spelled", () => {
    const user = (content: string) => `{"type":"user","message":{"content":${content}}}`;
    checkLines(
      user('"\\u003cescaped>"'),
      user('"\\u005bRequest interrupted by user]"'),
      user('"[Request\\u0020interrupted by user]"'),
      user('"[Request\\tinterrupted by user]"'),
      user('"\\n<"'),
      user('"\\/"'),
      user('[ { "text" : "<" , "type" : "text" } ]'),
      user('[{"type":"text","text":"one","text":"<two"}]'),
      user('"one","content":"<two"'),
    );
  });

  it("prompts and system lines that go back, or start over", () => {
    const kinds: readonly Json[] = [
      { type: "user", message: { content: "again" } },
      { type: "user", isMeta: true, message: { content: "by Claude Code" } },
      { type: "user", isCompactSummary: true, message: { content: "a summary" } },
      { type: "system", subtype: "local_command" },
      { type: "progress" },
      { type: "mode" },
    ];
    const parents: readonly Json[] = [{}, ...["p", "b", "n", "gone", null, 7].map(parentUuid => ({ parentUuid }))];
    for (const aside of [{}, { isSidechain: true, agentId: "a1" }]) {
      for (const kind of kinds) {
        const lines = parents.flatMap((parent, at) => [
          prompt("go", { uuid: "p", parentUuid: null }),
          call(
            "t1",
            "Bash",
            { command: "make" },
            { uuid: "a", parentUuid: "p", message: { id: `m${at}`, model: "m" } },
          ),
          result("t1", "made, and it took a while", { uuid: "b", parentUuid: "a" }),
          { ...kind, ...parent, uuid: `k${at}` },
          answer(`n${at}`, 90, { uuid: "n", parentUuid: `k${at}` }),
          { ...kind, ...parent, uuid: "p" },
          { ...kind, ...parent },
        ]);
        const log = logText(...lines.map(line => ({ ...line, ...aside })));
        check(log, 61);
        check(log, 61, "agent-a1.jsonl");
      }
    }
  });

  it("titles, whoever reads their lines", () => {
    const titles: readonly (Json | string)[] = [
      { type: "custom-title", customTitle: "one" },
      { type: "ai-title", aiTitle: "two" },
      { type: "summary", summary: "three" },
      { type: "all", summary: "c", aiTitle: "b", customTitle: "a" },
      { type: "some", summary: "c", aiTitle: "b", customTitle: null },
      { type: "none", summary: 7 },
      { type: "empty", customTitle: "" },
      { type: "long", customTitle: `${"a word ".repeat(200)}é` },
      { type: "linked", customTitle: "with a uuid", uuid: "u", parentUuid: null },
      { type: "aside", customTitle: "of a subagent", isSidechain: true, agentId: "a1" },
      { type: "user", customTitle: "of a prompt", message: { content: "what" } },
      { type: "half", customTitle: "\ud800" },
      '{"type":"custom-title","custom\\u0054itle":"only for JavaScript"}',
      prompt("do it"),
      prompt("<do it>"),
    ];
    for (const one of titles) for (const other of titles) checkLines(one, other, one);
  });
});

describe("the WebAssembly reader leaves to JavaScript", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** How many lines of a log are. */
  function left(path: string, ...lines: readonly (Json | string)[]): number {
    const take = vi.spyOn(FactReader.prototype, "take");
    byKernel(path, Buffer.from(logText(...lines)), DEFAULT_SETTINGS);
    return take.mock.calls.length;
  }

  const USUAL: readonly Json[] = [
    { type: "custom-title", customTitle: "a title", sessionId: "s" },
    { type: "mode", mode: "plan" },
    prompt("do it", { uuid: "a", parentUuid: null, sessionId: "s", cwd: "/a", version: "1" }),
    prompt("what Claude Code adds", { uuid: "b", parentUuid: "a", isMeta: true, version: "2" }),
    call("t1", "Agent", { description: "look" }, { uuid: "c", parentUuid: "b", message: { id: "m1", model: "m" } }),
    result("t1", "found after some time", { uuid: "d", parentUuid: "c", toolUseResult: { agentId: "a2" } }),
    answer("m2", 90, { uuid: "e", parentUuid: "d", message: { model: "another" } }),
    { type: "system", uuid: "f", parentUuid: "a" },
    prompt("[Request interrupted by user]", { uuid: "g", parentUuid: "a" }),
    prompt("over again", { uuid: "h", parentUuid: null }),
    { type: "ai-title", aiTitle: "another title" },
  ];

  it("nothing of the main conversation or a subagent's own file, if there is nothing odd about it", () => {
    expect(left("s.jsonl", ...USUAL)).toBe(0);
    const aside = USUAL.map(line => ({ ...line, isSidechain: true, agentId: "a1" }));
    expect(left("s/subagents/agent-a1.jsonl", ...aside)).toBe(0);
  });

  it("the first line of a subagent in the main log, compactions, hints and lines around a missing parent", () => {
    const aside = { isSidechain: true, agentId: "a1" };
    const rare = [
      prompt("look", { ...aside, uuid: "k", parentUuid: null }),
      boundary(["a"], { uuid: "l", parentUuid: "h" }),
      result("t2", "> [ref: toolu_1, byte-identical]", { uuid: "m", parentUuid: "l" }),
      prompt("lost", { uuid: "n", parentUuid: "gone" }),
    ];
    const more = prompt("more", { ...aside, uuid: "o", parentUuid: "k" });
    expect(left("s.jsonl", ...USUAL, more, ...rare)).toBe(rare.length + 1);
    vi.restoreAllMocks();
    expect(left("s.jsonl", ...USUAL, ...rare.slice(0, 1), more)).toBe(1);
  });
});
