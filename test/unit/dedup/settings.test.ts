import { describe, expect, it } from "vitest";
import { compileInvalidation, DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { call, result, textOf } from "../../support/log.js";
import { eventsOn, storyOf } from "../../support/replay.js";

describe("the settings of a fresh installation", () => {
  it("are 5 results of at least 200 bytes, runs of lines of at least 512, no near-references, hints with their origin", () => {
    expect(DEFAULT_SETTINGS).toEqual({
      capacity: 5,
      minBytes: 200,
      nearRef: false,
      verbosity: "located",
      invalidates: {},
      runs: true,
      spanMinBytes: 512,
      door: "mod",
    });
  });
});

/** Whether a run of `ran` makes results of `tool` stale. */
function stale(map: Record<string, string[]>, ran: string, tool: string): boolean {
  return compileInvalidation(map)(ran)?.(tool) ?? false;
}

describe("an invalidation pattern", () => {
  it.each([
    ["Grep", "Grep", true],
    ["Grep", "grep", false],
    ["Grep", "GrepX", false],
    ["*", "anything", true],
    ["*", "", true],
    ["mcp__*", "mcp__jira__get_issue", true],
    ["mcp__*", "xmcp__jira", false],
    ["*_issue", "get_issue", true],
    ["*_issue", "get_issues", false],
    ["get_*_by_*", "get_issue_by_id", true],
    ["get_*_by_*", "get_issue", false],
    ["**", "Read", true],
    ["a.c", "abc", false],
    ["a+(b)[c]{d}^$|?\\", "a+(b)[c]{d}^$|?\\", true],
    ["a.*", "a.x", true],
    ["a.*", "abx", false],
  ])("%s means %s: %s", (pattern, tool, matches) => {
    expect(stale({ Bash: [pattern] }, "Bash", tool)).toBe(matches);
  });

  it("applies only after the tool it is listed under", () => {
    const map = { Bash: ["Grep"], Write: ["Glob", "LS"] };
    expect(stale(map, "Bash", "Grep")).toBe(true);
    expect(stale(map, "Bash", "Glob")).toBe(false);
    expect(stale(map, "Write", "LS")).toBe(true);
    expect(stale(map, "Edit", "Grep")).toBe(false);
  });

  it("of no tool is never used", () => {
    expect(compileInvalidation({})("Bash")).toBeUndefined();
  });

  it("listed under a name that every object has means only that name", () => {
    expect(stale({ Bash: ["Grep"] }, "constructor", "Grep")).toBe(false);
    expect(stale({ Bash: ["Grep"] }, "__proto__", "Grep")).toBe(false);
  });
});

describe("a tool that makes others stale", () => {
  const lines = (update: unknown, error = false) => [
    call("get1", "get_issue"),
    result("get1", textOf(300, "issue")),
    call("up", "update_issue"),
    result("up", update, { is_error: error }),
    call("get2", "get_issue"),
    result("get2", textOf(300, "issue")),
  ];
  const invalidates = { update_issue: ["get_*"] };

  it.each([
    ["a long answer", textOf(400, "up"), "miss up new"],
    ["an answer too short to be cached", "ok", "small up"],
    ["an answer that repeats another", textOf(300, "issue"), "hit up=get1"],
    ["an answer that is a picture", [{ type: "image" }], "nonText up"],
  ])("does so with %s", (_, update, outcome) => {
    expect(storyOf(eventsOn(lines(update), { invalidates }))).toEqual([
      "miss get1 new",
      outcome,
      "invalidate get1 by tool up",
      "miss get2 invalidated by up",
    ]);
  });

  it("does not when it failed", () => {
    expect(storyOf(eventsOn(lines("no", true), { invalidates }))).toEqual([
      "miss get1 new",
      "error up",
      "hit get2=get1",
    ]);
  });

  it("may list itself: its own fresh result is dropped too", () => {
    expect(storyOf(eventsOn(lines(textOf(400, "up")), { invalidates: { get_issue: ["get_issue"] } }))).toEqual([
      "miss get1 new",
      "invalidate get1 by tool get1",
      "miss up new",
      "miss get2 invalidated by get1",
      "invalidate get2 by tool get2",
    ]);
  });
});
