/** The three laws of runs (lossless, visible, shorter) for any session, in every way of replacing. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hintedId } from "../../../../src/dedup/hints.js";
import { type NumberStyle, numberCode, prefixOf, styleOfCode } from "../../../../src/dedup/runs/numbered.js";
import { parseRunHint, renderRunHint } from "../../../../src/dedup/runs/runHints.js";
import { expandRuns } from "../../../support/expandRuns.js";
import { turning } from "../../../support/turns.js";
import { BOUND_RUN_BYTES, boundary, call, Emitter, request, result } from "./emit.js";

/** A file that texts take parts from: long and short lines, some duplicated, some with multi-byte characters. */
const FILE = Array.from({ length: 16 }, (_, at) =>
  at % 5 === 4 ? "}" : at % 7 === 3 ? "" : `line ${at % 9} says ${(at % 2 ? "ä→ö 漢字 🎈 " : "alpha beta ").repeat(4)}`,
);
const part = fc
  .tuple(fc.nat(12), fc.integer({ min: 1, max: 12 }))
  .map(([from, count]) => FILE.slice(from, from + count));
const text = fc
  .array(fc.oneof(part, part, fc.constantFrom(["x"], ["something else entirely"])), {
    minLength: 1,
    maxLength: 3,
    size: "max",
  })
  .map(parts => parts.flat());
const numbered = fc.tuple(text, fc.nat(30), fc.constantFrom<NumberStyle>("tab", "arrow"));
const body = fc.oneof(
  text.map(lines => lines.join("\n")),
  numbered.map(([lines, from, style]) => lines.map((one, at) => prefixOf(style, from + at) + one).join("\n")),
);
const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constantFrom("result" as const, "error" as const), body }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("call" as const), body }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("request" as const), body }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("boundary" as const), body }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Expands everything that is emitted and compares; returns how many texts had hints in them. */
function check(emitter: Emitter, steps: readonly Step[], minBytes: number): number {
  let [texts, style, hinted] = [new Map<string, string[]>(), "tab" as NumberStyle, 0];
  for (const [at, { kind, body: original }] of steps.entries()) {
    const id = `t${at}`;
    if (kind === "boundary") {
      emitter.take(boundary());
      texts = new Map();
    } else if (kind === "request") {
      emitter.take(request());
    } else if (kind === "call") {
      emitter.take(call(id, [["content", original]]));
      texts.set(`${id} content`, original.split("\n"));
    } else {
      const emitted = emitter.take(result(id, original, { error: kind === "error" })) ?? "";
      const lookUp = (from: string, input?: string) => texts.get(input === undefined ? from : `${from} ${input}`);
      const whole = hintedId(emitted);
      // Expanding throws if a hint points at a hint or at nothing: the law of visibility.
      const expanded = whole === undefined ? expandRuns(emitted, lookUp, style) : lookUp(whole)?.join("\n");
      expect(expanded).toBe(original);
      if (emitted !== original) {
        hinted++;
        expect(emitted.length).toBeLessThan(original.length);
        expect(Buffer.byteLength(original)).toBeGreaterThanOrEqual(minBytes);
      }
      texts.set(id, whole === undefined ? emitted.split("\n") : []);
      const code = original.length < 17 ? undefined : original.split("\n").map(numberCode).find(Boolean);
      if (code !== undefined) style = styleOfCode(code);
    }
  }
  return hinted;
}

describe("lossless, visible, shorter, in any session", () => {
  it.each(["span", "span-inputs"] as const)("as %s emits it", async way => {
    let hinted = 0;
    await fc.assert(
      turning(fc.array(step, { maxLength: 30, size: "max" }), steps => {
        hinted += check(new Emitter(way), steps, BOUND_RUN_BYTES);
      }),
      { numRuns: 300 },
    );
    expect(hinted).toBeGreaterThan(300);
  });

  it("as live hints emit it, whatever the smallest run", async () => {
    let hinted = 0;
    const sizes = fc.integer({ min: 1, max: 300 });
    await fc.assert(
      turning(fc.array(step, { maxLength: 30, size: "max" }), sizes, sizes, (steps, spanMinBytes, minBytes) => {
        const emitter = new Emitter("live", { spanMinBytes, minBytes });
        hinted += check(emitter, steps, Math.min(spanMinBytes, minBytes));
      }),
      { numRuns: 400 },
    );
    expect(hinted).toBeGreaterThan(300);
  });
});

describe("a hint for a run", () => {
  it("can be read back, whatever it names", async () => {
    const hint = fc.record({
      id: fc.stringMatching(/^toolu_[A-Za-z0-9]{1,24}$/),
      input: fc.option(fc.stringMatching(/^[a-z_]{1,12}$/), { nil: undefined }),
      from: fc.nat(),
      to: fc.nat(),
      renumberedFrom: fc.option(fc.nat(), { nil: undefined }),
      numberedFrom: fc.constant(undefined),
    });
    const target = fc.string({ unit: "grapheme-ascii", maxLength: 60 });
    const origin = fc.option(fc.record({ tool: fc.constantFrom("Read", "mcp__a__b", ""), target }), { nil: undefined });
    await fc.assert(
      turning(hint, origin, (one, from) => {
        expect(parseRunHint(renderRunHint({ ...one, origin: from }))).toEqual(one);
      }),
    );
  });

  it("with an origin names the tool and its subject", () => {
    const hint = { id: "t1", from: 3, to: 9, origin: { tool: "Read", target: "src/a.ts" } };
    expect(renderRunHint(hint)).toBe("> [ref: t1 lines 3-9, from: Read(src/a.ts)]");
    expect(renderRunHint({ ...hint, renumberedFrom: 5, origin: { tool: "Bash", target: "" } })).toBe(
      "> [ref: t1 lines 3-9, renumbered from 5, from: Bash]",
    );
  });
});
