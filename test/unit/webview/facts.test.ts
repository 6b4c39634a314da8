import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { LiveContext } from "../../../src/protocol/apply.js";
import { outcomePieces } from "../../../src/words/outcomeTexts.js";
import { factsOfMark, factsOfRow, repeatedLines } from "../../../webview/words/callFacts.js";
import { plain } from "../../../webview/words/pageText.js";
import { boundary, call, read, result, textOf } from "../../support/log.js";
import { contextOf, sampleContext } from "./context.js";

const BODY = textOf(600, "body");
const told = (context: LiveContext, row: number) =>
  factsOfRow(context, row, DEFAULT_SETTINGS).sentences.map(plain).join(" ");

describe("lines that are in other calls", () => {
  const hint = (row: number | null, from: number, to: number) => ({ line: 0, row, input: null, from, to });
  const said = (...hints: ReturnType<typeof hint>[]) =>
    plain(repeatedLines({ text: "", cut: false, lines: 120, hints }));

  it("are counted, and each place is named once", () => {
    expect(said(hint(91, 370, 374), hint(91, 170, 210), hint(95, 12, 12))).toBe(
      "47 of 120 lines are in call 92 (lines 370–374, 170–210), call 96 (line 12).",
    );
  });

  it("in too many places to list are counted", () => {
    const many = Array.from({ length: 9 }, (_, at) => hint(0, at * 10 + 1, at * 10 + 2));
    expect(said(...many)).toBe("18 of 120 lines are in call 1 (lines 1–2, 11–12, 21–22, 6 more).");
  });
});

describe("the facts of a result", () => {
  it("a hit names what it repeats, and what is repeated names its hits", () => {
    const context = contextOf([
      read("a", "/x.ts"),
      result("a", BODY),
      call("b", "Bash", { command: "cat x.ts" }),
      result("b", BODY),
    ]);
    expect(told(context, 1)).toContain("byte-identical to call 1 (1 result earlier, same partition)");
    expect(told(context, 1)).toContain("A hint would save");
    expect(told(context, 0)).toContain("The model had not seen this text before. Referenced by call 2.");
    expect(factsOfRow(context, 1, DEFAULT_SETTINGS)).toMatchObject({ other: 0, comparable: true, tool: "Bash" });
    expect(factsOfRow(context, 0, DEFAULT_SETTINGS)).toMatchObject({ other: null, comparable: false });
  });

  it("an edit says what it made stale, and the next read says by whom", () => {
    const context = contextOf([
      read("a", "/x.ts"),
      result("a", BODY),
      call("e", "Edit", { file_path: "/x.ts" }),
      result("e", "done"),
      read("b", "/x.ts"),
      result("b", BODY),
    ]);
    expect(told(context, 0)).toContain("Made stale by call 2.");
    expect(told(context, 1)).toContain("It made call 1 stale.");
    expect(told(context, 2)).toContain("but call 2 changed what it shows");
    expect(factsOfRow(context, 2, DEFAULT_SETTINGS).other).toBe(1);
    const mark = factsOfMark(context, 0);
    expect(mark?.sentences.map(plain)).toEqual(["call 2 changed what call 1 shows."]);
    expect(mark).toMatchObject({ glyph: "invalidate", tool: "Edit", other: 0 });
  });

  it("an eviction that cost nothing is not mentioned", () => {
    const lines = ["a", "b", "c"].flatMap((mark, at) => [read(`${at}`, `/${at}`), result(`${at}`, textOf(600, mark))]);
    const context = contextOf(lines, { capacity: 1 });
    expect(context.rows.get(1, "evicted")).toBe(1);
    for (const row of [0, 1, 2]) expect(told(context, row)).not.toContain("victed");
  });

  it("an eviction that cost a hit is mentioned on both sides", () => {
    const lines = ["a", "b", "a"].flatMap((mark, at) => [read(`${at}`, `/${at}`), result(`${at}`, textOf(600, mark))]);
    const context = contextOf(lines, { capacity: 1 });
    expect(told(context, 0)).toContain("Evicted from the cache by call 2.");
    expect(told(context, 1)).toContain("It evicted call 1 from the cache.");
    expect(told(context, 2)).toContain("evicted from the cache (capacity 5)");
    // 600 characters less the hint, at 2.6 a token.
    expect(told(context, 2)).toContain(`It was in call 1. A hint would have saved ${Math.round(574 / 2.6)} tokens.`);
    expect(factsOfRow(context, 2, DEFAULT_SETTINGS).comparable).toBe(true);
    expect(plain(outcomePieces(context.rows, 2, { capacity: 1 }))).toBe("was call 1, evicted (capacity 1)");
  });

  it("a text with repeated lines names the call that has them, and no hint that would save no more", () => {
    const run = textOf(600, "body");
    const context = contextOf(
      [
        read("a", "/x.ts"),
        result("a", run),
        call("e", "Edit", { file_path: "/x.ts" }),
        result("e", "done"),
        read("b", "/x.ts"),
        result("b", run),
        read("c", "/y.ts"),
        result("c", `${run}\n${textOf(600, "more")}`),
      ],
      { runs: true },
    );
    // One line of 600 characters; its hint has 21.
    const share = `${Math.round((579 / 1201) * 100)} %`;
    expect(plain(outcomePieces(context.rows, 3, { capacity: 5, sources: context.sources }))).toBe(`${share} in call 1`);
    expect(told(context, 3)).toContain(`Hints would save ${Math.round(579 / 2.6)} tokens`);
    expect(factsOfRow(context, 3, DEFAULT_SETTINGS)).toMatchObject({ glyph: "partial", other: 0 });
    // A hint for the whole text, which an edit forbids, would be longer than the one for its only line.
    expect(factsOfRow(context, 2, DEFAULT_SETTINGS)).toMatchObject({ glyph: "partial", other: 0 });
    expect(told(context, 2)).not.toContain("would have saved");
  });

  it("a compaction says what is gone and what stays", () => {
    const context = contextOf([
      read("a", "/x.ts"),
      result("a", BODY),
      read("k", "/k.ts"),
      result("k", textOf(600, "kept"), { uuid: "u1" }),
      boundary(["u1"]),
      read("b", "/x.ts"),
      result("b", BODY),
    ]);
    const facts = factsOfMark(context, 0);
    expect(facts?.sentences.map(plain)).toEqual([
      "Auto-compaction: the context was replaced by a summary, and a new partition begins.",
      "Dropped: call 1.",
      "Kept: call 2.",
    ]);
    expect(told(context, 0)).toContain("Removed by the compaction after call 2.");
    expect(told(context, 2)).toContain("but the context has been compacted since");
    expect(factsOfRow(context, 2, DEFAULT_SETTINGS).place).toContain("Partition 1");
  });

  it("small results, errors and others are skipped for a reason", () => {
    const context = contextOf([
      read("s", "/s"),
      result("s", "small"),
      read("e", "/e"),
      result("e", BODY, { is_error: true }),
      read("i", "/i"),
      result("i", [{ type: "image", source: {} }]),
    ]);
    expect(told(context, 0)).toContain("Smaller than 200 bytes");
    expect(told(context, 1)).toContain("Errors are never replaced.");
    expect(told(context, 2)).toContain("Not only text");
  });

  it("every row and mark of the sample has something to say, with every name filled in", () => {
    const context = sampleContext();
    for (let row = 0; row < context.rows.length; row++)
      expect(told(context, row)).not.toMatch(/[{}]|undefined|NaN|call 0/);
    for (const index of context.marks.keys()) {
      const text = factsOfMark(context, index)?.sentences.map(plain).join(" ") ?? "";
      expect(text).not.toMatch(/[{}]|undefined|NaN|call 0/);
      expect(text).not.toBe("");
    }
    expect(factsOfMark(context, 999)).toBeNull();
  });
});
