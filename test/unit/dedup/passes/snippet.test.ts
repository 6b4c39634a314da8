import { describe, expect, it } from "vitest";
import { snippet } from "../../../../src/dedup/passes/snippet.js";
import { prompts, result, tool, user } from "../../../support/messages.js";

const snipped = (value: string, later = 8) => {
  const { messages, stats } = snippet([tool(result("t", value)), ...prompts(later)]);
  const [part] = messages[0]?.parts ?? [];
  return { text: part?.kind === "result" ? part.text : undefined, stats };
};

describe("a large old result", () => {
  it("keeps its first and its last 1,024 bytes", () => {
    const { text, stats } = snipped("A".repeat(10_000));
    const kept = "A".repeat(1024);
    expect(text).toBe(`${kept}\n[...elided 7952 bytes...]\n${kept}`);
    // 2,075 bytes are left.
    expect(stats).toEqual({ dedupHits: 0, snippetHits: 1, totalBytesSaved: 7925 });
  });

  it("is one of at least 4,096 bytes of UTF-8", () => {
    expect(snipped("A".repeat(4095)).stats.snippetHits).toBe(0);
    expect(snipped("A".repeat(4096)).stats.snippetHits).toBe(1);
    expect(snipped("é".repeat(2048)).stats.snippetHits).toBe(1);
  });

  it("is never cut within a character: the head is rounded down, the tail up", () => {
    // 1 byte, then 4 each: 1,024 falls 3 bytes into the 256th; the tail starts 1 byte after a character begins.
    const { text } = snipped(`a${"🦀".repeat(2000)}`);
    const [head = "", mark, tail = ""] = (text ?? "").split("\n");
    expect(head).toBe(`a${"🦀".repeat(255)}`);
    expect(tail).toBe("🦀".repeat(256));
    expect(mark).toBe(`[...elided ${8001 - 1021 - 1024} bytes...]`);
    const three = snipped(`${"漢".repeat(2000)}`).text ?? "";
    // 1,024 = 341 × 3 + 1, at both ends.
    expect(three).toBe(`${"漢".repeat(341)}\n[...elided ${6000 - 2 * 1023} bytes...]\n${"漢".repeat(341)}`);
  });

  it("stays in the last eight messages", () => {
    expect(snipped("A".repeat(10_000), 7).stats.snippetHits).toBe(0);
  });

  it("is cut only once, and never if it is a reference", () => {
    expect(snipped(`${"H".repeat(2500)}\n[...elided 99 bytes...]\n${"T".repeat(2500)}`).stats.snippetHits).toBe(0);
    expect(snipped(`[DEDUP]${"x".repeat(5000)}`).stats.snippetHits).toBe(0);
  });

  it("is a result: texts stay", () => {
    const list = [user("A".repeat(10_000)), tool(result("t", null)), ...prompts(8)];
    expect(snippet(list).messages).toEqual(list);
  });
});
