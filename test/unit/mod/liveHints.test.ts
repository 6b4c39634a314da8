import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { modSettings } from "../../../src/mod/pluginSettings.js";
import { LiveHints } from "../../../src/mod/sessionHints.js";

function lines(from: number, to: number, mark = "a"): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return numbers.map(number => `${number}\tline ${number} of a file that is called ${mark}`).join("\n");
}

/** A session in which calls are answered immediately, and messages are what was said, unless a test says otherwise. */
class Session {
  readonly hints: LiveHints;
  messages: { role: string; text: string; toolUses: Record<string, unknown>[] }[] = [];

  constructor(settings: Partial<DedupSettings> = {}) {
    this.hints = new LiveHints({ ...DEFAULT_SETTINGS, ...settings });
  }

  /** What the model reads as the result of a call in its own message. */
  call(
    id: string,
    text: string,
    tool = "Read",
    input: Record<string, unknown> = { file_path: "/p/a.ts" },
    isError = false,
  ): string {
    return this.calls([{ id, text, tool, input, isError }])[0] ?? "";
  }

  calls(
    calls: { id: string; text: string; tool: string; input: Record<string, unknown>; isError?: boolean }[],
    agentId?: string,
  ): string[] {
    this.hints.ask({ agentId }, "/p");
    for (const { id, tool, input } of calls) {
      const content = [{ type: "tool_use", id, name: tool, input }];
      this.#settle();
      this.hints.take({ door: "response", message: { role: "assistant", content }, agentId });
    }
    return calls.map(({ id, text, tool, input, isError }) => {
      const content = [{ type: "tool_result", tool_use_id: id, content: text, is_error: isError }];
      const replacement = this.hints.replace({ door: "tool-result", message: { content }, agentId });
      const isHeld = replacement !== undefined && this.hints.holds(replacement, this.messages);
      if (replacement !== undefined && !isHeld) this.hints.withdraw(replacement);
      const said = isHeld ? (replacement.answers[0]?.text ?? text) : text;
      if (agentId === undefined)
        this.messages.push({ role: "assistant", text: "", toolUses: [{ tool_use_id: id, tool, input, text: said }] });
      this.messages.push({ role: "user", text: "", toolUses: [] });
      return said;
    });
  }

  say(): void {
    this.hints.take({ door: "prompt" });
  }

  #settle(): void {
    if (this.hints.isUnsure({})) this.hints.settle(this.messages);
  }
}

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

  it("give the text if Claude Code only says that the file is unchanged", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    expect(session.call("t2", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 })).toContain("> [ref: t1");
    session.hints.returned({ tool_use_id: "t3" }, { result: { type: "file_unchanged" } });
    const again = session.call("t3", "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 });
    expect(again).toBe(lines(1, 80));
    session.hints.returned({ tool_use_id: "t4" }, { result: { type: "file_unchanged" } });
    expect(session.call("t4", "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 })).toBe("Unchanged.");
  });

  const edit = { file_path: "/p/a.ts", old_string: "line 5 of", new_string: "LINE 5 of" };
  const attachment = (name: string, text: string) => (session: Session) =>
    session.hints.take({
      door: "attachment",
      message: { type: "attachment", name, content: [{ type: "text", text }] },
    });
  const whenUnchanged = (meanwhile: (session: Session) => unknown) => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    expect(session.call("t2", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 })).toContain("> [ref: t1");
    meanwhile(session);
    session.hints.returned({ tool_use_id: "t9" }, { result: { type: "file_unchanged" } });
    return session.call("t9", "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 });
  };

  it.each<[string, (session: Session) => unknown]>([
    ["the model edited it", session => session.call("t3", "Updated.", "Edit", edit)],
    ["a formatter changed it", attachment("edited_text_file", "Note: /p/a.ts was modified, either by the user or")],
    ["the user mentioned it", attachment("file", 'Called the Read tool with: {"file_path":"/p/a.ts"}')],
    ["Claude Code did, on Windows", attachment("file", 'Called the Read tool with: {"file_path":"C:\\\\p\\\\a.ts"}')],
    ["Claude Code did, and named no folder", attachment("of_a_later_version", "a.ts: changed")],
    ["the conversation was compacted", session => session.hints.compacted({}, session.messages)],
    [
      "the conversation was compacted, without a result",
      session => {
        session.hints.take({ door: "compaction", message: { name: "compact_boundary" } });
      },
    ],
  ])("leave Claude Code's stub if the file may have been read since: %s", (_, meanwhile) => {
    expect(whenUnchanged(meanwhile)).toBe("Unchanged.");
  });

  it.each<[string, (session: Session) => unknown]>([
    ["the edit failed", session => session.call("t3", "Not found.", "Edit", edit, true)],
    ["another file was edited", session => session.call("t3", "Ok.", "Edit", { ...edit, file_path: "/p/b.ts" })],
    ["another file was mentioned", attachment("file", 'Called the Read tool with: {"file_path":"/p/b.ts"}')],
    [
      "the user wrote about it",
      session => session.hints.take({ door: "prompt", message: { content: "a.ts, please" } }),
    ],
  ])("give the text instead of the stub as long as only that Read is meant: %s", (_, meanwhile) => {
    expect(whenUnchanged(meanwhile)).toBe(lines(1, 80));
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

  it("learn what a resumed session contains", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    const later = new Session();
    later.messages = session.messages;
    expect(later.call("t2", lines(30, 60))).toBe("> [ref: t1 lines 30-60, from: Read(a.ts)]");
  });

  it("learn the same from messages in the API's form", () => {
    const later = new Session();
    later.hints.settle([
      { role: "user", content: [{ type: "text", text: "go" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: { file_path: "/p/a.ts" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: lines(1, 60) }] },
    ]);
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
    session.hints.compacted({}, []);
    expect(session.hints.refusal({ tool: "Write", content: hint })).toEqual(refused);
    session.hints.applySettings({ ...DEFAULT_SETTINGS, capacity: 9 });
    expect(session.hints.refusal({ tool: "Write", content: hint })).toEqual(refused);
    expect(session.hints.refusal({ tool: "Grep", pattern: hint })).toBeUndefined();
    expect(session.hints.refusal({ tool: "Write", content: "> [ref: toolu_other lines 2-9]" })).toBeUndefined();
  });
});

describe("hints that were there before the mod was", () => {
  const earlier = () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    session.call("t2", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 });
    return session;
  };
  const asksAgain = (session: Session, id = "t9") => {
    session.hints.returned({ tool_use_id: id }, { result: { type: "file_unchanged" } });
    return session.call(id, "Unchanged.", "Read", { file_path: "/p/a.ts", limit: 80 });
  };

  /** As a request has it: only then is everything listed that Claude Code added. */
  const requested = ({ messages }: Session, ...added: string[]) => [
    ...messages.flatMap(({ toolUses }) =>
      toolUses.flatMap(({ tool_use_id: id, tool: name, input, text }) => [
        { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
      ]),
    ),
    { role: "user", content: added.map(text => ({ type: "text", text })) },
  ];
  const resumed = (session: Session, ...added: string[]) => {
    const later = new Session();
    later.hints.settle(requested(session, ...added));
    return later;
  };

  it("are replaced by the text if it is asked for again: after a resume", () => {
    const later = resumed(earlier(), "Now read a.ts again.");
    expect(asksAgain(later)).toBe(lines(1, 80));
    expect(asksAgain(later, "t10")).toBe("Unchanged.");
  });

  it("are replaced by the text if it is asked for again: after a change of settings", () => {
    const session = earlier();
    session.hints.applySettings({ ...DEFAULT_SETTINGS, capacity: 9 });
    session.hints.settle(requested(session));
    expect(asksAgain(session)).toBe(lines(1, 80));
  });

  it("are not replaced after a compaction: the stub means a file that was attached again, or a later Read", () => {
    const compacted = earlier();
    compacted.messages = [];
    compacted.hints.compacted({}, []);
    expect(asksAgain(compacted)).toBe("Unchanged.");
  });

  it("are not replaced if the file was edited since, or may have been read in another way", () => {
    const changed = "<system-reminder>\nNote: /p/a.ts was modified.\n</system-reminder>";
    expect(asksAgain(resumed(earlier(), changed))).toBe("Unchanged.");
    const behindResult = earlier();
    behindResult.call("t3", `aside\n\n${changed}`, "Bash", { command: "true" });
    expect(asksAgain(resumed(behindResult))).toBe("Unchanged.");
    const edited = earlier();
    edited.call("t3", "Updated.", "Edit", { file_path: "/p/a.ts", old_string: "line 5 of", new_string: "LINE 5 of" });
    expect(asksAgain(resumed(edited))).toBe("Unchanged.");
    // Such a list has only calls and what was said.
    const later = new Session();
    later.messages = earlier().messages;
    expect(asksAgain(later)).toBe("Unchanged.");
  });

  it("are not replaced if the model has got the text since", () => {
    const session = earlier();
    session.call("t3", lines(1, 80), "Read", { file_path: "/p/a.ts", limit: 80 });
    expect(asksAgain(resumed(session))).toBe("Unchanged.");
  });

  it("do not end up in a file, even if what they name is gone", () => {
    const later = new Session();
    later.messages = earlier().messages.filter(({ toolUses }) => toolUses.every(call => call["tool_use_id"] !== "t1"));
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
