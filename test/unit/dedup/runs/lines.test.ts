/** A text's lines as numbers, by which runs are found. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BYTES,
  CHARS,
  cell,
  HASH,
  HASH_HIGH,
  LINE_WIDTH,
  LineScanner,
  type LineTable,
  NEVER,
  NUMBER,
} from "../../../../src/dedup/runs/lines.js";
import { numberCode, prefixLength } from "../../../../src/dedup/runs/numbered.js";
import { turning } from "../../../support/turns.js";

const scanner = new LineScanner();

function linesOf(table: LineTable): { hash: string; number: number; chars: number; bytes: number }[] {
  return Array.from({ length: table.length / LINE_WIDTH }, (_, line) => ({
    hash: `${cell(table, line, HASH)} ${cell(table, line, HASH_HIGH)}`,
    number: cell(table, line, NUMBER),
    chars: cell(table, line, CHARS),
    bytes: cell(table, line, BYTES),
  }));
}

/** Lines of all lengths, with numbers and without, among them some that are longer than what is scanned at a time. */
const anyLine = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 4, arbitrary: fc.tuple(fc.nat(99_999), fc.string({ maxLength: 20 })).map(([n, text]) => `${n}\t${text}`) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(9_999_999), fc.string({ maxLength: 20 }))
      .map(([n, text]) => `${String(n).padStart(6)}→${text}`),
  },
  { weight: 1, arbitrary: fc.integer({ min: 8000, max: 20_000 }).map(length => "long ".repeat(length / 5)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("> [ref: a, byte-identical]", "7\t> [ref: a lines 1-2]", "> [near-ref: a, b]"),
  },
);
const anyText = fc
  .array(
    anyLine.map(line => line.replaceAll("\n", " ")),
    { maxLength: 30 },
  )
  .map(lines => lines.join("\n"));

describe("the lines of a text", () => {
  it("have the same lengths and numbers as one by one", async () => {
    await fc.assert(
      turning(anyText, text => {
        const expected = text.split("\n").map(line => {
          const number = numberCode(line);
          const said = line.slice(prefixLength(number));
          const isHint = said.startsWith("> [ref:") || said.startsWith("> [near-ref:");
          return { number: isHint ? NEVER : number, chars: line.length, bytes: Buffer.byteLength(line) };
        });
        expect(linesOf(scanner.scan(text)).map(({ hash: _, ...line }) => line)).toEqual(expected);
      }),
    );
  });

  it("have the same hash exactly if they are equal after their numbers, wherever they are", async () => {
    await fc.assert(
      turning(anyText, anyText, (one, other) => {
        const said = new Map<string, string>();
        for (const text of [one, other, `${one}\n${other}`]) {
          const lines = linesOf(scanner.scan(text));
          for (const [at, line] of text.split("\n").entries()) {
            const content = line.slice(prefixLength(numberCode(line)));
            const { hash = "" } = lines[at] ?? {};
            expect(said.get(hash) ?? content).toBe(content);
            said.set(hash, content);
          }
        }
        expect(new Set(said.values()).size).toBe(said.size);
      }),
    );
  });
});
