import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { modSettings } from "../../../src/mod/pluginSettings.js";
import { lines, Session } from "../../support/modSession.js";

const ASIDE = "aside";

describe("live hints in a session", () => {
  it("replace a whole result, then runs of lines", () => {
    const session = new Session();
    expect(session.call("t1", lines(1, 60))).toBe(lines(1, 60));
    session.call("t2", ASIDE, "Bash", { command: "true" });
    expect(session.call("t3", lines(1, 60))).toBe("> [ref: t1, byte-identical, from: Read(a.ts)]");
    session.call("t4", ASIDE, "Bash", { command: "true" });
    expect(session.call("t5", lines(40, 80))).toBe(`> [ref: t1 lines 40-60, from: Read(a.ts)]\n${lines(61, 80)}`);
  });

  it("give the text if it is asked for again, in whole or in part", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    expect(session.call("t2", lines(1, 80))).toContain("> [ref: t1 lines 1-60");
    expect(session.call("t3", lines(1, 80))).toBe(lines(1, 80));
    const other = new Session();
    other.call("t1", lines(1, 60));
    expect(other.call("t2", lines(1, 80))).toContain("> [ref: t1 lines 1-60");
    expect(other.call("t3", lines(10, 50))).toBe(lines(10, 50));
  });

  it("do not refer to what the conversation no longer contains", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    session.call("t2", ASIDE, "Bash", { command: "true" });
    session.messages = [];
    session.say();
    expect(session.call("t3", lines(1, 60))).toBe(lines(1, 60));
    session.call("t4", ASIDE, "Bash", { command: "true" });
    expect(session.call("t5", lines(1, 60))).toBe("> [ref: t3, byte-identical, from: Read(a.ts)]");
  });

  it("do not refer to a call that has silently disappeared", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    session.call("t2", ASIDE, "Bash", { command: "true" });
    session.messages = [];
    expect(session.call("t3", lines(1, 60))).toBe(lines(1, 60));
  });

  it("do not refer to a text that has changed", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    for (const { toolUses } of session.messages) for (const call of toolUses) call["text"] = "[cleared]";
    expect(session.call("t2", lines(1, 60))).toBe(lines(1, 60));
  });

  it("separate contexts and the results of one message", () => {
    const session = new Session();
    const call = (id: string) => ({ id, text: lines(1, 60), tool: "Read", input: { file_path: "/p/a.ts" } });
    expect(session.calls([call("t1"), call("t2")])).toEqual([lines(1, 60), lines(1, 60)]);
    expect(session.calls([call("a1")], "agent")).toEqual([lines(1, 60)]);
    expect(session.calls([call("a2")], "agent")).toEqual(["> [ref: a1, byte-identical, from: Read(a.ts)]"]);
  });

  it("forget the subagent that has been silent for longest, but never the main conversation", () => {
    const session = new Session();
    const read = (id: string) => ({ id, text: lines(1, 60), tool: "Read", input: { file_path: "/p/a.ts" } });
    const hintTo = (id: string) => [`> [ref: ${id}, byte-identical, from: Read(a.ts)]`];
    session.calls([read("m1")]);
    for (let agent = 0; agent < 16; agent++) session.calls([read(`a${agent}`)], `agent${agent}`);
    expect(session.calls([read("b0")], "agent0")).toEqual(hintTo("a0"));
    const chars = session.hints.chars;
    for (let agent = 16; agent < 31; agent++) session.calls([read(`a${agent}`)], `agent${agent}`);
    expect(session.hints.chars).toBeLessThanOrEqual(chars);
    session.calls([{ id: "d0", text: ASIDE, tool: "Bash", input: { command: "true" } }], "agent0");
    expect(session.calls([read("c0")], "agent0")).toEqual(hintTo("a0"));
    expect(session.calls([read("m2")])).toEqual(hintTo("m1"));
    // It goes on after all: nothing refers to what it had before.
    expect(session.calls([read("b1")], "agent1")).toEqual([lines(1, 60)]);
    expect(session.calls([read("c1")], "agent1")).toEqual(hintTo("b1"));
    // Its hints may still be anywhere.
    const content = "> [ref: a1 lines 2-9]";
    expect(session.hints.refusal({ tool: "Write", content })).toContain("write those lines themselves");
  });

  it("are withheld if the subagent was forgotten while its messages were requested", () => {
    const session = new Session();
    const read = (id: string) => ({ id, text: lines(1, 60), tool: "Read", input: { file_path: "/p/a.ts" } });
    session.calls([read("t1")], "agent");
    const content = [{ type: "tool_use", id: "t2", name: "Read", input: { file_path: "/p/a.ts" } }];
    session.hints.ask({ agentId: "agent" }, "/p");
    session.hints.take({ door: "response", message: { content }, agentId: "agent" });
    const message = { content: [{ type: "tool_result", tool_use_id: "t2", content: lines(1, 60) }] };
    const replacement = session.hints.replace({ door: "tool-result", message, agentId: "agent" });
    if (replacement === undefined) throw new Error("there is no hint to withhold");
    for (let agent = 0; agent < 16; agent++) session.calls([read(`a${agent}`)], `agent${agent}`);
    expect(session.hints.holds(replacement, [])).toBe(false);
    session.hints.withdraw(replacement);
  });

  it("learn what a resumed session contains", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    const later = new Session();
    later.messages = session.messages;
    expect(later.call("t2", lines(30, 60))).toBe("> [ref: t1 lines 30-60, from: Read(a.ts)]");
  });

  it("learn the same from messages in the API's form", () => {
    const later = new Session();
    later.hints.settle(
      [
        { role: "user", content: [{ type: "text", text: "go" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: { file_path: "/p/a.ts" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: lines(1, 60) }] },
      ],
      "",
    );
    const row = { content: [{ type: "tool_result", tool_use_id: "t2", content: lines(30, 60) }] };
    const call = { content: [{ type: "tool_use", id: "t2", name: "Read", input: { file_path: "/p/a.ts" } }] };
    later.hints.take({ door: "response", message: call });
    const replacement = later.hints.replace({ door: "tool-result", message: row });
    expect(replacement?.answers.map(({ text }) => text)).toEqual(["> [ref: t1 lines 30-60, from: Read(/p/a.ts)]"]);
    const asRequested = (content: string) => [
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content }] },
    ];
    const holds = (content: string) => replacement && later.hints.holds(replacement, asRequested(content));
    expect(holds(`${lines(1, 60)}\n\n<system-reminder>Be brief.</system-reminder>`)).toBe(true);
    const left = "<system-reminder>\n<total_tokens>100 tokens left</total_tokens>\n</system-reminder>";
    expect(holds(`${lines(1, 60)}\n\n${left}`)).toBe(true);
    expect(holds("[Old tool result content cleared]")).toBe(false);
  });

  it("in a subagent are checked against its messages if available, otherwise against what the mod knows", () => {
    const session = new Session();
    const call = (id: string) => ({ id, text: lines(1, 60), tool: "Read", input: { file_path: "/p/a.ts" } });
    session.calls([call("a1")], "agent");
    session.hints.take({ door: "response", message: { content: [] }, agentId: "agent" });
    session.hints.ask({ agentId: "agent" }, "/p");
    session.hints.take({
      door: "response",
      message: { content: [{ type: "tool_use", id: "a2", name: "Read", input: {} }] },
      agentId: "agent",
    });
    const row = { content: [{ type: "tool_result", tool_use_id: "a2", content: lines(1, 60) }] };
    const replacement = session.hints.replace({ door: "tool-result", message: row, agentId: "agent" });
    const theirs = (text: string) => [
      { role: "assistant", toolUses: [{ tool_use_id: "a1", tool: "Read", input: {}, text }] },
    ];
    expect(replacement && session.hints.holds(replacement, theirs(lines(1, 60)))).toBe(true);
    expect(replacement && session.hints.holds(replacement, theirs("[gone]"))).toBe(false);
    expect(replacement && session.hints.holds(replacement, session.messages)).toBe(true);
  });

  it("end with a compaction, which supplies what a kept hint had replaced", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    session.call("t2", ASIDE, "Bash", { command: "true" });
    session.call("t3", lines(1, 60));
    const kept = session.messages.filter(({ toolUses }) => toolUses.some(call => call["tool_use_id"] === "t3"));
    expect(session.hints.compacted({}, kept)).toContain(
      `t1 Read(a.ts) had returned (output of a tool, not instructions):\n~~~\n${lines(1, 60)}\n~~~`,
    );
    session.messages = kept;
    expect(session.call("t4", lines(1, 60))).toBe(lines(1, 60));
  });

  it("are explained once", () => {
    const { hints } = new Session();
    hints.settle([]);
    expect(hints.explain({})).toMatch(/^Tool output `> \[ref: ID/);
    expect(hints.explain({})).toBeUndefined();
    expect(hints.explain({ agentId: "agent" })).toBeDefined();
    expect(hints.explain({ agentId: "agent" })).toBeUndefined();
    hints.forget();
    expect(hints.explain({})).toBeDefined();
  });

  it("follow settings that change, with what the conversation contains", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    session.call("t2", ASIDE, "Bash", { command: "true" });
    session.hints.applySettings({ ...DEFAULT_SETTINGS, verbosity: "terse" });
    expect(session.call("t3", lines(1, 60))).toBe("> [ref: t1]");
    session.call("t4", ASIDE, "Bash", { command: "true" });
    session.hints.applySettings({ ...DEFAULT_SETTINGS, minBytes: 1_000_000, runs: false });
    expect(session.call("t5", lines(1, 60))).toBe(lines(1, 60));
  });

  it("are explained again only if changed settings bring a new kind of hint", () => {
    const { hints } = new Session({ ...DEFAULT_SETTINGS, runs: false });
    hints.settle([]);
    expect(hints.explain({})).toBeDefined();
    hints.applySettings({ ...DEFAULT_SETTINGS, runs: false, capacity: 9 });
    expect(hints.explain({})).toBeUndefined();
    hints.applySettings({ ...DEFAULT_SETTINGS, capacity: 9 });
    expect(hints.explain({})).toContain("lines A-B");
  });

  it("never end up in a file", () => {
    const session = new Session();
    session.call("toolu_1", lines(1, 60));
    const hint = "> [ref: toolu_1 lines 2-9, from: Read(a.ts)]";
    const refused = expect.stringContaining("write those lines themselves");
    expect(session.hints.refusal({ tool: "Write", file_path: "/p/b", content: `a\n${hint}\nb` })).toEqual(refused);
    expect(session.hints.refusal({ tool: "MultiEdit", edits: [{ new_string: hint }] })).toEqual(refused);
    expect(session.hints.refusal({ tool: "Bash", command: `echo '${hint}' > b` })).toEqual(refused);
    expect(session.hints.refusal({ tool: "mcp__files__write", text: `7:${hint}` })).toEqual(refused);
    expect(session.hints.refusal({ tool: "Agent", prompt: `Look at ${hint}` })).toEqual(refused);
    // A server may call its arguments anything.
    expect(session.hints.refusal({ tool: "mcp__files__write", agentId: hint })).toEqual(refused);
    expect(session.hints.refusal({ tool: "mcp__files__write", tool_use_id: hint })).toEqual(refused);
    // Where 2.1.327 puts arguments that are called like a member of its own.
    expect(session.hints.refusal({ tool: "mcp__files__write", $shadowed: { tool: hint } })).toEqual(refused);
    session.hints.compacted({}, []);
    expect(session.hints.refusal({ tool: "Write", content: hint })).toEqual(refused);
    session.hints.applySettings({ ...DEFAULT_SETTINGS, capacity: 9 });
    expect(session.hints.refusal({ tool: "Write", content: hint })).toEqual(refused);
    expect(session.hints.refusal({ tool: "Grep", pattern: hint })).toBeUndefined();
    expect(session.hints.refusal({ tool: "Write", content: "> [ref: toolu_other lines 2-9]" })).toBeUndefined();
  });
});

describe("hints that were there before the mod was", () => {
  it("do not end up in a file, even if what they name is gone", () => {
    const earlier = new Session();
    earlier.call("t1", lines(1, 60));
    earlier.call("t2", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 });
    const later = new Session();
    later.messages = earlier.messages.filter(({ toolUses }) => toolUses.every(call => call["tool_use_id"] !== "t1"));
    later.call("t3", ASIDE, "Bash", { command: "true" });
    const hint = "> [ref: t1 lines 1-60, from: Read(a.ts)]";
    expect(later.hints.refusal({ tool: "Write", content: hint })).toContain("write those lines themselves");
    expect(later.hints.refusal({ tool: "Write", content: hint.replace("t1", "t0") })).toBeUndefined();
  });
});

describe("the plugin's settings", () => {
  it("are the defaults if they are missing or make no sense", () => {
    expect(modSettings({})).toEqual(DEFAULT_SETTINGS);
    expect(modSettings({ capacity: "9", verbosity: "loud", invalidates: "{", runs: "yes", nearRef: 1 })).toEqual(
      DEFAULT_SETTINGS,
    );
    expect(modSettings({ capacity: 0, minBytes: -1 })).toMatchObject({ capacity: 1, minBytes: 0 });
    const invalidates = { "mcp__db__*": ["mcp__db__query"] };
    const given = { capacity: 9, minBytes: 0, spanMinBytes: 200, runs: false, nearRef: true, verbosity: "terse" };
    expect(modSettings({ ...given, invalidates: JSON.stringify(invalidates) })).toMatchObject({
      ...given,
      invalidates,
    });
  });
});
