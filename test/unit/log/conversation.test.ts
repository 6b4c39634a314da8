import { describe, expect, it } from "vitest";
import { bytesOf } from "../../../src/log/bytes.js";
import { ConversationReader } from "../../../src/log/conversation/conversationReader.js";
import { messagesFromApi } from "../../../src/log/conversation/messageParts.js";
import { block, called, liveIn, messagesIn, readerOf, said } from "../../support/conversation.js";
import * as log from "../../support/log.js";
import { type Json, logText } from "../../support/log.js";
import { assistant, call, result, text, thinking, tool, user } from "../../support/messages.js";

describe("the messages of a context", () => {
  it("are prompts, answers and results, in order", () => {
    const lines = [log.prompt("go"), log.read("t1", "/a"), log.result("t1", "text"), said("m2", "done")];
    expect(messagesIn(...lines)).toEqual([
      user("go"),
      assistant(call("t1", "Read", '{"file_path":"/a"}')),
      tool(result("t1", "text")),
      assistant("done"),
    ]);
  });

  it("keep the lines of one answer together, with all results of its calls after it", () => {
    const lines = [
      block("m1", { type: "thinking", thinking: "hm", signature: "s" }),
      said("m1", "look"),
      called("m1", "t1"),
      log.result("t1", "one"),
      called("m1", "t2"),
      log.result("t2", "two"),
      called("m2", "t3"),
    ];
    expect(messagesIn(...lines)).toEqual([
      assistant(thinking("hm"), text("look"), call("t1"), call("t2")),
      tool(result("t1", "one"), result("t2", "two")),
      assistant(call("t3")),
    ]);
  });

  it("keep answers without an id apart", () => {
    expect(messagesIn(log.call("t1", "Read"), log.call("t2", "Read"))).toHaveLength(2);
  });

  it("join consecutive texts, even those between results", () => {
    const queued = { type: "attachment", attachment: { type: "queued_command", prompt: "and this" } };
    const lines = [
      log.prompt("caveat", { isMeta: true }),
      log.prompt("go"),
      called("m1", "t1"),
      called("m1", "t2"),
      log.result("t1", "one"),
      queued,
      log.result("t2", "two"),
    ];
    expect(messagesIn(...lines)).toEqual([
      user("caveat", "go"),
      assistant(call("t1"), call("t2")),
      tool(result("t1", "one"), result("t2", "two")),
      user("and this"),
    ]);
  });

  it("omit what no model sees", () => {
    const lines = [
      log.prompt("go"),
      { type: "system", subtype: "turn_duration", content: "x" },
      { type: "progress", data: { message: { content: "x" } } },
      { type: "attachment", attachment: { type: "hook_success", content: "x" } },
      { type: "summary", summary: "x" },
      { type: "assistant", message: { model: "<synthetic>", content: [{ type: "text", text: "API Error" }] } },
    ];
    expect(messagesIn(...lines)).toEqual([user("go")]);
  });

  it("distinguish text from other content", () => {
    const picture = { type: "image", source: {} };
    const lines = [
      { type: "user", message: { content: [picture, { type: "text", text: "see" }] } },
      called("m1", "t1"),
      log.result("t1", [picture]),
      block("m2", { type: "redacted_thinking", data: "x" }),
    ];
    expect(messagesIn(...lines)).toEqual([
      user({ kind: "other" }, "see"),
      assistant(call("t1")),
      tool(result("t1", null)),
      assistant(thinking("")),
    ]);
  });

  it("keep a result without its call in its place", () => {
    expect(messagesIn(log.prompt("go"), log.result("t0", "x"))).toEqual([user("go"), tool(result("t0", "x"))]);
  });

  it("do not contain copies: of a line by its uuid, of a call or result by its id", () => {
    const lines = [
      log.prompt("go", { uuid: "u1" }),
      called("m1", "t1", { uuid: "u2" }),
      log.result("t1", "x", { uuid: "u3" }),
    ];
    const again = [log.prompt("go", { uuid: "u1" }), called("m1", "t1"), log.result("t1", "y")];
    expect(messagesIn(...lines, ...again)).toEqual(messagesIn(...lines));
  });

  it("are those of one context: the main one's, a subagent's", () => {
    const aside = { isSidechain: true, agentId: "a1" };
    const lines = [log.prompt("go"), log.prompt("help", aside), said("m1", "yes", aside), said("m2", "well")];
    expect(liveIn(lines).messages).toEqual([user("go"), assistant("well")]);
    expect(liveIn(lines, "a1").messages).toEqual([user("help"), assistant("yes")]);
    expect([...readerOf(lines, "a7").contexts.keys()]).toEqual(["a7"]);
  });

  it("do not depend on how the bytes arrive", () => {
    const lines = [log.prompt("göäß"), called("m1", "t1"), log.result("t1", "漢字"), log.prompt("next")];
    const bytes = bytesOf(logText(...lines));
    const reader = new ConversationReader();
    for (const byte of bytes) reader.push(Buffer.from([byte]));
    expect(reader.contexts.get("main")?.live()).toEqual(liveIn(lines));
  });
});

describe("a compaction", () => {
  const before = [
    log.prompt("old", { uuid: "u1" }),
    said("m1", "old answer", { uuid: "u2", parentUuid: "u1" }),
    called("m1", "t1", { uuid: "u3", parentUuid: "u2" }),
    log.result("t1", "kept", { uuid: "u4", parentUuid: "u3" }),
    { type: "system", subtype: "stop_hook_summary", uuid: "u5", parentUuid: "u4" },
  ];
  const summary = log.prompt("Summary", { uuid: "s", parentUuid: "b", isCompactSummary: true });

  it("leaves only its summary", () => {
    const lines = [...before, log.boundary(undefined, { uuid: "b", parentUuid: null }), summary, said("m2", "on")];
    expect(messagesIn(...lines)).toEqual([user("Summary"), assistant("on")]);
  });

  it("keeps a tail word for word, after the summary", () => {
    const boundary = log.boundary(["u3", "u4", "u5"], { uuid: "b", parentUuid: null });
    const next = log.prompt("next", { uuid: "u6", parentUuid: "u5" });
    expect(messagesIn(...before, boundary, summary, next)).toEqual([
      user("Summary"),
      assistant(call("t1")),
      tool(result("t1", "kept")),
      user("next"),
    ]);
    const older = { ...boundary, compactMetadata: { preservedMessages: { uuids: ["u4"] } } };
    expect(messagesIn(...before, older, summary)).toEqual([user("Summary"), tool(result("t1", "kept"))]);
  });

  it("can be read before its summary has arrived", () => {
    const reader = readerOf([...before, log.boundary(["u3"], { uuid: "b" })]);
    expect(reader.contexts.get("main")?.live().messages).toEqual([assistant(call("t1"))]);
    reader.push(bytesOf(logText(summary)));
    expect(reader.contexts.get("main")?.live().messages).toEqual([user("Summary"), assistant(call("t1"))]);
  });

  it("may come twice, and a tail may be kept twice", () => {
    const lines = [...before, log.boundary(["u3", "u4"], { uuid: "b" }), log.boundary(["u4"], { uuid: "c" }), summary];
    expect(messagesIn(...lines)).toEqual([user("Summary"), tool(result("t1", "kept"))]);
    const twice = [log.boundary(["u2", "u3", "u4"], { uuid: "b" }), log.boundary(["u2", "u3"], { uuid: "c" }), summary];
    expect(messagesIn(...before, ...twice, log.prompt("again", { parentUuid: "u2" }))).toEqual([
      user("Summary"),
      assistant("old answer"),
      user("again"),
    ]);
  });

  it("does not lose its tail if the next line continues from the summary", () => {
    const boundary = log.boundary(["u3", "u4"], { uuid: "b" });
    for (const parentUuid of ["s", "b"]) {
      const lines = [...before, boundary, summary, log.prompt("next", { parentUuid })];
      expect(messagesIn(...lines)).toEqual([
        user("Summary"),
        assistant(call("t1")),
        tool(result("t1", "kept")),
        user("next"),
      ]);
    }
  });

  it("is a barrier: nothing goes back to a line before it, except into the tail", () => {
    const boundary = log.boundary(["u2", "u3", "u4"], { uuid: "b" });
    const past = log.prompt("past", { parentUuid: "u1" });
    expect(messagesIn(...before, boundary, summary, past).at(-2)).toEqual(tool(result("t1", "kept")));
    const into = log.prompt("again", { parentUuid: "u2" });
    expect(messagesIn(...before, boundary, summary, into)).toEqual([
      user("Summary"),
      assistant("old answer"),
      user("again"),
    ]);
  });

  it("of a copied file may keep lines that do not exist", () => {
    const lines = [log.boundary(["gone"], { uuid: "b" }), summary, log.prompt("next", { parentUuid: "gone" })];
    expect(messagesIn(...lines)).toEqual([user("Summary", "next")]);
  });
});

describe("a cleared result", () => {
  const lines = [called("m1", "t1"), called("m1", "t2"), log.result("t1", "one"), log.result("t2", "two")];

  it("may have been cut after a long pause", () => {
    expect(messagesIn(...lines, log.cut(["t2"]))[1]).toEqual(
      tool(result("t1", "one"), result("t2", "[Old tool result content cleared]")),
    );
  });

  it("may be any if the API itself cleared some", () => {
    const applied_edits = [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 1 }];
    const answered = (edits: unknown) => said("m2", "x", { message: { context_management: { applied_edits: edits } } });
    expect(liveIn([...lines, answered([])]).shrunk).toBe(false);
    expect(liveIn([...lines, answered(applied_edits)]).shrunk).toBe(true);
  });

  it("is no longer in the context, though still in the log", () => {
    expect(messagesIn(...lines, log.microcompact(["t1"]))[1]).toEqual(
      tool(result("t1", "[Old tool result content cleared]"), result("t2", "two")),
    );
  });

  it("may be replaced by another text, even if the log has that first", () => {
    const expected = tool(result("t1", "one"), result("t2", "[gone]"));
    expect(messagesIn(...lines, log.replacement(["t2"]))[1]).toEqual(expected);
    expect(messagesIn(log.replacement(["t2"]), ...lines)[1]).toEqual(expected);
  });

  it("of a subagent is named without being a sidechain line", () => {
    const aside = { isSidechain: true, agentId: "a1" };
    const all = [called("m1", "t1", aside), log.result("t1", "one", aside), log.replacement(["t1"], { agentId: "a1" })];
    expect(liveIn(all, "a1").messages[1]).toEqual(tool(result("t1", "[gone]")));
  });
});

describe("the requests of the live messages", () => {
  const usage = (input: number, read: number, more: Json = {}) => ({
    message: { model: "claude", usage: { input_tokens: input, cache_read_input_tokens: read, ...more } },
  });

  it("have what they read and wrote, and which message answered", () => {
    const split = { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 50 };
    const written = { cache_creation_input_tokens: 80, cache_creation: split };
    const lines = [
      log.prompt("go"),
      said("m1", "a", usage(5, 100, { ...written, output_tokens: 1 })),
      called("m1", "t1", usage(5, 100, { ...written, output_tokens: 20 })),
      log.result("t1", "x"),
      said("m2", "b", { message: { model: "claude" } }),
    ];
    expect(liveIn(lines).requests).toEqual([
      { answer: 1, model: "claude", input: 185, output: 20, cacheRead: 100, written5m: 30, written1h: 50 },
      { answer: 3, model: "claude", input: 0, output: 0, cacheRead: null, written5m: 0, written1h: 0 },
    ]);
  });

  it("are not those of rewound answers, nor of answers that a compaction kept", () => {
    const lines = [
      log.prompt("one", { uuid: "u1" }),
      said("m1", "first", { uuid: "u2", ...usage(10, 0) }),
      log.prompt("two", { uuid: "u3", parentUuid: "u1" }),
      said("m2", "second", { uuid: "u4", ...usage(20, 0) }),
    ];
    expect(liveIn(lines).requests.map(({ answer, input }) => [answer, input])).toEqual([[1, 20]]);
    const kept = liveIn([...lines, log.boundary(["u4"])]);
    expect(kept.messages).toEqual([assistant("second")]);
    expect(kept.requests).toEqual([]);
  });

  it("reveal where something was cleared without a line", () => {
    const shrunkIn = (...lines: Json[]) => liveIn(lines).shrunk;
    const [large, small] = [said("m1", "a", usage(1000, 0)), said("m2", "b", usage(899, 0))];
    expect(shrunkIn(large, small)).toBe(true);
    expect(shrunkIn(large, said("m2", "b", usage(900, 0)))).toBe(false);
    expect(shrunkIn(large, log.microcompact(["t"]), small)).toBe(false);
    expect(shrunkIn(large, log.boundary(), small)).toBe(false);
    expect(shrunkIn(large, small, log.boundary())).toBe(false);
    const back = log.prompt("x", { parentUuid: "u0" });
    expect(shrunkIn(log.prompt("go", { uuid: "u0" }), large, back, small)).toBe(false);
  });
});

describe("hostile lines", () => {
  it("that are not objects are counted and skipped", () => {
    const reader = readerOf(["", "nonsense", "[1]", "null", "7", '{"type":"user"', JSON.stringify(log.prompt("go"))]);
    expect(reader.badLines).toBe(6);
    expect(reader.contexts.get("main")?.live().messages).toEqual([user("go")]);
  });

  it("contain anything anywhere", () => {
    const odd: unknown[] = [null, 7, "x", [], {}, [null], [[7]], { type: 7 }, true];
    const lines: Json[] = [];
    for (const value of odd) {
      for (const type of ["user", "assistant", "system", "attachment", "content-replacement", "progress"]) {
        lines.push({ type, message: value }, { type, message: { content: value, usage: value, id: value } });
        lines.push({ type, uuid: value, parentUuid: value, agentId: value, isSidechain: value });
        lines.push({ type, message: { content: [{ type: "tool_use", id: value, name: value, input: value }] } });
        lines.push({ type, message: { content: [{ type: "tool_result", tool_use_id: value, content: value }] } });
        lines.push({ type, attachment: { type: "queued_command", prompt: value }, replacements: value });
        for (const subtype of ["compact_boundary", "microcompact_boundary"]) {
          lines.push({ type, subtype, compactMetadata: value, microcompactMetadata: value });
          lines.push({ type, subtype, compactMetadata: { preservedMessages: { allUuids: value } } });
        }
      }
    }
    for (const context of readerOf(lines).contexts.values()) expect(() => context.live()).not.toThrow();
  });

  it("may be nested deeper than any stack, or have more blocks than a call takes arguments", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const nested = JSON.stringify(log.call("t1", "Read", { x: "DEEP" })).replace('"DEEP"', deep);
    const blocks = Array.from({ length: 200_000 }, (_, at) => ({ type: "tool_result", tool_use_id: `t${at}` }));
    const many = { type: "user", message: { content: blocks } };
    expect(messagesIn(nested, many).map(({ parts }) => parts.length)).toEqual([1, 1, 199_999]);
  });

  it("may be their own parents", () => {
    const lines = [
      log.prompt("a", { uuid: "a", parentUuid: "b" }),
      said("m", "b", { uuid: "b", parentUuid: "a" }),
      log.prompt("c", { uuid: "c", parentUuid: "c" }),
    ];
    expect(messagesIn(...lines)).toEqual([user("a"), assistant("b"), user("c")]);
  });
});

describe("messages of the API", () => {
  it("become the same parts, with results before the text next to them", () => {
    const image = { type: "image", source: {} };
    expect(
      messagesFromApi([
        { role: "user", content: "go" },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] },
        {
          role: "user",
          content: [
            { type: "text", text: "and" },
            { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "ok" }] },
            image,
          ],
        },
        { role: "user", content: [] },
      ]),
    ).toEqual([user("go"), assistant(call("t1")), tool(result("t1")), user("and", { kind: "other" })]);
  });
});
