/** The upper bounds: every run of lines that an earlier text of the context has, whatever the rules of live hints. */
import { describe, expect, it } from "vitest";
import { type NumberStyle, prefixOf } from "../../../../src/dedup/runs/numbered.js";
import { MAX_CHARS } from "../../../../src/dedup/runs/runIndex.js";
import type { Fact } from "../../../../src/log/facts.js";
import { BOUND_RUN_BYTES, boundary, call, cleared, emissions, request, result, rewind } from "./emit.js";

const THREE = ["the quick brown fox", "jumps over", "the lazy dog"].map(text => text.padEnd(80, "."));
/** 242 characters: three lines of 80. */
const FOX = THREE.join("\n");

function numbered(from: number, texts: readonly string[] = THREE, style: NumberStyle = "tab"): string {
  return texts.map((text, at) => prefixOf(style, from + at) + text).join("\n");
}

const span = (...facts: Fact[]) => emissions("span", facts);
const withInputs = (...facts: Fact[]) => emissions("span-inputs", facts);

describe("a run of lines that was shown before", () => {
  it("becomes one hint line, with everything around it unchanged", () => {
    expect(span(result("t1", `head\n${FOX}\ntail`), result("t2", `before\n${FOX}\nafter`))[1]).toBe(
      "before\n> [ref: t1 lines 2-4]\nafter",
    );
  });

  it("is left alone below the minimum size, whatever is set for live hints", () => {
    const least = "x".repeat(BOUND_RUN_BYTES);
    expect(span(result("t1", least), result("t2", least))[1]).toBe("> [ref: t1 lines 1-1]");
    const shorter = least.slice(1);
    for (const spanMinBytes of [20, 1000]) {
      expect(emissions("span", [result("t1", shorter), result("t2", shorter)], { spanMinBytes })[1]).toBe(shorter);
      expect(emissions("span", [result("t1", FOX), result("t2", FOX)], { spanMinBytes })[1]).toBe(
        "> [ref: t1 lines 1-3]",
      );
    }
  });

  it("is measured in bytes, and a hint in characters", () => {
    // 67 characters are 201 bytes; a hint has 21 characters, which is less than half of them.
    const foreign = "漢".repeat(67);
    expect(span(result("t1", foreign), result("t2", foreign))[1]).toBe("> [ref: t1 lines 1-1]");
    const longId = "t".repeat(30);
    expect(span(result(longId, foreign), result("t2", foreign))[1]).toBe(foreign);
  });

  it("is referred to where it really is, not to a hint", () => {
    const all = span(result("t1", FOX), result("t2", `x\n${FOX}`), result("t3", `y\n${FOX}`));
    expect(all).toEqual([FOX, "x\n> [ref: t1 lines 1-3]", "y\n> [ref: t1 lines 1-3]"]);
  });

  it("counts the lines of the emitted text, in which a hint is one line", () => {
    const tail = ["something quite different", "follows down here"].map(text => text.padEnd(120, "-")).join("\n");
    const all = span(result("t1", FOX), result("t2", `${FOX}\n${tail}`), result("t3", tail));
    expect(all[1]).toBe(`> [ref: t1 lines 1-3]\n${tail}`);
    expect(all[2]).toBe("> [ref: t2 lines 2-3]");
  });

  it("may have other line numbers", () => {
    expect(span(result("t1", numbered(1)), result("t2", numbered(41)))[1]).toBe(
      "> [ref: t1 lines 1-3, renumbered from 41]",
    );
    expect(span(result("t1", numbered(7)), result("t2", numbered(7)))[1]).toBe("> [ref: t1 lines 1-3]");
    // Numbers of another form are not what a reader would insert.
    expect(span(result("t1", numbered(7)), result("t2", numbered(7, THREE, "arrow")))[1]).toBe(
      numbered(7, THREE, "arrow"),
    );
  });

  it("ends where the numbers stop counting up", () => {
    const texts = ["one", "two", "three"].map(text => `a long line with number ${text}`.padEnd(110, "."));
    const jumpy = `${numbered(11, texts.slice(0, 2))}\n20\t${texts[2]}`;
    expect(span(result("t1", numbered(1, texts)), result("t2", jumpy))[1]).toBe(
      `> [ref: t1 lines 1-2, renumbered from 11]\n20\t${texts[2]}`,
    );
  });

  it("is found in any of the newest texts that have one of its lines, the longest one first, then the newest", () => {
    const all = span(result("t1", FOX), result("t2", `${FOX}\nand more`), result("t3", `${THREE[1]}\nx`));
    // The second text keeps its last line only, so everything else is still in the first.
    expect(all[1]).toBe("> [ref: t1 lines 1-3]\nand more");
    const both = span(
      result("t1", `${FOX}\nand so on, until the end`),
      result("t2", `${THREE[0]}\nsomething else`.padEnd(300, "!")),
      result("t3", FOX),
    );
    expect(both.at(-1)).toBe("> [ref: t1 lines 1-3]");
    const line = "the same long line".padEnd(210, ".");
    const newest = span(result("t1", `${line}\na`), result("t2", `${line}\n${FOX}`), result("t3", `x\n${line}`));
    // The second text has a hint in place of the line.
    expect(newest.slice(1)).toEqual([`> [ref: t1 lines 1-1]\n${FOX}`, "x\n> [ref: t1 lines 1-1]"]);
  });

  it("is found behind many texts that only have one of its lines", () => {
    const many = Array.from({ length: 7 }, (_, at) => result(`c${at}`, `${THREE[1]}\n${at}`));
    expect(span(result("t1", FOX), ...many, result("t2", FOX)).at(-1)).toBe("> [ref: t1 lines 1-3]");
  });

  it("may be in an earlier call's input, if enabled", () => {
    const facts = [call("t1", [["content", FOX]]), result("t1", "ok"), result("t2", FOX)];
    expect(span(...facts)[1]).toBe(FOX);
    expect(withInputs(...facts)[1]).toBe("> [ref: t1 input.content lines 1-3]");
    expect(withInputs(call("t1", [["content", FOX]]), result("t3", numbered(5)))[0]).toBe(
      "> [ref: t1 input.content lines 1-3, numbered from 5]",
    );
  });

  it("may be in the message that is being answered, an error or a list: bounds have no exceptions", () => {
    const all = span(
      request(),
      result("t1", FOX, { error: true }),
      result("t2", FOX),
      result("t3", FOX, { tool: "Grep" }),
      result("t4", `${FOX}\nExit code 1`, { error: true }),
    );
    const hint = "> [ref: t1 lines 1-3]";
    expect(all.slice(1)).toEqual([hint, hint, `${hint}\nExit code 1`]);
  });
});

describe("nothing is referred to that the model no longer has", () => {
  const hint = "> [ref: t1 lines 1-3]";

  it("after a compaction, even what it keeps: a hint stays in its partition", () => {
    expect(span(result("t1", FOX), boundary(), result("t2", FOX))[1]).toBe(FOX);
    expect(span(result("t1", FOX), boundary(["u-t1"]), result("t2", FOX))[1]).toBe(FOX);
  });

  it("nor to anything older than any context can hold", () => {
    const filler = Array.from({ length: 5 }, (_, at) => result(`f${at}`, `${at}`.repeat(MAX_CHARS / 4)));
    expect(span(result("t1", FOX), ...filler, result("t2", FOX)).at(-1)).toBe(FOX);
    expect(span(result("t1", FOX), ...filler.slice(0, 3), result("t2", FOX)).at(-1)).toBe(hint);
    const kept = span(...filler, result("t1", FOX), result("t2", FOX), result("f", "z".repeat(MAX_CHARS / 4)));
    expect(kept.at(-2)).toBe(hint);
  });

  it("nor a text that is larger than half a context, which is not held at all", () => {
    const huge = `${FOX}\n${"z".repeat(MAX_CHARS / 2)}`;
    expect(span(result("t1", huge), result("t2", FOX))[1]).toBe(FOX);
  });

  it("keeps counting where lines were hidden, after old texts were evicted", () => {
    const filler = (name: string) =>
      Array.from({ length: 3 }, (_, at) => result(`${name}${at}`, `${name}${at}`.repeat(MAX_CHARS / 8)));
    const tail = "something quite different".padEnd(210, "-");
    const all = span(
      ...filler("a"),
      result("t1", FOX),
      result("t2", `${FOX}\n${tail}`),
      result("b", "b".repeat(MAX_CHARS / 3)),
      result("t3", tail),
    );
    expect(all.at(-3)).toBe(`${hint}\n${tail}`);
    expect(all.at(-1)).toBe("> [ref: t2 lines 2-2]");
  });

  it("after it was cleared, rewound or silently dropped", () => {
    expect(span(result("t1", FOX), cleared(["t1"]), result("t2", FOX))[1]).toBe(FOX);
    expect(span(result("t1", FOX), cleared(["t0"]), result("t2", FOX))[1]).toBe(hint);
    const [before, old] = [result("t0", "before it"), result("t1", FOX)];
    expect(span(before, old, rewind(before), result("t2", FOX)).at(-1)).toBe(FOX);
    expect(span(before, old, rewind(old), result("t2", FOX)).at(-1)).toBe(hint);
    expect(span(request(1000), result("t1", FOX), request(899), result("t2", FOX))[1]).toBe(FOX);
    expect(span(request(1000), result("t1", FOX), request(900), result("t2", FOX))[1]).toBe(hint);
  });

  it("if the chain of parents does not lead there", () => {
    const branch: Fact = { fact: "branch", line: 0, offset: 0, at: null, call: 20, from: 5 };
    const old = result("t1", FOX, { callLine: 10 });
    expect(span(old, branch, result("t2", FOX, { callLine: 20 }))[1]).toBe(FOX);
    expect(span(old, result("t2", FOX, { callLine: 20 }))[1]).toBe(hint);
    // A call that is not in the file has no ancestors.
    expect(span(old, result("t2", FOX, { callLine: 0 }))[1]).toBe(FOX);
  });
});

describe("what is never replaced", () => {
  it("is what is not text, and a text that contains hint lines itself", () => {
    const hinted = `> [ref: t0 lines 1-3]\n${FOX}`;
    const near = `> [near-ref: t0, a: 1→2]\n${FOX}`;
    const all = span(result("t1", FOX), result("t2", null), result("t3", hinted), result("t4", near));
    expect(all.slice(1)).toEqual([null, hinted, near]);
  });

  it("is a line that looks like a hint in the text referred to", () => {
    const quoted = [...THREE, "> [ref: t0 lines 1-3]", "the last line of all"];
    const read = numbered(1, quoted);
    expect(withInputs(call("t1", [["content", quoted.join("\n")]]), result("t2", read))[0]).toBe(read);
  });

  it("is a repeat of a call that a hint could not name", () => {
    for (const id of ["t 1", "t1]", "t1, lines 1-3", "ä", ""]) {
      expect(span(result(id, FOX), result("t2", FOX))[1]).toBe(FOX);
    }
    expect(withInputs(call("t1", [["my key", FOX]]), result("t2", FOX))[0]).toBe(FOX);
  });

  it("is a run that has no line of 8 characters: blank lines and brackets are everywhere", () => {
    const brackets = Array.from({ length: 60 }, () => "}  // 1").join("\n");
    expect(span(result("t1", brackets), result("t2", brackets))[1]).toBe(brackets);
    // One such line is enough to find those around it.
    const found = `${brackets}\n}  // 12\n${brackets}`;
    expect(span(result("t1", found), result("t2", found))[1]).toBe("> [ref: t1 lines 1-121]");
  });
});

describe("the numbers of a hint that adds them", () => {
  const hint = "> [ref: t1 input.content lines 1-3, numbered from 5]";
  const last = (...facts: Fact[]) => withInputs(call("t1", [["content", FOX]]), ...facts).at(-1);
  const [tabs, arrows] = [numbered(5), numbered(5, THREE, "arrow")];
  const shown = "     1→a line with a number";

  it("have the newer form if nothing shows one", () => {
    expect(last(result("t2", tabs))).toBe(hint);
    expect(last(result("t2", arrows))).toBe(arrows);
  });

  it("have the form of the newest result that shows one, even a list or a diff", () => {
    expect(last(result("t2", shown), result("t3", arrows))).toBe(hint);
    expect(last(result("t2", shown), result("t3", tabs))).toBe(tabs);
    expect(last(result("t2", shown, { tool: "Grep" }), result("t3", arrows))).toBe(hint);
    expect(last(result("t2", `diff --git a/x b/x\n${shown}`), result("t3", arrows))).toBe(hint);
  });

  it("have the form that another line of the same text shows", () => {
    expect(last(result("t2", `     4→another line\n${arrows}`))).toBe(`     4→another line\n${hint}`);
    // Both forms in one text: nobody could tell.
    expect(last(result("t2", `4\tanother line\n${arrows}`))).toBe(`4\tanother line\n${arrows}`);
  });
});
