import { describe, expect, it } from "vitest";
import { changesOf, hasShrunk } from "../../../src/log/contextRules.js";

const message = (...content: unknown[]) => ({ content });
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "text" };
const edits = (edit: object) => ({ message: { context_management: { applied_edits: [edit] } } });

describe("what a line changes about its context", () => {
  it.each([
    ["a prompt continues from its parent", { type: "user", parentUuid: "p" }, [{ change: "continue", from: "p" }]],
    ["a prompt without one starts over", { type: "user", parentUuid: null }, [{ change: "continue", from: null }]],
    ["a prompt that does not say changes nothing", { type: "user" }, []],
    ["a result changes nothing", { type: "user", parentUuid: "p", message: message({ type: "text" }, result) }, []],
    ["nor does a summary", { type: "user", parentUuid: null, isCompactSummary: true }, []],
    [
      "a system line continues from its parent",
      { type: "system", parentUuid: "p" },
      [{ change: "continue", from: "p" }],
    ],
    ["and never starts over", { type: "system", parentUuid: null }, []],
    ["progress changes nothing", { type: "progress", parentUuid: "p" }, []],
    [
      "a cut clears the results it names",
      { type: "attachment", attachment: { type: "tool_results_cut", callIds: ["a", 1, "b"] } },
      [{ change: "clear", by: "cut", results: [{ id: "a" }, { id: "b" }] }],
    ],
    ["another attachment changes nothing", { type: "attachment", attachment: { type: "todo", callIds: ["a"] } }, []],
    [
      "a replacement gives the new text of each result",
      { type: "content-replacement", replacements: [{ toolUseId: "a", replacement: "short" }, { toolUseId: "b" }, {}] },
      [{ change: "clear", by: "replacement", results: [{ id: "a", text: "short" }, { id: "b" }] }],
    ],
    ["one without a list changes nothing", { type: "content-replacement", replacements: "a" }, []],
    [
      "the API may clear anything",
      { type: "assistant", ...edits({ type: "clear_tool_uses_20250919", cleared_tool_uses: 2 }) },
      [{ change: "clear", by: "edits", results: "all" }],
    ],
    [
      "unless it cleared none",
      { type: "assistant", ...edits({ type: "clear_tool_uses_1", cleared_tool_uses: 0 }) },
      [],
    ],
    [
      "or it is not an answer of the API",
      {
        type: "assistant",
        message: { ...edits({ type: "clear_tool_uses_1", cleared_tool_uses: 1 }).message, model: "<synthetic>" },
      },
      [],
    ],
  ])("%s", (_, record, changes) => {
    expect(changesOf(record)).toEqual(changes);
  });

  it("a compaction first continues from its parent, then keeps only what it preserves", () => {
    const preservedMessages = { allUuids: ["a", "b"], uuids: ["a"] };
    const compactMetadata = { trigger: "auto", preTokens: 900, preservedMessages };
    const boundary = { type: "system", subtype: "compact_boundary", parentUuid: "p", compactMetadata };
    expect(changesOf(boundary)).toEqual([
      { change: "continue", from: "p" },
      { change: "compaction", preserved: ["a", "b"], trigger: "auto", preTokens: 900, postTokens: undefined },
    ]);
  });

  it("a microcompaction clears the results it names, and keeps the partition", () => {
    const microcompactMetadata = { compactedToolIds: ["a"] };
    const line = { type: "system", subtype: "microcompact_boundary", parentUuid: null, microcompactMetadata };
    expect(changesOf(line)).toEqual([{ change: "clear", by: "microcompact", results: [{ id: "a" }] }]);
  });
});

it("a context has shrunk when it lost more than a tenth", () => {
  expect([hasShrunk(899, 1000), hasShrunk(900, 1000), hasShrunk(5, 0)]).toEqual([true, false, false]);
});
