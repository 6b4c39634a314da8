import { describe, expect, it } from "vitest";
import { applyAll } from "../../../../src/dedup/passes/applyAll.js";
import { assistant, call, exchange, prompts, result, thinking, tool } from "../../../support/messages.js";

describe("all passes together", () => {
  const big = "x".repeat(1024);

  it("prune thinking, replace repeats, prune text, repair, and add up what they did", () => {
    const list = [
      assistant(thinking("hmm"), "a  b", call("a")),
      tool(result("a", big)),
      assistant(thinking("only this")),
      ...exchange("b", big),
      assistant(call("lost")),
      ...prompts(8),
    ];
    const { messages, stats } = applyAll(list);
    expect(messages).toEqual([
      assistant("a b", call("a")),
      tool(result("a", big)),
      assistant(call("b")),
      tool(result("b", "[DEDUP] identical to tool_call_id=a (1024 bytes)")),
      assistant(call("lost")),
      tool(result("lost", "[tool result unavailable: elided by context management]")),
      ...prompts(8),
    ]);
    // Thinking 3 + 9 in two messages, the repeat 1024 − 48, one space, one repair without bytes.
    expect(stats).toEqual({ dedupHits: 1, snippetHits: 2 + 1 + 1, totalBytesSaved: 12 + 976 + 1 });
  });

  it("leave out cutting, trimming and collapsing", () => {
    const input = JSON.stringify({ path: "p".repeat(100) });
    const repeated = [
      assistant(call("1", "f", input)),
      tool(result("1")),
      assistant(call("2", "f", input)),
      tool(result("2")),
    ];
    const list = [...exchange("t", "y".repeat(10_000)), ...repeated, ...prompts(30)];
    expect(applyAll(list).messages).toEqual(list);
  });

  it("count the last eight messages after thinking has been removed", () => {
    // Of twelve messages the fifth vanishes: the second copy, which was the ninth from the end, is the eighth.
    const list = [...exchange("a", big), ...exchange("b", big), assistant(thinking("hm")), ...prompts(7)];
    expect(applyAll(list, { keepLast: 8 }).stats.dedupHits).toBe(0);
    expect(applyAll([...list, ...prompts(1)], { keepLast: 8 }).stats.dedupHits).toBe(1);
  });

  it("drop results whose calls are missing, however equal they are", () => {
    const { messages, stats } = applyAll([tool(result("a", big)), tool(result("b", big))]);
    expect(messages).toEqual([]);
    expect(stats).toEqual({ dedupHits: 1, snippetHits: 2, totalBytesSaved: 976 });
  });
});
