import { describe, expect, it } from "vitest";
import { repairOrphans } from "../../../../src/dedup/passes/repairOrphans.js";
import { assistant, call, exchange, result, text, tool, user } from "../../../support/messages.js";

const UNAVAILABLE = "[tool result unavailable: elided by context management]";
const repairs = (snippetHits: number) => ({ dedupHits: 0, snippetHits, totalBytesSaved: 0 });

describe("calls and results", () => {
  it("that belong together stay as they are", () => {
    const list = [user("q"), ...exchange("a"), ...exchange("b"), assistant("done")];
    expect(repairOrphans(list)).toEqual({ messages: list, stats: repairs(0) });
  });

  it("a call without a result gets one, right after its message", () => {
    const { messages, stats } = repairOrphans([user("q"), assistant(call("a")), user("follow-up")]);
    expect(messages).toEqual([user("q"), assistant(call("a")), tool(result("a", UNAVAILABLE)), user("follow-up")]);
    expect(stats).toEqual(repairs(1));
  });

  it("several calls of one message get theirs in the order of the calls", () => {
    const { messages } = repairOrphans([assistant(call("a"), call("b"), call("c")), tool(result("b"))]);
    const answered = messages.flatMap(({ parts }) => parts.flatMap(part => (part.kind === "result" ? part.id : [])));
    expect(answered).toEqual(["a", "c", "b"]);
  });

  it("a result without a call is removed", () => {
    const { messages, stats } = repairOrphans([user("q"), tool(result("nobody")), user("next")]);
    expect(messages).toEqual([user("q"), user("next")]);
    expect(stats).toEqual(repairs(1));
  });

  it("both at once are two repairs", () => {
    const list = [user("q"), assistant(call("a")), ...exchange("b"), user("mid"), tool(result("c"))];
    const { messages, stats } = repairOrphans(list);
    expect(messages).toEqual([
      user("q"),
      assistant(call("a")),
      tool(result("a", UNAVAILABLE)),
      ...exchange("b"),
      user("mid"),
    ]);
    expect(stats).toEqual(repairs(2));
  });

  it("a message with anything else in it stays", () => {
    const mixed = tool(result("b"), result("nobody"));
    const withText = tool(result("nobody"), text("x"));
    const list = [assistant(call("b")), mixed, withText, tool()];
    expect(repairOrphans(list)).toEqual({ messages: list, stats: repairs(0) });
  });

  it("a result in a user's message answers no call", () => {
    const { messages, stats } = repairOrphans([assistant(call("a")), user(result("a"))]);
    expect(messages).toEqual([assistant(call("a")), tool(result("a", UNAVAILABLE)), user(result("a"))]);
    expect(stats).toEqual(repairs(1));
  });

  it("a result before its call is an orphan", () => {
    expect(repairOrphans([tool(result("a")), assistant(call("a"))]).messages).toEqual([assistant(call("a"))]);
  });
});
