import { describe, expect, it } from "vitest";
import { dedupToolOutputs } from "../../../../src/dedup/passes/dedupToolOutputs.js";
import { prompts, result, text, tool, user } from "../../../support/messages.js";

const body = (bytes: number, letter = "x") => letter.repeat(bytes);

describe("equal results", () => {
  it("leaves results alone that are shorter than configured", () => {
    const list = [tool(result("a", body(100))), tool(result("b", body(100)))];
    expect(dedupToolOutputs(list).stats.dedupHits).toBe(0);
    expect(dedupToolOutputs(list, { minBytes: 100 }).stats.dedupHits).toBe(1);
    expect(dedupToolOutputs(list, { minBytes: 101 }).stats.dedupHits).toBe(0);
  });

  it("become a line that names the first call and the size", () => {
    const { messages, stats } = dedupToolOutputs([tool(result("a", body(1024))), tool(result("b", body(1024)))]);
    expect(messages).toEqual([
      tool(result("a", body(1024))),
      tool(result("b", "[DEDUP] identical to tool_call_id=a (1024 bytes)")),
    ]);
    // The line has 48 bytes.
    expect(stats).toEqual({ dedupHits: 1, snippetHits: 0, totalBytesSaved: 976 });
  });

  it("all name the first, however many there are", () => {
    const list = ["first", "second", "third"].map(id => tool(result(id, body(2048))));
    const { messages, stats } = dedupToolOutputs(list);
    const line = "[DEDUP] identical to tool_call_id=first (2048 bytes)";
    expect(messages.slice(1)).toEqual([tool(result("second", line)), tool(result("third", line))]);
    expect(stats).toEqual({ dedupHits: 2, snippetHits: 0, totalBytesSaved: 2 * 1996 });
  });

  it("count from 256 bytes of UTF-8 on", () => {
    const hitsOf = (value: string) =>
      dedupToolOutputs([tool(result("a", value)), tool(result("b", value))]).stats.dedupHits;
    expect(hitsOf("ok")).toBe(0);
    expect(hitsOf(body(255))).toBe(0);
    expect(hitsOf(body(256))).toBe(1);
    // Two bytes each.
    expect(hitsOf(body(127, "é"))).toBe(0);
    expect(hitsOf(body(128, "é"))).toBe(1);
  });

  it("are found in any role and within one message, but only among results", () => {
    const big = body(300);
    const { stats } = dedupToolOutputs([user(result("a", big), result("b", big)), tool(result("c", big))]);
    expect(stats.dedupHits).toBe(2);
    expect(dedupToolOutputs([user(text(big)), user(text(big)), tool(result("a", big))]).stats.dedupHits).toBe(0);
  });

  it("must be equal to the byte, and be text", () => {
    const list = [tool(result("a", body(300, "x"))), tool(result("b", body(300, "y")))];
    expect(dedupToolOutputs(list)).toEqual({
      messages: list,
      stats: { dedupHits: 0, snippetHits: 0, totalBytesSaved: 0 },
    });
    expect(dedupToolOutputs([tool(result("a", null)), tool(result("b", null))]).stats.dedupHits).toBe(0);
  });
});

describe("with the last eight messages left alone", () => {
  const [old, retry] = [tool(result("old", body(1024))), tool(result("retry", body(1024)))];

  it("equal results before them are replaced as usual", () => {
    const { messages, stats } = dedupToolOutputs([old, retry, ...prompts(8)], { keepLast: 8 });
    expect(stats).toEqual({ dedupHits: 1, snippetHits: 0, totalBytesSaved: 1024 - 50 });
    expect(messages[1]).toEqual(tool(result("retry", "[DEDUP] identical to tool_call_id=old (1024 bytes)")));
  });

  it("a retry stays whole", () => {
    expect(dedupToolOutputs([old, retry], { keepLast: 8 })).toEqual({
      messages: [old, retry],
      stats: { dedupHits: 0, snippetHits: 0, totalBytesSaved: 0 },
    });
    expect(dedupToolOutputs([old, ...prompts(7), retry], { keepLast: 8 }).stats.dedupHits).toBe(0);
  });

  it("the last of the eight decides", () => {
    expect(dedupToolOutputs([old, retry, ...prompts(7)], { keepLast: 8 }).stats.dedupHits).toBe(0);
    expect(dedupToolOutputs([old, retry, ...prompts(8)], { keepLast: 8 }).stats.dedupHits).toBe(1);
  });
});
