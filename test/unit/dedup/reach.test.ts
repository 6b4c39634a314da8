/** What a hint may not point at although it is in the log: what the API cleared, and what is on other branches. */
import { describe, expect, it } from "vitest";
import type { DedupSettings } from "../../../src/dedup/settings.js";
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
function reads(id: string, letter = "a"): Json[] {
  return [read(id, `/${letter}`), result(id, textOf(300, letter))];
}

it("a plan that Claude Code adds to a call's input in the log was never in the conversation", () => {
  const plan = Array.from({ length: 40 }, (_, at) => `step ${at} of the plan, in some detail`).join("\n");
  const after = (tool: string) => [
    call("1", tool, { plan }),
    result("1", "no"),
    read("2", "/plan.md"),
    result("2", plan),
  ];
  const runsOf = (tool: string) => eventsOn(after(tool), { runs: true }).at(-1);
  expect(runsOf("ExitPlanMode")).not.toHaveProperty("runs");
  expect(runsOf("Write")).toHaveProperty("runs");
});

describe("results that the API itself cleared", () => {
  const cleared = (id: string, edits: unknown, more: Json = {}) =>
    answer(id, 100, { message: { context_management: { applied_edits: edits }, ...more } });
  const edit = { type: "clear_tool_uses_20250919", cleared_tool_uses: 2, cleared_input_tokens: 900 };

  it("may be any: all are dropped before the request counts, and its size is not compared", () => {
    const lines = [answer("m1", 1000), ...reads("1"), ...reads("2", "b"), cleared("m2", [edit])];
    expect(story([...lines, ...reads("3")])).toEqual([
      "miss 1 new",
      "miss 2 new",
      "clear 1,2 by edits",
      "miss 3 cleared",
    ]);
  });

  it("are reported once for all lines of an answer, by whichever says so first", () => {
    const second = [read("2", "/a", { message: { id: "m" } }), result("2", textOf(300, "a"))];
    const lines = [...reads("1"), cleared("m", []), cleared("m", [edit]), ...second, cleared("m", [edit])];
    expect(story([...lines, ...reads("3")])).toEqual(["miss 1 new", "clear 1 by edits", "miss 2 cleared", "hit 3=2"]);
  });

  it.each([
    ["nothing was cleared", [{ ...edit, cleared_tool_uses: 0 }]],
    ["something else was", [{ type: "clear_thinking_20251015", cleared_thinking_turns: 3, cleared_tool_uses: 3 }]],
    ["nobody knows what was", [null, 5, { type: 7, cleared_tool_uses: 3 }, { ...edit, cleared_tool_uses: "3" }]],
    ["there are none", undefined],
  ])("are none if %s", (_, edits) => {
    expect(story([...reads("1"), cleared("m", edits), ...reads("2")])).toEqual(["miss 1 new", "hit 2=1"]);
  });

  it("are ignored in a message that Claude Code made itself", () => {
    const own = cleared("e", [edit], { model: "<synthetic>" });
    expect(story([...reads("1"), own, ...reads("2")])).toEqual(["miss 1 new", "hit 2=1"]);
  });
});

describe("results that Claude Code cleared", () => {
  it.each([
    ["replaced", replacement(["1"]), "replacement"],
    ["cleared by a microcompaction", microcompact(["1"]), "microcompact"],
    ["cut", cut(["1"]), "cut"],
  ])("are gone if they were %s, whichever line was written first", (_, clear, by) => {
    const [call1, result1] = reads("1") as [Json, Json];
    const gone = ["miss 1 new", `clear 1 by ${by}`, "miss 2 cleared"];
    expect(story([call1, result1, clear, ...reads("2")])).toEqual(gone);
    expect(story([call1, clear, result1, ...reads("2")])).toEqual(gone);
    // Even before anything else in its context.
    expect(story([clear, call1, result1, ...reads("2")])).toEqual(gone);
    // A later result has nothing to do with it.
    expect(story([call1, clear, result1, ...reads("2"), ...reads("3")]).at(-1)).toBe("hit 3=2");
  });
});

describe("the chain of parents", () => {
  /** A call and its result on separate lines, continuing from a line. */
  const step = (id: string, parentUuid: string | null, letter = "a"): [Json, Json] => [
    read(id, `/${letter}`, { uuid: `c${id}`, parentUuid }),
    result(id, textOf(300, letter), { uuid: `r${id}`, parentUuid: `c${id}` }),
  ];

  it("separates two conversations in one log: the newer result replaces the other's", () => {
    const start = prompt("go", { uuid: "p", parentUuid: null });
    const one = [...step("1", "p"), ...step("3", "r1", "b")];
    const two = [...step("2", "p"), ...step("4", "r2", "b")];
    expect(story([start, ...one, ...two, ...step("5", "r3"), ...step("6", "r4"), ...step("7", "r5")])).toEqual([
      "miss 1 new",
      "miss 3 new",
      "miss 2 rewound",
      "miss 4 rewound",
      "miss 5 rewound",
      "miss 6 rewound",
      "miss 7 rewound",
    ]);
  });

  it("evicts nothing if a result replaces another, which then is the most recent", () => {
    const lines = [...step("1", null), ...step("2", "r1", "b"), ...step("3", null), ...step("4", "r3", "c")];
    expect(story([...lines, ...step("5", "r4")], { capacity: 2 })).toEqual([
      "miss 1 new",
      "miss 2 new",
      "miss 3 rewound",
      "miss 4 new",
      "evict 2 for 4",
      "hit 5=3",
    ]);
  });

  it("does not reach beyond a parent that is not in the file", () => {
    expect(story([...step("1", null), ...step("2", "gone"), ...step("3", "r2")])).toEqual([
      "miss 1 new",
      "miss 2 rewound",
      "hit 3=2",
    ]);
  });

  it("does not include results without a call in the file", () => {
    expect(story([result("1", textOf(300, "a")), ...step("2", null), ...step("3", "r2")])).toEqual([
      "miss 1 new",
      "miss 2 rewound",
      "hit 3=2",
    ]);
  });

  it("leads through lines of every type, and across a compaction to the tail that was kept", () => {
    const links = ["system", "attachment", "progress", "summary"].map((type, at, types) => ({
      type,
      uuid: type,
      parentUuid: types[at - 1] ?? "r1",
    }));
    const kept = boundary(["r1"], { uuid: "b", parentUuid: null, logicalParentUuid: "summary" });
    expect(story([...step("1", null), ...links, kept, ...step("2", "b")]).at(-1)).toBe("hit 2=1");
    expect(story([...step("1", null), ...links, { ...kept, logicalParentUuid: null }, ...step("2", "b")]).at(-1)).toBe(
      "miss 2 rewound",
    );
    expect(story([...step("1", null), ...links, kept, ...step("2", "summary")]).at(-1)).toBe("hit 2=1");
  });

  it("leads to the tail that was kept if the line after it was never written", () => {
    const kept = (uuids: readonly string[]) =>
      boundary(uuids, { uuid: "b", parentUuid: null, logicalParentUuid: "a reminder" });
    const last = (uuids: readonly string[]) =>
      story([...step("1", null), ...step("x", "r1"), kept(uuids), ...step("2", "b")]).at(-1);
    expect(last(["r1", "a reminder"])).toBe("hit 2=1");
    expect(last(["cx", "rx", "a reminder"])).toBe("miss 2 compacted");
  });

  it("does not lead back over a compaction to what was written late, or again", () => {
    const [call1, result1] = step("1", null);
    const [callX, resultX] = step("x", "r1", "b");
    const behind = (logical: string) =>
      boundary(undefined, { uuid: "b", parentUuid: null, logicalParentUuid: logical });
    const last = (lines: Json[], parent = "b") => story([...lines, ...step("2", parent)]).at(-1);
    // The result, the result and its call, and a line that the compaction continues from.
    expect(last([call1, behind("c1"), result1])).toBe("miss 2 rewound");
    expect(last([call1, result1, behind("r1"), call1, result1])).toBe("miss 2 compacted");
    expect(last([callX, resultX, behind("r1"), call1, result1])).toBe("miss 2 rewound");
    // A call of the new conversation is in reach.
    expect(last([callX, resultX, behind("rx"), ...step("1", "b")], "r1")).toBe("hit 2=1");
  });

  it("does not lead to lines of an input that was written again after a compaction", () => {
    const content = Array.from({ length: 30 }, (_, line) => `line ${line} of a file that was written`).join("\n");
    const write = call("1", "Write", { file_path: "/w", content }, { uuid: "c1", parentUuid: null });
    const written = [write, result("1", "done", { uuid: "r1", parentUuid: "c1" })];
    const shown = [
      call("2", "Bash", { command: "cat /w" }, { uuid: "c2", parentUuid: "b" }),
      result("2", content, { uuid: "r2", parentUuid: "c2" }),
    ];
    const runs = (lines: Json[]) =>
      eventsOn(lines, { runs: true }).flatMap(event => (event.kind === "miss" && event.runs?.length ? event.id : []));
    const behind = boundary(undefined, { uuid: "b", parentUuid: null, logicalParentUuid: "r1" });
    expect(runs([...written, behind, write, ...shown])).toEqual([]);
    expect(runs([...written, prompt("show it", { uuid: "b", parentUuid: "r1" }), ...shown])).toEqual(["2"]);
  });

  it("follows the calls: only one of several parallel results is a parent", () => {
    const [call1, result1] = step("1", null);
    const [call2, result2] = step("2", "c1", "b");
    const lines = [call1, call2, result1, result2];
    expect(story([...lines, ...step("3", "r2"), ...step("4", "r3", "b")]).slice(2)).toEqual(["hit 3=1", "hit 4=2"]);
  });

  it("holds if a line was written before its parent", () => {
    const [call2, result2] = step("2", "r1", "b");
    const lines = [...step("1", null), result2, call2];
    expect(story([...lines, ...step("3", "r2")]).slice(2)).toEqual(["hit 3=1"]);
  });

  it("is respected by near-references too", () => {
    const poll = (status: string) => JSON.stringify({ status, log: "x".repeat(600) });
    const polled = (id: string, parentUuid: string | null, status: string) => [
      call(id, "Bash", {}, { uuid: `c${id}`, parentUuid }),
      result(id, poll(status), { uuid: `r${id}`, parentUuid: `c${id}` }),
    ];
    const lines = [...polled("1", null, "queued"), ...polled("2", null, "done"), ...polled("3", "r1", "failed")];
    expect(story(lines, { nearRef: true })).toEqual(["miss 1 new", "miss 2 new", "nearHit 3=1"]);
  });
});
