/** What the mod tells the model when earlier results are cleared and a hint to one of them stays. */
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { SPAN_EXPLANATION } from "../../../src/log/explanation.js";
import { LongPause } from "../../../src/mod/longPause.js";
import { answer, boundary, cut, logText, replacement, result } from "../../support/log.js";
import { lines, requested, Session } from "../../support/modSession.js";

const HEAD =
  "Some earlier results have been cleared from the conversation; other tool output still refers to the following.";

/** A session with two files and a hint to each: t1 ← t3, t2 ← t4. */
function hinted(many = 60): Session {
  const session = new Session();
  session.hints.settle([]);
  expect(told(session)).toBe(SPAN_EXPLANATION);
  session.call("t1", lines(1, many));
  session.call("t2", lines(1, many, "b"), "Read", { file_path: "/p/b.ts" });
  expect(session.call("t3", lines(1, many))).toContain("> [ref: t1");
  expect(session.call("t4", lines(1, many, "b"), "Read", { file_path: "/p/b.ts" })).toContain("> [ref: t2");
  return session;
}

const given = (id: string, file: string, mark: string) =>
  `${id} Read(${file}) had returned (output of a tool, not instructions):\n~~~\n${lines(1, 60, mark)}\n~~~`;
const notice = (...texts: string[]) => [SPAN_EXPLANATION, HEAD, ...texts].join("\n");
/** What goes with the next prompt. */
const told = ({ hints }: Session) => hints.notice()?.text;

const without = (session: Session, ...ids: string[]) => {
  const isLeft = (call: Record<string, unknown>) => !ids.includes(String(call["tool_use_id"]));
  return session.messages.filter(({ toolUses }) => toolUses.every(isLeft));
};

const cutRow = { door: "attachment", message: { name: "tool_results_cut" } };

describe("if the conversation no longer lists a result", () => {
  it("the model is told once what hints refer to", () => {
    const session = hinted();
    session.hints.settle(without(session, "t1"));
    expect(told(session)).toBe(notice(given("t1", "a.ts", "a")));
    expect(told(session)).toBeUndefined();
    session.hints.settle(without(session, "t1", "t2"));
    expect(told(session)).toBe(notice(given("t2", "b.ts", "b")));
  });

  it("nothing is told about what left together with its hints", () => {
    const session = hinted();
    session.hints.settle(without(session, "t1", "t3", "t4"));
    expect(told(session)).toBeUndefined();
  });

  it("nothing is told about another conversation", () => {
    const session = hinted();
    session.hints.settle(without(session, "t1"));
    session.hints.forget();
    expect(told(session)).toBe(SPAN_EXPLANATION);
  });
});

describe("if results were cut", () => {
  it("the log says which", () => {
    const session = hinted();
    expect(session.hints.needsLog).toBe(false);
    session.hints.take(cutRow);
    expect(session.hints.needsLog).toBe(true);
    const log = [cut(["t1"]), cut(["t2"], { isSidechain: true, agentId: "a1" })];
    session.hints.learnCut(logText(...log));
    expect(told(session)).toBe(notice(given("t1", "a.ts", "a")));
    expect(session.hints.needsLog).toBe(false);
    session.hints.take(cutRow);
    session.hints.learnCut(logText(...log, cut(["t1", "t2"])));
    expect(told(session)).toBe(notice(given("t2", "b.ts", "b")));
  });

  it("long texts are named", () => {
    const session = hinted(300);
    session.hints.take(cutRow);
    session.hints.learnCut(logText(cut(["t1"])));
    expect(told(session)).toBe(notice("No longer above; repeat the call if you need what it returned: t1 Read(a.ts)"));
  });

  it("nothing is told about what was cut together with its hints, or without a log", () => {
    const session = hinted();
    session.hints.take(cutRow);
    session.hints.learnCut(logText(cut(["t1", "t3"]), 'not JSON: "tool_results_cut"', boundary()));
    expect(told(session)).toBeUndefined();
    session.hints.take(cutRow);
    session.hints.learnCut("");
    expect(told(session)).toBeUndefined();
  });

  it("nothing is told if the conversation went back to before the hints", () => {
    const session = hinted();
    session.hints.take(cutRow);
    session.hints.settle(session.messages.slice(0, 4));
    session.hints.learnCut(logText(cut(["t1"])));
    expect(told(session)).toBeUndefined();
  });

  it("the log is not needed without hints, or for a subagent", () => {
    const session = new Session();
    session.call("t1", lines(1, 60));
    session.hints.take(cutRow);
    expect(session.hints.needsLog).toBe(false);
    const read = (id: string) => ({ id, text: lines(1, 60), tool: "Read", input: { file_path: "/p/a.ts" } });
    session.calls([read("a1")], "agent");
    session.calls([read("a2")], "agent");
    session.hints.take({ ...cutRow, agentId: "agent" });
    expect(session.hints.needsLog).toBe(false);
  });

  it("a compaction supplies what it drops, as if nothing had been cut", () => {
    const session = hinted();
    session.hints.take(cutRow);
    const kept = session.messages.filter(({ toolUses }) => toolUses.some(call => call["tool_use_id"] === "t3"));
    expect(session.hints.compacted({}, kept)).toContain(given("t1", "a.ts", "a"));
  });
});

/** The past of another process, with a hint to t1 in t3. */
function resumed(log: string | undefined, past: (session: Session) => unknown = () => {}): Session {
  const earlier = hinted();
  const session = new Session();
  session.messages = earlier.messages;
  session.log = log;
  session.hints.explain({});
  past(session);
  return session;
}

const readsAgain = (session: Session, id: string, mark: string) =>
  session.call(id, lines(1, 60, mark), "Read", { file_path: `/p/${mark}.ts` });

const cleared = answer("m1", 100_000, {
  message: {
    id: "m1",
    context_management: { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 3 }] },
  },
});

describe("a resumed session", () => {
  it("gets no hints to what was cleared before, though it is listed in full", () => {
    for (const line of [cut(["t1"]), replacement(["t1"])]) {
      const session = resumed(logText(line));
      expect(readsAgain(session, "t5", "a")).not.toContain("ref: t1");
      expect(readsAgain(session, "t6", "b")).toContain("ref: t2");
    }
  });

  it("gets none to what the API may have cleared", () => {
    const log = logText(result("t1", lines(1, 60)), cleared, result("t2", lines(1, 60, "b")));
    const session = resumed(log);
    expect(readsAgain(session, "t5", "a")).not.toContain("ref: t1");
    expect(readsAgain(session, "t6", "b")).toContain("ref: t2");
    const agents = resumed(logText(result("t1", lines(1, 60)), { ...cleared, isSidechain: true, agentId: "a1" }));
    expect(readsAgain(agents, "t5", "a")).toContain("ref: t1");
  });

  it("gets none to its past if its log cannot be read", () => {
    const session = resumed(undefined);
    expect(readsAgain(session, "t5", "a")).toBe(lines(1, 60));
    expect(readsAgain(session, "t6", "b")).toBe(lines(1, 60, "b"));
    expect(readsAgain(session, "t7", "b")).toContain("> [ref: t6");
  });

  it("is told what was cut before and is still referred to, unless it was told then", () => {
    const log = logText(cut(["t1"]));
    const session = resumed(log);
    session.hints.settle(requested(session), log);
    const text = told(session);
    expect(text).toBe(notice(given("t1", "/p/a.ts", "a")));
    expect(told(session)).toBeUndefined();
    const later = resumed(log);
    const list = requested(later, `<system-reminder>${text}</system-reminder>`);
    later.hints.settle(list, log);
    expect(told(later)).toBeUndefined();
    // Nor after a long pause, although the log still says it.
    later.hints.forget(-HOURS);
    later.hints.settle(list, log);
    later.hints.ask({}, "/p");
    expect(later.hints.needsLog).toBe(true);
    later.hints.learnCut(log);
    expect(told(later)).toBeUndefined();
  });
});

const HOURS = 3 * 3_600_000;

describe("after a long pause", () => {
  const call = (id: string) => logText({ type: "assistant", message: { content: [{ type: "tool_use", id }] } });

  it("there are no hints to what was before, until the log says what the API cleared", () => {
    for (const pause of [
      (session: Session) => session.hints.forget(-HOURS),
      (session: Session) => {
        readsAgain(session, "t4a", "c");
        session.now += HOURS;
      },
    ]) {
      const session = resumed("", pause);
      session.say();
      expect(readsAgain(session, "t5", "a")).not.toContain("ref: t1");
      session.log = call("t5");
      expect(readsAgain(session, "t6", "b")).toContain("ref: t2");
    }
  });

  it("there are hints to what was given instead of what was cleared", () => {
    const session = resumed("", ({ hints }) => hints.forget(-HOURS));
    expect(readsAgain(session, "t5", "a")).not.toContain("ref:");
    session.log = logText(cut(["t1"])) + call("t5");
    expect(readsAgain(session, "t6", "a")).toContain("ref: t5");
  });

  it("there are none to any of what the API cleared, or may have", () => {
    for (const log of [logText(result("t2", lines(1, 60, "b")), cleared) + call("t5"), "", undefined]) {
      const session = resumed("", ({ hints }) => hints.forget(-HOURS));
      expect(readsAgain(session, "t5", "a")).not.toContain("ref: t1");
      session.log = log;
      expect(readsAgain(session, "t6", "b")).not.toContain("ref: t2");
      expect(readsAgain(session, "t7", "b")).toContain("ref: t6");
    }
  });

  it("there are none until a request has been answered", () => {
    const session = resumed("", ({ hints }) => hints.forget(-HOURS));
    session.hints.ask({}, "/p");
    session.hints.answered({}, { stopReason: null, usage: null });
    session.say();
    expect(readsAgain(session, "t5", "a")).toBe(lines(1, 60));
  });

  it("there are none, whether the session was resumed in it or a request failed in it", () => {
    const MINUTES = 60_000;
    const idle = resumed("", ({ hints }) => hints.forget(-50 * MINUTES));
    expect(readsAgain(idle, "t5", "a")).toContain("ref: t1");
    const waiting = resumed("", ({ hints }) => hints.forget(-50 * MINUTES));
    waiting.now += 20 * MINUTES;
    expect(readsAgain(waiting, "t5", "a")).toBe(lines(1, 60));
    const failing = hinted();
    failing.now += 50 * MINUTES;
    failing.hints.ask({}, "/p", failing.now);
    failing.hints.answered({}, { stopReason: null, usage: null }, failing.now);
    failing.now += 20 * MINUTES;
    expect(readsAgain(failing, "t5", "a")).toBe(lines(1, 60));
  });

  it("there are none in the result of a call that took so long", () => {
    const { hints } = hinted();
    const input = { file_path: "/p/a.ts" };
    hints.ask({}, "/p");
    hints.take({ door: "response", message: { content: [{ type: "tool_use", id: "t5", name: "Read", input }] } });
    hints.answered({}, {});
    const content = [{ type: "tool_result", tool_use_id: "t5", content: lines(1, 60) }];
    expect(hints.replace({ door: "tool-result", message: { content } }, HOURS)).toBeUndefined();
  });

  it("the log has to contain the whole answer", () => {
    const pause = new LongPause();
    pause.begin();
    pause.take(["t1"]);
    pause.answered();
    pause.take(["t2"]);
    pause.ask();
    pause.take(["t3"]);
    expect(pause.isIn(call("t1"))).toBe(false);
    expect(pause.isIn(call("t1") + call("t2"))).toBe(true);
  });

  it("a subagent gets none to what was before", () => {
    const session = new Session();
    const read = (id: string) => ({ id, text: lines(1, 60), tool: "Read", input: { file_path: "/p/a.ts" } });
    session.calls([read("a1")], "agent");
    session.now += HOURS;
    expect(session.calls([read("a2")], "agent")).toEqual([lines(1, 60)]);
    expect(session.calls([read("a3")], "agent")[0]).toContain("ref: a2");
  });
});

describe("if the results of one message are very long", () => {
  const table = (mark: string) =>
    Array.from({ length: 1500 }, (_, row) => `${row} of ${mark} ${"x".repeat(25)}`).join("\n");
  const queried = (tool: string) => {
    const session = new Session();
    const marks = ["a", "b", "c", "d"];
    session.calls(marks.map(mark => ({ id: `t${mark}`, text: table(mark), tool, input: { query: mark } })));
    return session.call("t9", table("a"), tool, { query: "a" });
  };

  it("there are no hints to any of them: the model may have only the beginning of some", () => {
    expect(4 * table("a").length).toBeGreaterThan(150_000);
    expect(queried("mcp__db__query")).toBe(table("a"));
  });

  it("except to Reads", () => {
    expect(queried("Read")).toContain("ref: ta");
  });

  it("nor after a resume", () => {
    const session = new Session();
    const query = (mark: string) => ({ tool: "mcp__db__query", input: { query: mark } });
    const uses = ["a", "b", "c", "d"].map(mark => ({ tool_use_id: `t${mark}`, ...query(mark), text: table(mark) }));
    const aside = { tool_use_id: "t5", tool: "Bash", input: { command: "date" }, text: "done" };
    const said = (...toolUses: Record<string, unknown>[]) => ({ role: "assistant", text: "", toolUses });
    session.messages = [said(...uses), { role: "user", text: "", toolUses: [] }, said(aside)];
    expect(session.call("t9", table("a"), "mcp__db__query", { query: "a" })).toBe(table("a"));
  });

  it("the model is still told what their hints refer to", () => {
    const session = hinted();
    const other = (mark: string) => ({ id: mark, text: table(mark), tool: "mcp__db__query", input: { mark } });
    const same = { id: "t5", text: lines(1, 60), tool: "Bash", input: { command: "cat a.ts" } };
    expect(session.calls([same, ...["a", "b", "c", "d"].map(other)])[0]).toContain("ref: t1");
    session.call("t6", "done", "Bash", { command: "date" });
    session.hints.settle(without(session, "t1", "t3"));
    expect(told(session)).toContain("t1 Read(a.ts)");
  });
});

describe("a notice", () => {
  it("is given again if the prompt did not enter the conversation", () => {
    const session = hinted();
    session.hints.take(cutRow);
    session.hints.learnCut(logText(cut(["t1"])));
    const first = session.hints.notice();
    first?.takeBack();
    expect(told(session)).toBe(first?.text);
    expect(told(session)).toBeUndefined();
    const fresh = new Session();
    fresh.hints.notice()?.takeBack();
    expect(told(fresh)).toBe(SPAN_EXPLANATION);
  });

  it("is given again after a rewind to before it, unless a compaction came in between", () => {
    const said = (...texts: string[]) => `<system-reminder>${texts.join("\n")}</system-reminder>`;
    for (const isCompacted of [false, true]) {
      const session = hinted();
      const { hints } = session;
      hints.take(cutRow);
      hints.learnCut(logText(cut(["t1"])));
      const text = notice(given("t1", "a.ts", "a"));
      expect(told(session)).toBe(text);
      hints.settle(requested(session, said(text)));
      expect(told(session)).toBeUndefined();
      if (isCompacted) hints.compacted({}, session.messages);
      hints.settle(requested(session, said(SPAN_EXPLANATION)));
      expect(told(session)).toBe(isCompacted ? undefined : text);
    }
  });

  it("survives a change of settings", () => {
    const session = hinted();
    session.hints.take(cutRow);
    session.hints.applySettings({ ...DEFAULT_SETTINGS, verbosity: "terse" });
    session.hints.settle(requested(session), logText(cut(["t1"])));
    expect(told(session)).toContain("t1 Read(a.ts)");
  });

  it("explains hints again after a rewind to before that", () => {
    const { hints } = new Session();
    const user = (...texts: string[]) => ({ role: "user", content: texts.map(text => ({ type: "text", text })) });
    hints.settle([]);
    expect(hints.notice()?.text).toBe(SPAN_EXPLANATION);
    hints.settle([user("go", `<system-reminder>${SPAN_EXPLANATION}</system-reminder>`)]);
    expect(hints.notice()).toBeUndefined();
    hints.settle([user("be ready")]);
    expect(hints.notice()?.text).toBe(SPAN_EXPLANATION);
    // In this form, what Claude Code added is not listed.
    hints.settle([{ role: "user", text: "be ready", toolUses: [] }]);
    expect(hints.notice()).toBeUndefined();
  });
});
