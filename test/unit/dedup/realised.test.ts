/** Live hints in a log: how they are recognized, and what they count as having saved. */
import { describe, expect, it } from "vitest";
import type { Decision } from "../../../src/dedup/decision.js";
import { digest } from "../../../src/dedup/digest.js";
import { fingerprint } from "../../../src/dedup/fingerprint.js";
import { ContextReplay } from "../../../src/dedup/replay.js";
import { expandedText } from "../../../src/dedup/runs/expand.js";
import { LineScanner } from "../../../src/dedup/runs/lines.js";
import { hintsIn } from "../../../src/dedup/runs/runHints.js";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { bytesOf } from "../../../src/log/bytes.js";
import { type Fact, withStrings } from "../../../src/log/facts.js";
import { LogReader } from "../../../src/log/logReader.js";
import { call, type Json, logText, result } from "../../support/log.js";

const body = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at} of a text that is long enough`).join("\n");
const numbered = (text: string, first = 1) =>
  text
    .split("\n")
    .map((line, at) => `${first + at}\t${line}`)
    .join("\n");

describe("live hints are recognized", () => {
  it.each([
    ["> [ref: t0, byte-identical, from: Bash(ls), run again now]", ["whole t0"]],
    ["1\t> [ref: t0, byte-identical]", ["whole t0"]],
    ["     1→> [ref: t0]\n\n<system-reminder>\nmind\n</system-reminder>\n", ["whole t0"]],
    ["> [near-ref: t0, state: a→b]", ["near t0"]],
    ["> [ref: t0 lines 1-20]\nnew", ["run t0 1-20"]],
    ["new\n> [ref: t0 lines 3-20, renumbered from 7, from: Read(a.ts)]", ["run t0 3-20"]],
    [
      "18\t> [ref: t0 lines 1-18, from: Read(a)]\n19\tnew\n20\t> [ref: t1 input.content lines 2-9]",
      ["run t0 1-18", "run t1 2-9"],
    ],
    ["18:> [ref: t0 lines 1-18]\n19:\tnew", ["run t0 1-18"]],
    ["17:\tnew\n18:> [ref: t0 lines 2-9, numbered from 18]", ["run t0 2-9"]],
    ["see > [ref: t0 lines 1-20]", []],
    ["1\t18:> [ref: t0 lines 1-18]", []],
    ["018:> [ref: t0 lines 1-18]", []],
    ["1234567890:> [ref: t0 lines 1-18]", []],
    ["a.md:18:> [ref: t0 lines 1-18]", []],
    ["> [ref: t0, byte-identical]\nmore", []],
    ["1\t> [ref: t0, byte-identical]\n2\tmore", []],
  ])("%j", (text, expected) => {
    const told = hintsIn(text).map(({ kind, id, from, to }) =>
      kind === "run" ? `run ${id} ${from}-${to}` : `${kind} ${id}`,
    );
    expect(told).toEqual(expected);
  });
});

describe("live hints replace", () => {
  const texts: Readonly<Record<string, string>> = { t0: numbered(body(1, 9)), "t1 content": body(1, 9) };
  const textOf = (id: string, input: string | undefined) => texts[input === undefined ? id : `${id} ${input}`];

  it.each([
    ["1\t> [ref: t0, byte-identical]", numbered(body(1, 9))],
    [
      "1\t> [ref: t0]\n\n<system-reminder>\nx\n</system-reminder>\n",
      `${numbered(body(1, 9))}\n\n<system-reminder>\nx\n</system-reminder>\n`,
    ],
    ["4\t> [ref: t0 lines 1-4]\n5\tnew", `${numbered(body(1, 4))}\n5\tnew`],
    ["4\tnew\n5\t> [ref: t0 lines 1-4, renumbered from 5, from: Read(a)]", `4\tnew\n${numbered(body(1, 4), 5)}`],
    ["4\t> [ref: t1 input.content lines 3-9, numbered from 4]", numbered(body(3, 9), 4)],
    ["4:> [ref: t0 lines 1-4]\n5:\tnew", `${numbered(body(1, 4))}\n5:\tnew`],
    ["> [ref: t0 lines 8-10]", undefined],
    ["> [ref: gone, byte-identical]", undefined],
    ["> [near-ref: t0, a: 1→2]", undefined],
    ["plain", "plain"],
  ])("%j", (text, expected) => {
    expect(expandedText(text, textOf)).toBe(expected);
  });
});

describe("live runs in a log", () => {
  const session = (text: string): Json[] => {
    const at = (index: number, tool: string, input: Json, content: string) => [
      call(`t${index}`, tool, input, {
        uuid: `c${index}`,
        parentUuid: index === 0 ? null : `r${index - 1}`,
        message: { id: `m${index}`, model: "m" },
      }),
      result(`t${index}`, content, { uuid: `r${index}`, parentUuid: `c${index}` }),
    ];
    return [
      ...at(0, "Bash", { command: "one" }, body(1, 40)),
      ...at(1, "Write", { file_path: "/b", content: body(50, 90) }, "ok"),
      ...at(2, "Read", { file_path: "/c" }, text),
    ];
  };
  /** The characters that live hints count as having saved. */
  const realised = (text: string, settings = DEFAULT_SETTINGS) => {
    let spared = 0;
    const decided = ({ event, savedChars }: Decision) => {
      if (event.kind === "bypass" && event.reason === "realised") spared += savedChars;
    };
    const replay = new ContextReplay(settings, { event: () => {}, decided });
    const scanner = new LineScanner();
    const take = (fact: Fact) => replay.take(digest(fact, false, fingerprint, scanner));
    new LogReader((_context, fact) => take(withStrings(fact)), { withCalls: true }).push(
      bytesOf(logText(...session(text))),
    );
    return spared;
  };

  it("saved the lines that they replaced, minus the hints", () => {
    const hint = "> [ref: t0 lines 3-38, from: Bash(one)]";
    expect(realised(`new\n${hint}`)).toBe(body(3, 38).length - hint.length);
  });

  it("saved the same if the replay itself has runs turned off", () => {
    const hint = "> [ref: t1 input.content lines 3-38, from: Write(/b)]";
    const saved = body(52, 87).length - hint.length;
    expect(realised(`new\n${hint}`, { ...DEFAULT_SETTINGS, runs: false })).toBe(saved);
  });

  it("count each of several, with the numbers that they replace and those before them", () => {
    const [first, last] = [
      "9\t> [ref: t1 input.content lines 1-9, numbered from 1]",
      "11\t> [ref: t1 input.content lines 11-41, numbered from 11]",
    ];
    const stoodFor = numbered(body(50, 58)).length + numbered(body(60, 90), 11).length;
    expect(realised(`${first}\n10\tnew\n${last}`)).toBe(stoodFor - first.length - last.length);
  });

  it("count as nothing if their lines are missing", () => {
    expect(realised("new\n> [ref: t0 lines 3-99]")).toBe(0);
    expect(realised("new\n> [ref: gone lines 3-9]")).toBe(0);
  });
});
