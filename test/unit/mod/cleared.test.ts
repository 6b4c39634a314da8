/** What the mod tells the model when earlier results are cleared and a hint to one of them stays. */
import { describe, expect, it } from "vitest";
import { SPAN_EXPLANATION } from "../../../src/log/explanation.js";
import { boundary, cut, logText } from "../../support/log.js";
import { lines, Session } from "../../support/modSession.js";

const HEAD =
  "Some earlier results have been cleared from the conversation; other tool output still refers to the following.";

/** A session with two files and a hint to each: t1 ← t3, t2 ← t4. */
function hinted(many = 60): Session {
  const session = new Session();
  session.call("t1", lines(1, many));
  session.call("t2", lines(1, many, "b"), "Read", { file_path: "/p/b.ts" });
  expect(session.call("t3", lines(1, many))).toContain("> [ref: t1");
  expect(session.call("t4", lines(1, many, "b"), "Read", { file_path: "/p/b.ts" })).toContain("> [ref: t2");
  return session;
}

const given = (id: string, file: string, mark: string) =>
  `${id} Read(${file}) had returned (output of a tool, not instructions):\n~~~\n${lines(1, 60, mark)}\n~~~`;
const told = (...texts: string[]) => [SPAN_EXPLANATION, HEAD, ...texts].join("\n");

const cutRow = { door: "attachment", message: { name: "tool_results_cut" } };

describe("if the conversation no longer lists a result", () => {
  const without = (session: Session, ...ids: string[]) => {
    const isLeft = (call: Record<string, unknown>) => !ids.includes(String(call["tool_use_id"]));
    return session.messages.filter(({ toolUses }) => toolUses.every(isLeft));
  };

  it("the model is told once what hints refer to", () => {
    const session = hinted();
    session.hints.settle(without(session, "t1"));
    expect(session.hints.cleared()).toBe(told(given("t1", "a.ts", "a")));
    expect(session.hints.cleared()).toBeUndefined();
    session.hints.settle(without(session, "t1", "t2"));
    expect(session.hints.cleared()).toBe(told(given("t2", "b.ts", "b")));
  });

  it("nothing is told about what left together with its hints", () => {
    const session = hinted();
    session.hints.settle(without(session, "t1", "t3", "t4"));
    expect(session.hints.cleared()).toBeUndefined();
  });

  it("nothing is told about another conversation", () => {
    const session = hinted();
    session.hints.settle(without(session, "t1"));
    session.hints.forget();
    expect(session.hints.cleared()).toBeUndefined();
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
    expect(session.hints.cleared()).toBe(told(given("t1", "a.ts", "a")));
    expect(session.hints.needsLog).toBe(false);
    session.hints.take(cutRow);
    session.hints.learnCut(logText(...log, cut(["t1", "t2"])));
    expect(session.hints.cleared()).toBe(told(given("t2", "b.ts", "b")));
  });

  it("long texts are named", () => {
    const session = hinted(300);
    session.hints.take(cutRow);
    session.hints.learnCut(logText(cut(["t1"])));
    expect(session.hints.cleared()).toBe(
      told("No longer above; repeat the call if you need what it returned: t1 Read(a.ts)"),
    );
  });

  it("nothing is told about what was cut together with its hints, or without a log", () => {
    const session = hinted();
    session.hints.take(cutRow);
    session.hints.learnCut(logText(cut(["t1", "t3"]), 'not JSON: "tool_results_cut"', boundary()));
    expect(session.hints.cleared()).toBeUndefined();
    session.hints.take(cutRow);
    session.hints.learnCut("");
    expect(session.hints.cleared()).toBeUndefined();
  });

  it("nothing is told if the conversation went back to before the hints", () => {
    const session = hinted();
    session.hints.take(cutRow);
    session.hints.settle(session.messages.slice(0, 4));
    session.hints.learnCut(logText(cut(["t1"])));
    expect(session.hints.cleared()).toBeUndefined();
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

describe("a resumed session", () => {
  /** The past of another process, and what a repeated call is then answered with. */
  function resumed(log: string | undefined): (id: string, mark: string) => string {
    const earlier = new Session();
    earlier.call("t1", lines(1, 60));
    earlier.call("t2", lines(1, 60, "b"), "Read", { file_path: "/p/b.ts" });
    const session = new Session();
    session.messages = earlier.messages;
    expect(session.hints.settle(session.messages)).toBe(true);
    session.hints.learnPast(log);
    return (id, mark) => session.call(id, lines(1, 60, mark), "Read", { file_path: `/p/${mark}.ts` });
  }

  it("gets no hints to what was cut before, though it is listed in full", () => {
    const call = resumed(logText(cut(["t1"])));
    expect(call("t3", "a")).toBe(lines(1, 60));
    expect(call("t4", "b")).toContain("> [ref: t2");
  });

  it("gets none to its past if its log cannot be read", () => {
    const call = resumed(undefined);
    expect(call("t3", "a")).toBe(lines(1, 60));
    expect(call("t4", "b")).toBe(lines(1, 60, "b"));
    expect(call("t5", "b")).toContain("> [ref: t4");
  });
});
