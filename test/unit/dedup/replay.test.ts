import { describe, expect, it } from "vitest";
import type { DedupSettings } from "../../../src/dedup/settings.js";
import { REPLAY } from "../../../src/settings/table.js";
import {
  answer,
  boundary,
  call,
  cut,
  type Json,
  microcompact,
  prompt,
  read,
  replacement,
  result,
  textOf,
} from "../../support/log.js";
import { eventsOn, storyOf } from "../../support/replay.js";

const story = (lines: Json[], settings: Partial<DedupSettings> = {}) => storyOf(eventsOn(lines, settings));

/** A read of /a or another file with a unique body. */
function reads(id: string, letter = "a", more: Json = {}): Json[] {
  return [read(id, `/${letter}`), result(id, textOf(300, letter), more)];
}

const edit = (id: string, path: string, more: Json = {}) => [
  call(id, "Edit", { file_path: path }),
  result(id, "The file has been updated.", more),
];

describe("the outcome of a result", () => {
  it("is a hit on the first call with the same bytes, whichever tool returned them", () => {
    const other = [call("3", "Bash", { command: "cat /a" }), result("3", textOf(300, "a"))];
    expect(story([...reads("1"), ...reads("2"), ...other])).toEqual(["miss 1 new", "hit 2=1", "hit 3=1"]);
  });

  it("has its size in bytes, and what the hint would save", () => {
    // `> [ref: 1, byte-identical]` has 26 bytes; "é" has two.
    const body = "é".repeat(150);
    expect(eventsOn([read("1", "/a"), result("1", body), read("2", "/a"), result("2", body)])[1]).toEqual({
      kind: "hit",
      line: 4,
      at: null,
      partition: 0,
      id: "2",
      tool: "Read",
      bytes: 300,
      ref: "1",
      savedBytes: 274,
    });
  });

  it("is left alone below the minimum size, and cached from exactly that size on", () => {
    const sized = (bytes: number) => ["1", "2"].flatMap(id => [call(id, "Bash"), result(id, textOf(bytes))]);
    expect(story(sized(199))).toEqual(["small 1", "small 2"]);
    expect(story(sized(200))).toEqual(["miss 1 new", "hit 2=1"]);
  });

  it("is left alone if its call's own standard hint is longer than half of it, whatever the settings", () => {
    const sized = (chars: number) => ["1", "2"].flatMap(id => [call(id, "Bash"), result(id, textOf(chars))]);
    const twice = 2 * "> [ref: 1, byte-identical]".length;
    for (const verbosity of REPLAY.verbosity.choices) {
      expect(story(sized(twice - 1), { minBytes: 0, verbosity })).toEqual(["small 1", "small 2"]);
      expect(story(sized(twice), { minBytes: 0, verbosity })).toEqual(["miss 1 new", "hit 2=1"]);
    }
  });

  it("is left alone if it has few characters, however many bytes", () => {
    const lines = ["1", "2"].flatMap(id => [call(id, "Bash"), result(id, "漢".repeat(51))]);
    expect(story(lines, { minBytes: 0 })).toEqual(["small 1", "small 2"]);
  });

  it("is shown in full next to an equal one in the same message, and hints then point at it", () => {
    const both = { message: { id: "m1" } };
    const lines = [
      read("1", "/a", both),
      read("2", "/a", both),
      result("1", textOf(300, "a")),
      result("2", textOf(300, "a")),
    ];
    expect(story([...lines, ...reads("3")])).toEqual(["miss 1 new", "miss 2 parallel", "hit 3=2"]);
  });

  it("is shown in full if a command is run again after an edit of any file", () => {
    const run = (id: string, tool = "Bash") => [call(id, tool, { command: "npm test" }), result(id, textOf(300))];
    expect(story([...run("1"), ...edit("e", "/a"), ...run("2"), ...run("3", "PowerShell")])).toEqual([
      "miss 1 new",
      "mutation e",
      "miss 2 afterEdit",
      "hit 3=2",
    ]);
    expect(story([...run("1"), ...edit("e", "/a", { is_error: true }), ...run("2")])).toContain("hit 2=1");
  });

  it("is never a hit for an error, nor on one", () => {
    const failed = { is_error: true };
    expect(story([...reads("1", "a", failed), ...reads("2"), ...reads("3", "a", failed)])).toEqual([
      "error 1",
      "miss 2 new",
      "error 3",
    ]);
  });

  it("is native for Claude Code's own stub, with the newest earlier result of the same tool and path", () => {
    const stub = (id: string, path: string) => [
      read(id, path),
      result(id, "Wasted call", { toolUseResult: { type: "file_unchanged" } }),
    ];
    const grep = [call("g", "Grep", { path: "/a" }), result("g", "x")];
    expect(story([...reads("1"), ...reads("2"), ...grep, ...stub("3", "/a"), ...stub("4", "/b")])).toEqual([
      "miss 1 new",
      "hit 2=1",
      "small g",
      "native 3=2",
      "native 4",
    ]);
  });

  it("is realised for one of our own hints, which is never cached", () => {
    const hint = "> [ref: 1, byte-identical]";
    expect(story([...reads("1"), result("2", hint), result("3", `1\t${hint}`)], { minBytes: 0 })).toEqual([
      "miss 1 new",
      "realised 2=1",
      "realised 3=1",
    ]);
  });

  it("is decided in the order of the rules if several match", () => {
    const stub = { toolUseResult: { type: "file_unchanged" } };
    expect(story([result("1", "> [ref: 0]", { ...stub, is_error: true })])).toEqual(["error 1"]);
    expect(story([result("1", "> [ref: 0]", stub)])).toEqual(["native 1"]);
    expect(story([result("1", [{ type: "image" }], stub)])).toEqual(["native 1"]);
    expect(story([result("1", "> [ref: 0]")])).toEqual(["realised 1=0"]);
  });
});

describe("an edit", () => {
  it("drops the reads of its file before its own result is judged, however small that is", () => {
    expect(story([...reads("1"), ...reads("2", "b"), ...edit("e", "/x/../a"), ...reads("3")])).toEqual([
      "miss 1 new",
      "miss 2 new",
      "invalidate 1 by path e",
      "mutation e",
      "miss 3 invalidated by e",
    ]);
  });

  it("drops nothing when it failed", () => {
    expect(story([...reads("1"), ...edit("e", "/a", { is_error: true }), ...reads("2")])).toEqual([
      "miss 1 new",
      "error e",
      "hit 2=1",
    ]);
  });

  it("does not drop what a command printed from the file", () => {
    const cat = [call("1", "Bash", { command: "cat /a", path: "/a" }), result("1", textOf(300, "a"))];
    expect(story([...cat, ...edit("e", "/a"), ...reads("2")])).toEqual(["miss 1 new", "mutation e", "hit 2=1"]);
  });

  it("is itself never replaced, and nothing points at it", () => {
    const same = (id: string) => [call(id, "Write", { file_path: `/${id}` }), result(id, textOf(300))];
    const cat = [call("3", "Bash"), result("3", textOf(300))];
    expect(story([...same("1"), ...same("2"), ...cat])).toEqual(["mutation 1", "mutation 2", "miss 3 new"]);
  });
});

describe("a full cache", () => {
  it("drops the least recent result, and reports it after the miss that caused it", () => {
    expect(story([...reads("1"), ...reads("2", "b"), ...reads("3")], { capacity: 1 })).toEqual([
      "miss 1 new",
      "miss 2 new",
      "evict 1 for 2",
      "miss 3 evicted",
      "evict 2 for 3",
    ]);
  });

  it("keeps what is hit", () => {
    const lines = [...reads("1"), ...reads("2", "b"), ...reads("3"), ...reads("4", "c"), ...reads("5")];
    expect(story(lines, { capacity: 2 }).slice(2)).toEqual(["hit 3=1", "miss 4 new", "evict 2 for 4", "hit 5=1"]);
  });
});

describe("a near-reference", () => {
  const poll = (status: string) => JSON.stringify({ status, log: "x".repeat(600) });
  const lines = ["queued", "done", "done"].flatMap((status, at) => [
    call(`${at}`, "Bash"),
    result(`${at}`, poll(status)),
  ]);

  it("is found only if enabled, and its body is not cached", () => {
    expect(story(lines)).toEqual(["miss 0 new", "miss 1 new", "hit 2=1"]);
    expect(story(lines, { nearRef: true })).toEqual(["miss 0 new", "nearHit 1=0", "nearHit 2=0"]);
  });

  it("saves the body minus its hint", () => {
    // {"status":"done","log":"…"} has 600 + 26 bytes, `> [near-ref: 0, status: queued→done]` has 38.
    expect(eventsOn(lines, { nearRef: true })[1]).toMatchObject({ bytes: 626, savedBytes: 588 });
  });
});

describe("a compaction", () => {
  it("drops everything except the lines that stay, and begins a partition", () => {
    const lines = [...reads("1", "a", { uuid: "u1" }), ...reads("2", "b", { uuid: "u2" })];
    const after = [...reads("3"), ...reads("4", "b")];
    expect(story([...lines, boundary(), ...after])).toEqual([
      "miss 1 new",
      "miss 2 new",
      "boundary 1 keeps  drops 1,2",
      "miss 3 compacted",
      "miss 4 compacted",
    ]);
    expect(story([...lines, boundary(["u2", "u9"]), ...after]).slice(2)).toEqual([
      "boundary 1 keeps 2 drops 1",
      "miss 3 compacted",
      "hit 4=2",
    ]);
  });

  it("is reported even if there is nothing to drop, and only once with its summary", () => {
    const lines = [boundary(), prompt("This session is being continued", { isCompactSummary: true }), boundary()];
    expect(story(lines)).toEqual(["boundary 1 keeps  drops ", "boundary 2 keeps  drops "]);
  });
});

describe("results that were cleared", () => {
  it("are dropped one by one, and the partition stays", () => {
    const lines = [...reads("1"), ...reads("2", "b"), microcompact(["1", "9"]), ...reads("3"), ...reads("4", "b")];
    expect(story(lines).slice(2)).toEqual(["clear 1 by microcompact", "miss 3 cleared", "hit 4=2"]);
    expect(eventsOn(lines).every(event => event.partition === 0)).toBe(true);
    expect(story([...reads("1"), replacement(["1"]), ...reads("2")]).slice(1)).toEqual([
      "clear 1 by replacement",
      "miss 2 cleared",
    ]);
  });

  it("are reported only if one was still held", () => {
    expect(story([...reads("1"), microcompact(["9"]), replacement([]), ...reads("2")])).toEqual([
      "miss 1 new",
      "hit 2=1",
    ]);
  });
});

describe("a rewind", () => {
  it("drops what came after the line it goes back to", () => {
    const lines = [...reads("1"), prompt("go", { uuid: "p" }), ...reads("2", "b"), prompt("x", { parentUuid: "p" })];
    expect(story([...lines, ...reads("3"), ...reads("4", "b")]).slice(2)).toEqual([
      "rewind drops 2",
      "hit 3=1",
      "miss 4 rewound",
    ]);
  });

  it("keeps the very line it goes back to", () => {
    const lines = [...reads("1", "a", { uuid: "r" }), answer("m", 5), prompt("x", { parentUuid: "r" }), ...reads("2")];
    expect(story(lines).slice(1)).toEqual(["rewind drops ", "hit 2=1"]);
  });
});

describe("a request that is much smaller than the one before", () => {
  const falls = (from: number, to: number, ...between: Json[]) =>
    story([answer("m1", from), ...reads("1"), ...between, answer("m2", to), ...reads("2")]).slice(1);

  it("means that something was cleared: above 10 % everything is dropped", () => {
    expect(falls(1000, 899)).toEqual(["shrink drops 1", "miss 2 shrunk"]);
    expect(falls(1000, 900)).toEqual(["hit 2=1"]);
    expect(falls(1000, 2000)).toEqual(["hit 2=1"]);
  });

  it("is explained by a line in between", () => {
    expect(falls(1000, 100, boundary(["none"]))).toEqual(["boundary 1 keeps  drops 1", "miss 2 compacted"]);
    expect(falls(1000, 100, microcompact([]))).toEqual(["hit 2=1"]);
    expect(falls(1000, 100, replacement([]))).toEqual(["hit 2=1"]);
    expect(falls(1000, 100, cut([]))).toEqual(["hit 2=1"]);
    // A rewind that drops nothing: it goes back to the result itself.
    const back = [answer("m", 1000, { uuid: "m" }), prompt("x", { parentUuid: "r1" })];
    const lines = [answer("m1", 1000), ...reads("1", "a", { uuid: "r1" }), ...back, answer("m2", 100), ...reads("2")];
    expect(story(lines)).toEqual(["miss 1 new", "rewind drops ", "hit 2=1"]);
  });

  it("is not one of size 0, nor one that Claude Code made itself", () => {
    expect(falls(1000, 0)).toEqual(["hit 2=1"]);
    const own = answer("e", 5, { message: { model: "<synthetic>" } });
    expect(falls(1000, 1000, own)).toEqual(["hit 2=1"]);
    expect(falls(1000, 800, answer("z", 0))).toEqual(["shrink drops 1", "miss 2 shrunk"]);
  });
});

describe("a text asked for again right after a live hint", () => {
  const hint = (id: string, ref: string) => [
    read(id, "/a", { message: { id: `m${id}` } }),
    result(id, `1\t> [ref: ${ref}, byte-identical]`),
  ];
  const full = (id: string, letter = "a") => [
    read(id, `/${letter}`, { message: { id: `m${id}` } }),
    result(id, textOf(300, letter)),
  ];

  it("is reported after the result's own event, as a loss of the whole text", () => {
    const events = eventsOn([...full("1"), ...hint("2", "1"), ...full("3")]);
    expect(storyOf(events)).toEqual(["miss 1 new", "realised 2=1", "hit 3=1", "reask 3=1 after 2"]);
    expect(events.at(-1)).toMatchObject({ bytes: 300, savedBytes: -300, line: 6 });
  });

  it("is only reported for the next message: later, the hint has done its work", () => {
    expect(story([...full("1"), ...hint("2", "1"), ...full("4", "b"), ...full("3")])).not.toContain(
      "reask 3=1 after 2",
    );
  });

  it("is not reported for a call in the same message as the hint", () => {
    const same = { message: { id: "m2" } };
    const lines = [...full("1"), read("2", "/a", same), read("3", "/a", same), result("2", "> [ref: 1]")];
    expect(story([...lines, result("3", textOf(300, "a"))])).toEqual(["miss 1 new", "realised 2=1", "hit 3=1"]);
  });
});

describe("span hints in a log", () => {
  const spanned = `new line\n> [ref: 1 lines 1-20]\n${textOf(300, "z")}`;

  it("are realised hints, whatever is next to them", () => {
    const lines = [...reads("1"), read("2", "/b"), result("2", spanned), read("3", "/b"), result("3", spanned)];
    expect(story(lines)).toEqual(["miss 1 new", "realised 2=1", "realised 3=1"]);
  });

  it("do not count if they are not separate lines", () => {
    for (const text of [`see > [ref: 1 lines 1-20] ${textOf(300)}`, `> [ref: 1 lines 1-20] and\n${textOf(300)}`]) {
      expect(story([read("2", "/b"), result("2", text)])).toEqual(["miss 2 new"]);
    }
  });
});
