import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, textOf } from "../../../src/log/bytes.js";
import { LineSplitter } from "../../../src/log/lineSplitter.js";
import { turning } from "../../support/turns.js";

/** Pushes the pieces and lists what came out: `offset:line`, or `offset!` for an overlong one. */
function split(pieces: readonly (string | Buffer)[], options: { offset?: number; maxLineBytes?: number } = {}) {
  const lines: string[] = [];
  const splitter = new LineSplitter(
    {
      line: (bytes, start, end, offset) => {
        const text = textOf(bytes, start, end);
        if (text === "throw") throw new Error(`at ${offset}`);
        lines.push(`${offset}:${text}`);
      },
      overlong: offset => lines.push(`${offset}!`),
      failed: error => lines.push(String(error)),
    },
    options,
  );
  for (const piece of pieces) {
    const chunk = Buffer.from(piece);
    splitter.push(chunk);
    chunk.fill(0x23);
  }
  return { lines, consumed: splitter.consumed };
}

describe("the line splitter", () => {
  it("passes on whole lines without their newline, each with its offset in the file", () => {
    expect(split(["one\ntwo\nthree\n"])).toEqual({ lines: ["0:one", "4:two", "8:three"], consumed: 14 });
  });

  it("holds back the last line until its newline arrives", () => {
    expect(split(["one\ntw"])).toEqual({ lines: ["0:one"], consumed: 4 });
    expect(split(["one\ntw", "o\n"])).toEqual({ lines: ["0:one", "4:two"], consumed: 8 });
  });

  it("continues after a line that failed, and knows where it is, however the bytes are split", () => {
    const text = "one\nthrow\ntwo\nthrow\n";
    for (let cut = 0; cut <= text.length; cut++) {
      expect(split([text.slice(0, cut), text.slice(cut)])).toEqual({
        lines: ["0:one", "Error: at 4", "10:two", "Error: at 14"],
        consumed: text.length,
      });
    }
  });

  it("passes on empty lines and keeps carriage returns", () => {
    expect(split(["\n\na\r\n\r\n"]).lines).toEqual(["0:", "1:", "2:a\r", "5:\r"]);
  });

  it("counts offsets from where reading began", () => {
    expect(split(["a\nb\n"], { offset: 100 })).toEqual({ lines: ["100:a", "102:b"], consumed: 104 });
  });

  it("joins a line from many pieces, including a single newline", () => {
    expect(split(["a", "", "b", "c", "\n", "d\n"]).lines).toEqual(["0:abc", "4:d"]);
  });

  it("does not mind where a multi-byte character is cut", () => {
    const bytes = bytesOf("日🎉é\n");
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(split([bytes.subarray(0, cut), bytes.subarray(cut)]).lines).toEqual(["0:日🎉é"]);
    }
  });

  it("does not mistake bytes of other characters for a newline: in UTF-8 none of them is 0x0a", () => {
    expect(split(["Ċ\u2028\u0085\u000b\n"]).lines).toEqual(["0:Ċ\u2028\u0085\u000b"]);
  });
});

describe("a line over the limit", () => {
  it("is reported at its end, and the lines after it are right", () => {
    expect(split(["abcde\nabcdef\nx\n"], { maxLineBytes: 5 }).lines).toEqual(["0:abcde", "6!", "13:x"]);
  });

  it("is reported once, however many pieces it comes in", () => {
    expect(split(["abc", "def", "ghi", "jkl", "\nx\n"], { maxLineBytes: 5 }).lines).toEqual(["0!", "13:x"]);
  });

  it("may reach the limit with its last piece", () => {
    expect(split(["abc", "de\n"], { maxLineBytes: 5 }).lines).toEqual(["0:abcde"]);
    expect(split(["abc", "def\n"], { maxLineBytes: 5 }).lines).toEqual(["0!"]);
  });

  it("is not reported while its newline is missing", () => {
    expect(split(["ok\nabcdefgh"], { maxLineBytes: 5 })).toEqual({ lines: ["0:ok"], consumed: 3 });
  });
});

describe("however the bytes are cut", () => {
  it("the lines are the same", async () => {
    const text = fc.array(fc.constantFrom("\n", "a", "é", "🎉", "\r", "long enough"), { maxLength: 60 });
    const sizes = fc.array(fc.nat(9), { minLength: 1, maxLength: 30 });
    await fc.assert(
      turning(text, sizes, (parts, cuts) => {
        const bytes = bytesOf(parts.join(""));
        const pieces: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = turn < cuts.length ? (cuts[turn] ?? 1) : bytes.length;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(split(pieces, { maxLineBytes: 20 })).toEqual(split([bytes], { maxLineBytes: 20 }));
      }),
      { numRuns: 500 },
    );
  });
});
