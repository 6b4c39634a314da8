import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type NumberStyle,
  numberOfCode,
  prefixLength,
  prefixOf,
  styleOfCode,
} from "../../../src/dedup/runs/numbered.js";
import { parseSpanHint, renderSpanHint } from "../../../src/dedup/span/hints.js";
import { MAX_CHARS } from "../../../src/dedup/span/index.js";
import { ScannedLines } from "../../../src/dedup/span/lines.js";
import { emittedText, type SpanDecision, SpanReplay } from "../../../src/dedup/span/replay.js";
import type { CallFact, Fact, ResultFact } from "../../../src/log/facts.js";
import { expandSpans, numberCode } from "../../support/expandSpans.js";

const place = { offset: 0, at: null };
let line = 0;

function result(id: string, body: string | null, more: Partial<ResultFact> = {}): ResultFact {
  const call = { tool: "Bash", kind: "other" as const, path: undefined, target: "", callOffset: 0, callLine: 1 };
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
  return { fact: "call", ...place, line: ++line, callLine: 1, id, uuid: `c-${id}`, strings };
}

function boundary(preserved: string[] = []): Fact {
  const rest = { trigger: undefined, preTokens: undefined, postTokens: undefined };
  return { fact: "boundary", ...place, line: ++line, preserved, ...rest };
}

function emitted({ result: { body }, runs: [runs = []] }: SpanDecision): string | null {
  return body === null ? null : emittedText(body, runs);
}

function emissions(facts: readonly Fact[], settings = { minBytes: 30, inputs: false }): (string | null)[] {
  const replay = new SpanReplay(settings);
  return facts.flatMap(fact => {
    const decision = replay.take(fact);
    return decision === undefined ? [] : [emitted(decision)];
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
  it("after a compaction, even what it keeps: a hint stays in its partition", () => {
    expect(emissions([result("t1", FOX), boundary(), result("t2", FOX)])[1]).toBe(FOX);
    expect(emissions([result("t1", FOX), boundary(["u-t1"]), result("t2", FOX)])[1]).toBe(FOX);
  });

  it("nor to what is older than any context can hold", () => {
    const filler = Array.from({ length: 5 }, (_, at) => result(`f${at}`, `${at}`.repeat(MAX_CHARS / 4)));
    expect(emissions([result("t1", FOX), ...filler, result("t2", FOX)]).at(-1)).toBe(FOX);
    const kept = emissions([...filler, result("t1", FOX), result("t2", FOX), result("f", "z".repeat(MAX_CHARS / 4))]);
    expect(kept.at(-2)).toBe("> [ref: t1 lines 1-3]");
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
  it("is what is not text, and a text that holds hint lines itself", () => {
    const hinted = `> [ref: t0 lines 1-3]\n${FOX}`;
    const all = emissions([
      result("t1", FOX),
      result("t2", `${FOX}\nExit code 1`, { error: true }),
      result("t3", null),
      result("t4", hinted),
      result("t5", `> [near-ref: t0, a: 1→2]\n${FOX}`),
    ]);
    // An error says what it says: only its repeated lines are replaced.
    const error = "> [ref: t1 lines 1-3]\nExit code 1";
    expect(all.slice(1)).toEqual([error, null, hinted, `> [near-ref: t0, a: 1→2]\n${FOX}`]);
  });

  it("is a line that looks like a hint in the text referred to", () => {
    const quoted = `${FOX}\n> [ref: t0 lines 1-3]\nthe last line of all`;
    const read = quoted.split("\n").map((text, at) => `${at + 1}\t${text}`);
    const facts = [call("t1", [["content", quoted]]), result("t2", read.join("\n"))];
    expect(emissions(facts, { minBytes: 10, inputs: true })[0]).toBe(read.join("\n"));
  });

  it("is a repetition of a call that a hint could not name", () => {
    for (const id of ["t 1", "t1]", "t1, lines 1-3", "ä", ""]) {
      expect(emissions([result(id, FOX), result("t2", FOX)])[1]).toBe(FOX);
    }
    const odd = call("t1", [["my key", FOX]]);
    expect(emissions([odd, result("t2", FOX)], { minBytes: 30, inputs: true })[0]).toBe(FOX);
  });
});

describe("the lines of a text", () => {
  it("are found wherever it is cut into pieces, each with the same hash for the same words", () => {
    const scanned = new ScannedLines();
    const word = fc.constantFrom(
      "",
      "a",
      "ab",
      "ä€😀",
      "\r",
      "   12→",
      "7\tseven",
      "1234567→x",
      "> [ref: t lines 1-2]",
    );
    const length = fc.constantFrom(0, 1, 2, 3, 40, 8_180, 8_190, 8_191, 8_192, 8_193, 16_390);
    const anyLine = fc.tuple(word, length).map(([begin, more]) => begin + "x".repeat(more));
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 12 }), texts => {
        const text = texts.join("\n");
        const { count, numbers, hinted } = scanned.scan(text);
        expect(count).toBe(texts.length);
        expect(texts.map((_, at) => text.slice(scanned.begins[at], scanned.end(at)))).toEqual(texts);
        expect([...numbers.subarray(0, count)]).toEqual(texts.map(numberCode));
        expect(hinted).toBe(texts.some(one => one.startsWith("> [ref:")));
        const hashes = [...scanned.hashes.subarray(0, count)];
        const words = texts.map((one, at) => one.slice(prefixLength(numbers[at] ?? 0)));
        expect(hashes).toEqual(words.map(one => new ScannedLines().scan(one).hashes[0]));
      }),
      { numRuns: 200 },
    );
  });
});

describe("lines that only look equal", () => {
  it("are told apart by their text, although they are found by 32 bits of hash", () => {
    const texts = Array.from({ length: 300_000 }, (_, at) => `line ${at}`.padEnd(40, "."));
    const lines = new ScannedLines().scan(texts.join("\n"));
    const known = new Map<number, number>();
    const twin = texts.findIndex((_, at) => known.has(lines.hashes[at] ?? 0) || !known.set(lines.hashes[at] ?? 0, at));
    const other = known.get(lines.hashes[twin] ?? 0) ?? -1;
    expect(twin).toBeGreaterThan(other);
    const [one = "", two = ""] = [texts[other], texts[twin]];
    expect(emissions([result("t1", one), result("t2", two)])).toEqual([one, two]);
  });
});

describe("line numbers", () => {
  it("are recognised just as Read writes them", () => {
    const parts = (line: string) => {
      const code = numberCode(line);
      return code === 0 ? undefined : [styleOfCode(code), numberOfCode(code), line.slice(prefixLength(code))];
    };
    expect(parts("     7→text")).toEqual(["arrow", 7, "text"]);
    expect(parts("1234567→text")).toEqual(["arrow", 1_234_567, "text"]);
    expect(parts("12\ttext")).toEqual(["tab", 12, "text"]);
    expect(parts("999999999\t")).toEqual(["tab", 999_999_999, ""]);
    const others = [
      "7→text",
      "     07→text",
      "007\ttext",
      "text",
      "",
      "1234567890\ttext",
      "  12\ttext",
      "12",
      "      7→x",
    ];
    for (const other of others) expect(parts(other)).toBeUndefined();
    expect(prefixOf("arrow", 123)).toBe("   123→");
  });

  it("of a hint that adds them are those a reader would expect, else there is no such hint", () => {
    const long = `${FOX}\nagain and again, until the evening`;
    const shown = (style: "tab" | "arrow") =>
      long
        .split("\n")
        .map((text, at) => prefixOf(style, at + 5) + text)
        .join("\n");
    const hint = "> [ref: t1 input.content lines 1-4, numbered from 5]";
    const last = (...facts: Fact[]) =>
      emissions([call("t1", [["content", long]]), ...facts], { minBytes: 60, inputs: true }).at(-1);
    // Nothing shows a number: the newer form.
    expect(last(result("t2", shown("tab")))).toBe(hint);
    expect(last(result("t2", shown("arrow")))).toBe(shown("arrow"));
    // An earlier result, or another line of the same one, shows the form.
    expect(last(result("t2", "     1→x"), result("t3", shown("arrow")))).toBe(hint);
    expect(last(result("t2", "     1→x"), result("t3", shown("tab")))).toBe(shown("tab"));
    expect(last(result("t2", `     4→another line\n${shown("arrow")}`))).toBe(`     4→another line\n${hint}`);
    // Both forms in one text: nobody could tell.
    expect(last(result("t2", `4\tanother line\n${shown("arrow")}`))).toBe(`4\tanother line\n${shown("arrow")}`);
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
    { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom("result" as const, "error" as const), body }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("call" as const), body }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("boundary" as const), body }) },
  );

  it("lossless, visible, shorter", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 60 }), (steps, minBytes) => {
        const replay = new SpanReplay({ minBytes, inputs: true });
        let texts = new Map<string, string[]>();
        let style: NumberStyle = "tab";
        for (const [at, { kind, body: original }] of steps.entries()) {
          const id = `t${at}`;
          if (kind === "boundary") {
            replay.take(boundary());
            texts = new Map();
          } else if (kind === "call") {
            replay.take(call(id, [["content", original]]));
            texts.set(`${id} content`, original.split("\n"));
          } else {
            const decision = replay.take(result(id, original, { error: kind === "error" }));
            const text = (decision && emitted(decision)) ?? "";
            const lookUp = (from: string, input?: string) => texts.get(input === undefined ? from : `${from} ${input}`);
            // Expanding throws where a hint points at a hint or at nothing: the law of visibility.
            expect(expandSpans(text, lookUp, style)).toBe(original);
            if (text !== original) expect(text.length).toBeLessThan(original.length);
            texts.set(id, text.split("\n"));
            const code = original
              .split("\n")
              .map(one => numberCode(one))
              .find(one => one !== 0);
            if (code !== undefined) style = styleOfCode(code);
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
