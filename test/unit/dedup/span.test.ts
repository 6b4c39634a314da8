import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandSpans } from "../../../src/dedup/span/expand.js";
import { parseSpanHint, renderSpanHint } from "../../../src/dedup/span/hints.js";
import { numberedLine, prefixOf } from "../../../src/dedup/span/numbered.js";
import { SpanReplay } from "../../../src/dedup/span/replay.js";
import { utf8Length } from "../../../src/log/bytes.js";
import type { CallFact, Fact, ResultFact } from "../../../src/log/facts.js";

const place = { offset: 0, at: null };
let line = 0;

function result(id: string, body: string | null, more: Partial<ResultFact> = {}): ResultFact {
  const call = { tool: "Bash", kind: "other" as const, path: undefined, target: "", callOffset: 0 };
  return {
    fact: "result",
    ...place,
    line: ++line,
    id,
    uuid: `u-${id}`,
    ...call,
    body,
    error: false,
    native: false,
    ...more,
  };
}

function call(id: string, strings: CallFact["strings"]): CallFact {
  return { fact: "call", ...place, line: ++line, id, uuid: `c-${id}`, strings };
}

function boundary(preserved: string[] = []): Fact {
  const rest = { trigger: undefined, preTokens: undefined, postTokens: undefined };
  return { fact: "boundary", ...place, line: ++line, preserved, ...rest };
}

function emissions(facts: readonly Fact[], settings = { minBytes: 30, inputs: false }): (string | null)[] {
  const replay = new SpanReplay(settings);
  return facts.flatMap(fact => {
    const decision = replay.take(fact);
    return decision === undefined ? [] : [decision.emission?.lines.join("\n") ?? null];
  });
}

const FOX = "the quick brown fox\njumps over\nthe lazy dog";

describe("a run of lines that was shown before", () => {
  it("becomes one hint line, with what stands around it untouched", () => {
    expect(emissions([result("t1", `head\n${FOX}\ntail`), result("t2", `before\n${FOX}\nafter`)])[1]).toBe(
      "before\n> [ref: t1 lines 2-4]\nafter",
    );
  });

  it("is left alone below the least size", () => {
    // "the lazy dog is here" has 20 bytes.
    expect(emissions([result("t1", "the lazy dog is here"), result("t2", "the lazy dog is here")])[1]).toBe(
      "the lazy dog is here",
    );
  });

  it("is referred to where it really stands, not to a hint", () => {
    const all = emissions([result("t1", FOX), result("t2", `x\n${FOX}`), result("t3", `y\n${FOX}`)]);
    expect(all).toEqual([FOX, "x\n> [ref: t1 lines 1-3]", "y\n> [ref: t1 lines 1-3]"]);
  });

  it("counts the lines of the emitted text, in which a hint is one line", () => {
    const tail = "something quite different\nfollows down here";
    const all = emissions([result("t1", FOX), result("t2", `${FOX}\n${tail}`), result("t3", tail)]);
    expect(all[1]).toBe(`> [ref: t1 lines 1-3]\n${tail}`);
    expect(all[2]).toBe("> [ref: t2 lines 2-3]");
  });

  it("may carry other line numbers", () => {
    const numbered = (from: number) => FOX.split("\n").map((text, at) => `${from + at}\t${text}`);
    expect(emissions([result("t1", numbered(1).join("\n")), result("t2", numbered(41).join("\n"))])[1]).toBe(
      "> [ref: t1 lines 1-3, renumbered from 41]",
    );
    expect(emissions([result("t1", numbered(7).join("\n")), result("t2", numbered(7).join("\n"))])[1]).toBe(
      "> [ref: t1 lines 1-3]",
    );
  });

  it("ends where the numbers stop counting up", () => {
    const lines = ["a long enough line number one", "a long enough line number two", "and a third one like them"];
    const first = lines.map((text, at) => `${at + 1}\t${text}`).join("\n");
    const jumpy = [`11\t${lines[0]}`, `12\t${lines[1]}`, `20\t${lines[2]}`].join("\n");
    expect(emissions([result("t1", first), result("t2", jumpy)])[1]).toBe(
      `> [ref: t1 lines 1-2, renumbered from 11]\n20\t${lines[2]}`,
    );
  });

  it("may stand in an earlier call's input, where that is asked for", () => {
    const facts = [call("t1", [["content", FOX]]), result("t1", "ok"), result("t2", FOX)];
    expect(emissions(facts)[1]).toBe(FOX);
    expect(emissions(facts, { minBytes: 30, inputs: true })[1]).toBe("> [ref: t1 input.content lines 1-3]");
    const long = `${FOX}\nagain and again, until the evening`;
    const read = long.split("\n").map((text, at) => `${at + 5}\t${text}`);
    const numbered = [call("t1", [["content", long]]), result("t3", read.join("\n"))];
    expect(emissions(numbered, { minBytes: 30, inputs: true })[0]).toBe(
      "> [ref: t1 input.content lines 1-4, numbered from 5]",
    );
  });
});

describe("nothing is referred to that the model no longer has", () => {
  it("after a compaction, but for what it keeps", () => {
    expect(emissions([result("t1", FOX), boundary(), result("t2", FOX)])[1]).toBe(FOX);
    expect(emissions([result("t1", FOX), boundary(["u-t1"]), result("t2", FOX)])[1]).toBe("> [ref: t1 lines 1-3]");
  });

  it("after it was cleared, rewound or silently dropped", () => {
    const request = (input: number): Fact => {
      const usage = { model: "m", input, written5m: 0, written1h: 0, continued: false };
      return { fact: "request", ...place, line: ++line, ...usage };
    };
    const clear: Fact = { fact: "clear", ...place, line: 0, ids: ["t1"], by: "microcompact" };
    expect(emissions([result("t1", FOX), clear, result("t2", FOX)])[1]).toBe(FOX);
    const old = result("t1", FOX);
    const rewind: Fact = { fact: "rewind", ...place, line: 0, toLine: old.line - 1 };
    expect(emissions([old, rewind, result("t2", FOX)])[1]).toBe(FOX);
    expect(emissions([request(1000), result("t1", FOX), request(899), result("t2", FOX)])[1]).toBe(FOX);
    expect(emissions([request(1000), result("t1", FOX), request(900), result("t2", FOX)])[1]).toBe(
      "> [ref: t1 lines 1-3]",
    );
  });
});

describe("what is never replaced", () => {
  it("is an error, what is not text, and a text that holds hint lines itself", () => {
    const hinted = `> [ref: t0 lines 1-3]\n${FOX}`;
    const all = emissions([
      result("t1", FOX),
      result("t2", FOX, { error: true }),
      result("t3", null),
      result("t4", hinted),
      result("t5", `> [near-ref: t0, a: 1→2]\n${FOX}`),
    ]);
    expect(all.slice(1)).toEqual([FOX, null, hinted, `> [near-ref: t0, a: 1→2]\n${FOX}`]);
  });
});

describe("line numbers", () => {
  it("are recognised just as Read writes them", () => {
    expect(numberedLine("     7→text")).toEqual({ style: "arrow", number: 7, text: "text" });
    expect(numberedLine("12\ttext")).toEqual({ style: "tab", number: 12, text: "text" });
    for (const other of ["7→text", "     07→text", "007\ttext", "text", "", "1234567890\ttext", "  12\ttext"]) {
      expect(numberedLine(other)).toBeUndefined();
    }
    expect(prefixOf("arrow", 123)).toBe("   123→");
  });
});

describe("the three laws, for any session", () => {
  const word = fc.constantFrom(
    "alpha beta gamma",
    "delta epsilon",
    "",
    "}",
    "zeta eta theta iota kappa",
    "ä→ö 漢字 🎈",
    "x",
  );
  const text = fc.array(word, { minLength: 1, maxLength: 12 });
  const numbered = fc.tuple(text, fc.nat(30), fc.constantFrom("tab" as const, "arrow" as const));
  const body = fc.oneof(
    text.map(lines => lines.join("\n")),
    numbered.map(([lines, from, style]) => lines.map((one, at) => prefixOf(style, from + at) + one).join("\n")),
  );
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant("result" as const), body }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("call" as const), body }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("boundary" as const), body }) },
  );

  it("lossless, visible, shorter", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), (steps, minBytes) => {
        const replay = new SpanReplay({ minBytes, inputs: true });
        let texts = new Map<string, string[]>();
        for (const [at, { kind, body: original }] of steps.entries()) {
          const id = `t${at}`;
          if (kind === "boundary") {
            replay.take(boundary());
            texts = new Map();
          } else if (kind === "call") {
            replay.take(call(id, [["content", original]]));
            texts.set(`${id} content`, original.split("\n"));
          } else {
            const emitted = replay.take(result(id, original))?.emission?.lines ?? [];
            const lookUp = (from: string, input?: string) => texts.get(input === undefined ? from : `${from} ${input}`);
            const style = original.includes("\t") ? "tab" : "arrow";
            // Expanding throws where a hint points at a hint or at nothing: the law of visibility.
            expect(expandSpans(emitted.join("\n"), lookUp, style)).toBe(original);
            expect(utf8Length(emitted.join("\n"))).toBeLessThanOrEqual(utf8Length(original));
            texts.set(id, [...emitted]);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it("every hint can be read back", () => {
    const hint = fc.record({
      id: fc.stringMatching(/^toolu_[A-Za-z0-9]{1,24}$/),
      input: fc.option(fc.stringMatching(/^[a-z_]{1,12}$/), { nil: undefined }),
      from: fc.nat(),
      to: fc.nat(),
      renumberedFrom: fc.option(fc.nat(), { nil: undefined }),
      numberedFrom: fc.constant(undefined),
    });
    fc.assert(
      fc.property(hint, one => {
        expect(parseSpanHint(renderSpanHint(one))).toEqual(one);
      }),
    );
  });
});
