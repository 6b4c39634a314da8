import { describe, expect, it } from "vitest";
import { cacheBreakpoints, validateCacheHit, wireMarks } from "../../../../src/dedup/passes/cacheBreakpoints.js";
import type { Message } from "../../../../src/log/conversation/message.js";
import { assistant, call, exchange, result, tool, user } from "../../../support/messages.js";

const NONE = { breakpoints: [], eligibleIds: [], applied: false };
/** A prompt, then this many calls with their results: results are at 2, 4, 6 … */
const turns = (count: number, name = "read_file"): Message[] => [
  user("start"),
  ...Array.from({ length: count }, (_, at) => exchange(`t${at}`, "ok", name)).flat(),
];

describe("cache breakpoints", () => {
  it("only count the given tools", () => {
    const mine = { enabled: true, liveThreshold: 0, tools: ["mine"] };
    expect(cacheBreakpoints(turns(1, "mine"), mine).eligibleIds).toEqual(["t0"]);
    expect(cacheBreakpoints(turns(1, "Read"), mine)).toEqual(NONE);
  });

  it("are before every result message but the newest four", () => {
    const { breakpoints, eligibleIds, applied } = cacheBreakpoints(turns(10), { enabled: true, liveThreshold: 4 });
    expect(breakpoints).toEqual([1, 3, 5, 7, 9, 11]);
    expect(eligibleIds).toEqual(["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9"]);
    expect(applied).toBe(true);
  });

  it("are off unless requested", () => {
    expect(cacheBreakpoints(turns(10))).toEqual(NONE);
    expect(cacheBreakpoints(turns(10), { enabled: false })).toEqual(NONE);
  });

  it("need more result messages than stay live", () => {
    expect(cacheBreakpoints(turns(3), { enabled: true })).toEqual(NONE);
    expect(cacheBreakpoints(turns(4), { enabled: true })).toEqual(NONE);
    expect(cacheBreakpoints(turns(5), { enabled: true }).breakpoints).toEqual([1]);
  });

  it("are only for the sixteen tools", () => {
    expect(cacheBreakpoints(turns(10, "ask_user_question"), { enabled: true, liveThreshold: 0 })).toEqual(NONE);
    const mixed = [...exchange("ok", "x", "read_file"), ...exchange("no", "x", "ask_user_question")];
    expect(cacheBreakpoints(mixed, { enabled: true, liveThreshold: 0 })).toEqual({
      breakpoints: [0],
      eligibleIds: ["ok"],
      applied: true,
    });
    const names = ["read_file", "bash", "grep", "glob", "web_search", "web_fetch", "edit_file", "write_file"];
    const pascal = ["Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"];
    for (const name of [...names, ...pascal]) {
      expect(cacheBreakpoints(turns(1, name), { enabled: true, liveThreshold: 0 }).eligibleIds).toEqual(["t0"]);
    }
    for (const name of ["read", "Task", "MultiEdit", "NotebookEdit", ""]) {
      expect(cacheBreakpoints(turns(1, name), { enabled: true, liveThreshold: 0 })).toEqual(NONE);
    }
  });

  it("count messages, not results, whether a user's or a tool's", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const parallel = [assistant(...ids.map(id => call(id))), tool(...ids.map(id => result(id)))];
    expect(cacheBreakpoints(parallel, { enabled: true })).toEqual(NONE);
    const byUser = [assistant(call("a")), user(result("a"), result("a"))];
    expect(cacheBreakpoints(byUser, { enabled: true, liveThreshold: 0 }).breakpoints).toEqual([0]);
  });

  it("are never before the first message", () => {
    const list = [tool(result("a")), assistant(call("a"))];
    expect(cacheBreakpoints(list, { enabled: true, liveThreshold: 0 })).toEqual({
      breakpoints: [],
      eligibleIds: ["a"],
      applied: false,
    });
  });

  it("are for Anthropic only, and never for a subagent", () => {
    const applied = (provider: string | undefined, subagent = false) =>
      cacheBreakpoints(turns(10), { enabled: true, provider, subagent }).applied;
    expect(applied(undefined)).toBe(true);
    expect(applied("My-Anthropic-Proxy")).toBe(true);
    expect(applied("openai")).toBe(false);
    expect(applied("")).toBe(false);
    expect(applied("anthropic", true)).toBe(false);
  });
});

describe("on the wire", () => {
  it("only the last three are sent, and the system prompt is marked as well", () => {
    expect(wireMarks([1, 3, 5, 7, 9, 11])).toEqual({ system: true, messages: [7, 9, 11] });
    expect(wireMarks([1])).toEqual({ system: true, messages: [1] });
  });

  it("an empty list still marks the system prompt, none at all does not", () => {
    expect(wireMarks([])).toEqual({ system: true, messages: [] });
    expect(wireMarks(undefined)).toEqual({ system: false, messages: [] });
  });
});

describe("a cache hit", () => {
  it("is a request that read something from the cache", () => {
    for (const usage of [undefined, {}, { cacheRead: 0 }, { cacheRead: null }]) {
      expect(validateCacheHit(usage)).toBe(false);
    }
    expect(validateCacheHit({ cacheRead: 42 })).toBe(true);
  });
});
