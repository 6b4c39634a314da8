/** What the status line counts as repeated: runs of lines that a hint would replace. */
import { describe, expect, it } from "vitest";
import { packed, unpacked } from "../../../src/hook/stateFile.js";
import { Repeats } from "../../../src/hook/status/repeats.js";
import { bytesOf } from "../../../src/log/bytes.js";
import { call, type Json, logText, result } from "../../support/log.js";

/** Lines that occur nowhere else; each has 40 characters with its line break. */
const lines = (mark: string, count = 20) =>
  Array.from({ length: count }, (_, at) => `${mark} ${at}`.padEnd(38, ".").concat(mark[0] ?? "")).join("\n");

/** The assumed length of a hint. */
const HINT = 130;
/** The same text twice: half of it repeats, less the hint. */
const TWICE = (lines("a").length - HINT) / (2 * lines("a").length);

function share({ chars, repeated }: Repeats): number | undefined {
  return chars === 0 ? undefined : repeated / chars;
}

function shareOf(...records: readonly (string | Json)[]): number | undefined {
  const repeats = new Repeats(0);
  repeats.push(bytesOf(logOf(records)));
  return share(repeats);
}

function logOf(records: readonly (string | Json)[]): string {
  return logText(
    ...records.flatMap((one, at) =>
      typeof one === "string" ? [call(String(at), "Bash", {}), result(String(at), one)] : [one],
    ),
  );
}

describe("what the tools returned", () => {
  it("is unknown before they have returned anything, and does not repeat at first", () => {
    expect(shareOf()).toBeUndefined();
    expect(shareOf(lines("a"), lines("b"))).toBe(0);
  });

  it("repeats if the same text occurs again", () => {
    expect(shareOf(lines("a"), lines("a"))).toBeCloseTo(TWICE, 2);
    expect(shareOf(lines("a"), lines("a"), lines("a"), lines("b"))).toBeCloseTo(TWICE, 2);
  });

  it("repeats in part: the lines around a run do not count", () => {
    const other = `${lines("x", 10)}\n${lines("a")}\n${lines("y", 10)}`;
    // 20 of 60 lines.
    expect(shareOf(lines("a"), other)).toBeCloseTo((20 * 40 - HINT) / (60 * 40), 2);
  });

  it("does not repeat in runs that a hint would hardly shorten", () => {
    expect(shareOf(lines("a"), `${lines("x")}\n${lines("a", 12)}\n${lines("y")}`)).toBe(0);
    expect(shareOf(lines("a"), `${lines("x")}\n${lines("a", 13)}\n${lines("y")}`)).toBeGreaterThan(0.1);
  });

  it("does not repeat if the same lines are in another order", () => {
    const backwards = lines("a").split("\n").reverse().join("\n");
    expect(shareOf(lines("a"), backwards)).toBe(0);
  });

  it("repeats in a single line that is long enough", () => {
    expect(shareOf("x".repeat(1000), "x".repeat(1000))).toBeCloseTo((1000 - HINT) / 2000, 2);
    expect(shareOf("x".repeat(511), "x".repeat(511))).toBe(0);
  });

  it("repeats with other line numbers, in both of Read's forms", () => {
    const numbered = (form: (line: number) => string) =>
      lines("a")
        .split("\n")
        .map((line, at) => form(at + 1) + line)
        .join("\n");
    const first = numbered(line => `${String(line).padStart(6)}→`);
    const later = numbered(line => `${line + 40}\t`);
    expect(shareOf(first, first)).toBeCloseTo((first.length - HINT) / (2 * first.length), 2);
    expect(shareOf(first, later)).toBeCloseTo((later.length - HINT) / (first.length + later.length), 2);
  });

  it.each([
    ["a compaction", { type: "system", subtype: "compact_boundary", compactMetadata: {} }],
    ["a small compaction", { type: "system", subtype: "microcompact_boundary", microcompactMetadata: {} }],
    ["results that are replaced", { type: "content-replacement", replacements: [] }],
    ["results that are cut", { type: "attachment", attachment: { type: "tool_results_cut", callIds: [] } }],
  ])("repeats nothing from before %s, but what repeated then still counts", (_, change) => {
    expect(shareOf(lines("a"), lines("a"), change)).toBeCloseTo(TWICE, 2);
    expect(shareOf(lines("a"), change, lines("a"))).toBe(0);
    expect(shareOf(lines("a"), change, lines("b"), lines("b"))).toBeCloseTo((2 / 3) * TWICE, 2);
  });

  it("does not repeat in errors and answers to edits, nor repeat them", () => {
    const error = result("e", lines("a"), { is_error: true });
    const edit = { ...result("w", lines("a")), toolUseResult: { structuredPatch: [] } };
    for (const one of [error, edit]) {
      expect(shareOf(lines("a"), one)).toBe(0);
      expect(shareOf(one, lines("a"))).toBe(0);
    }
  });

  it("repeats in what a command prints, but not what one printed before an edit", () => {
    const printed = (id: string) => ({ ...result(id, lines("a")), toolUseResult: { stdout: lines("a") } });
    const edit = { ...result("w", "done"), toolUseResult: { structuredPatch: [] } };
    expect(shareOf(printed("1"), printed("2"))).toBeCloseTo(TWICE, 2);
    expect(shareOf(printed("1"), edit, printed("2"))).toBe(0);
    expect(shareOf(lines("a"), edit, printed("2"))).toBeCloseTo(TWICE, 2);
  });

  it("repeats what the model has written itself, in a call's input", () => {
    const written = (text: string) => call("w", "Write", { file_path: "/a", content: text });
    const half = (lines("a").length - HINT) / lines("a").length;
    expect(shareOf(written(lines("a")), lines("a"))).toBeCloseTo(half, 2);
    expect(shareOf(written(lines("b")), lines("a"))).toBe(0);
    // Repeats within calls are not counted, and a compaction drops what the model has written.
    expect(shareOf(lines("a"), written(lines("a")))).toBe(0);
    const compaction = { type: "system", subtype: "compact_boundary", compactMetadata: {} };
    expect(shareOf(written(lines("a")), compaction, lines("a"))).toBe(0);
  });

  it("is the conversation's own: what subagents got is not in its context", () => {
    const aside = { ...result("s", lines("a")), isSidechain: true, agentId: "x" };
    expect(shareOf(lines("a"), aside)).toBe(0);
  });

  it("is not only text: pictures are skipped", () => {
    const picture = result("p", [{ type: "image", source: {} }]);
    expect(shareOf(picture)).toBeUndefined();
  });
});

describe("a later process", () => {
  it("gets the same figure, wherever the log was cut", () => {
    const log = bytesOf(logOf([lines("a"), lines("b"), lines("a"), lines("c", 2000), lines("b"), lines("c", 1500)]));
    const whole = new Repeats(0);
    whole.push(log);
    for (const cut of [0, 1, 700, log.length >> 1, log.length - 1, log.length]) {
      const before = new Repeats(0);
      before.push(log.subarray(0, cut));
      const saved = unpacked(packed(before.state)) as typeof before.state;
      const after = new Repeats(0, saved);
      after.push(log.subarray(saved.offset));
      expect([cut, share(after)]).toEqual([cut, share(whole)]);
    }
  });

  it("terminates, whatever is in the saved numbers", () => {
    for (const slots of [new Uint32Array(0), new Uint32Array(1).fill(7), new Uint32Array(1024).fill(7)]) {
      for (const size of [0, 1e9, -1]) {
        const repeats = new Repeats(0, {
          offset: 0,
          chars: 0,
          repeated: 0,
          seen: { slots, size },
          printed: { slots, size },
        });
        repeats.push(bytesOf(logOf([lines("a"), lines("a")])));
        expect(share(repeats)).toBeLessThanOrEqual(1);
      }
    }
  });
});
