import { describe, expect, it } from "vitest";
import { collapseRepeatedCalls } from "../../../../src/dedup/passes/collapseRepeatedCalls.js";
import { assistant, call, prompts } from "../../../support/messages.js";

const input = (bytes: number) => `{"p":"${"x".repeat(bytes - 8)}"}`;
const two = (bytes: number, later = 8) =>
  collapseRepeatedCalls([
    assistant(call("1", "f", input(bytes))),
    assistant(call("2", "f", input(bytes))),
    ...prompts(later),
  ]);

describe("a call made before", () => {
  it("is left with a mark for its input", () => {
    const { messages, stats } = two(200);
    expect(messages.slice(0, 2)).toEqual([
      assistant(call("1", "f", input(200))),
      assistant(call("2", "f", "[REPEAT of call_id=1, 200 bytes]")),
    ]);
    // The mark has 32 bytes.
    expect(stats).toEqual({ dedupHits: 1, snippetHits: 0, totalBytesSaved: 168 });
  });

  it("is one with at least 64 bytes of input", () => {
    expect(two(63).stats.dedupHits).toBe(0);
    expect(two(64).stats.dedupHits).toBe(1);
  });

  it("stays in the last eight messages", () => {
    expect(two(200, 7).stats.dedupHits).toBe(0);
  });

  it("has the same name", () => {
    const list = [assistant(call("1", "read", input(99))), assistant(call("2", "write", input(99))), ...prompts(8)];
    expect(collapseRepeatedCalls(list).messages).toEqual(list);
  });

  it("is marked once only", () => {
    const marked = `[REPEAT of call_id=${"i".repeat(99)}, 200 bytes]`;
    const list = [assistant(call("1", "f", marked)), assistant(call("2", "f", marked)), ...prompts(8)];
    expect(collapseRepeatedCalls(list).messages).toEqual(list);
  });
});
