/** The hook program after rewinds, with two processes on one log, or after cuts: no hint to what is gone. */
import { appendFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { HookedSession, hintTo, longText as text } from "../support/hook.js";
import { answer, boundary, call, cut, type Json, logText, prompt, result } from "../support/log.js";

beforeAll(built);

let session: HookedSession;
beforeEach(() => {
  // Lines of an older result may be pointed at when a newer result as a whole may not: these tests are about whole
  // results.
  session = new HookedSession("--no-runs");
});
afterEach(() => session.remove());

/** The line of a call that continues from another line. */
function begin(id: string, parentUuid: string | null): void {
  const message = { id: `m-${id}`, model: "m" };
  session.write([call(id, "Bash", { command: `cat ${id}` }, { uuid: `c-${id}`, parentUuid, message })]);
}

/** A whole call that continues from another line. */
function bash(id: string, body: string, parentUuid: string | null): string {
  begin(id, parentUuid);
  const emitted = session.bashHook(id, body);
  session.write([result(id, emitted, { uuid: `r-${id}`, parentUuid: `c-${id}` })]);
  return emitted;
}

/** This many lines after another one, each continuing from the previous one; returns the last one's uuid. */
function fill(count: number, parentUuid: string, size = 100): string {
  const uuids = Array.from({ length: count }, (_, at) => `${parentUuid}/${at}`);
  const lines = uuids.map((uuid, at) => ({
    type: "progress",
    uuid,
    parentUuid: uuids[at - 1] ?? parentUuid,
    data: "x".repeat(size),
  }));
  appendFileSync(session.log, logText(...lines));
  return uuids.at(-1) ?? parentUuid;
}

describe("two processes on one session", () => {
  it("are never pointed at each other's results", () => {
    session.write([prompt("go", { uuid: "p", parentUuid: null })]);
    bash("1", text("a"), "p");
    bash("2", text("b"), "p");
    expect(bash("3", text("a"), "r-2")).toBe(text("a"));
    expect(bash("4", text("b"), "r-1")).toBe(text("b"));
    // The other process's entry replaced the earlier one: the text is given once more, then pointed at.
    expect(bash("5", text("a"), "r-4")).toBe(text("a"));
    bash("6", text("c"), "r-5");
    expect(bash("7", text("a"), "r-6")).toBe(hintTo("5"));
    bash("8", text("d"), "r-3");
    expect(bash("9", text("a"), "r-8")).toBe(text("a"));
  });

  it("share what came before they diverged", () => {
    bash("1", text("a"), null);
    bash("2", text("b"), "r-1");
    bash("3", text("c"), "r-1");
    expect(bash("4", text("a"), "r-2")).toBe(hintTo("1"));
    bash("5", text("d"), "r-3");
    expect(bash("6", text("a"), "r-5")).toBe(hintTo("1"));
  });
});

describe("a conversation that is rewound", () => {
  const back = (line: Json) => {
    bash("1", text("a"), null);
    bash("2", text("b"), "r-1");
    session.write([answer("m", 5, { uuid: "m", parentUuid: "r-2" }), line]);
    session.write([prompt("go on", { uuid: "q", parentUuid: "back" })]);
    begin("3", "q");
  };

  it.each([
    ["a slash command", prompt("<command-name>/effort</command-name>", { isMeta: true })],
    ["a line of the system", { type: "system", subtype: "local_command" }],
    ["an attachment", { type: "attachment", attachment: { type: "hook_success" } }],
  ])("by %s loses what came after", (_, line) => {
    back({ ...line, uuid: "back", parentUuid: "r-1" });
    expect(session.bashHook("3", text("b"))).toBe(text("b"));
    expect(session.bashHook("3", text("a"))).toBe(hintTo("1"));
  });

  it("to before the first prompt loses everything", () => {
    back(prompt("anew", { uuid: "back", parentUuid: null }));
    expect(session.bashHook("3", text("a"))).toBe(text("a"));
  });

  it("to before hints were turned on loses everything", () => {
    session.write([prompt("go", { uuid: "p", parentUuid: null })]);
    const last = fill(50, "p", 100_000);
    bash("1", text("a"), last);
    bash("2", text("b"), "r-1");
    expect(bash("3", text("a"), "r-2")).toBe(hintTo("1"));
    bash("4", text("c"), "r-3");
    begin("5", "r-4");
    expect(session.bashHook("5", text("b"))).toBe(hintTo("2"));
    for (const parentUuid of [null, "p"]) {
      session.write([prompt("anew", { uuid: `q${parentUuid}`, parentUuid })]);
      begin(`6${parentUuid}`, `q${parentUuid}`);
      expect(session.bashHook(`6${parentUuid}`, text("b"))).toBe(text("b"));
    }
  });

  it("beyond a line that is not in the log loses everything", () => {
    bash("1", text("a"), null);
    bash("2", text("b"), "gone");
    expect(bash("3", text("a"), "r-2")).toBe(text("a"));
    bash("4", text("c"), "r-3");
    expect(bash("5", text("b"), "r-4")).toBe(hintTo("2"));
  });
});

describe("a long session", () => {
  it("that never branches keeps everything in reach", () => {
    bash("1", text("a"), null);
    let last = "r-1";
    for (const id of ["2", "3", "4"]) {
      last = fill(600, last);
      bash(id, text("b").repeat(40), last);
      last = `r-${id}`;
    }
    expect(bash("5", text("a"), last)).toBe(hintTo("1"));
  });

  it("may be rewound to a line that is no longer remembered, and loses just what came after", () => {
    bash("1", text("a"), null);
    session.write([prompt("go on", { uuid: "p", parentUuid: "r-1" })]);
    bash("2", text("b"), "p");
    const last = fill(600, "r-2");
    // The state is written here.
    bash("3", text("c"), last);
    session.write([prompt("other way", { uuid: "q", parentUuid: fill(1, "p") })]);
    for (const id of ["4", "5"]) {
      begin(id, id === "4" ? "q" : "r-4");
      expect(session.bashHook(id, text("b"))).toBe(text("b"));
      expect(session.bashHook(id, text("c"))).toBe(text("c"));
      expect(session.bashHook(id, text("a"))).toBe(hintTo("1"));
      session.write([result(id, "ok", { uuid: `r-${id}`, parentUuid: `c-${id}` })]);
    }
    // The first branch is still there for whoever continues it.
    begin("6", "r-3");
    expect(session.bashHook("6", text("a"))).toBe(hintTo("1"));
    expect(session.complaints).toEqual([]);
  });
});

describe("lines that are copied", () => {
  it("keep their place when a conversation is rewound to one", () => {
    session.write([prompt("go", { uuid: "p", parentUuid: null })]);
    bash("0", text("c"), "p");
    bash("1", "small", "r-0");
    const line = session.lines.at(-2) ?? "";
    bash("2", text("a"), "r-1");
    appendFileSync(session.log, `${line}\n`);
    // The state is written here, and no longer remembers the copy.
    bash("3", text("b"), fill(300, "r-2"));
    session.write([prompt("other way", { uuid: "q", parentUuid: "c-1" })]);
    begin("4", "q");
    expect(session.bashHook("4", text("a"))).toBe(text("a"));
    expect(session.bashHook("4", text("c"))).toBe(hintTo("0"));
    expect(session.complaints).toEqual([]);
  });

  it("are no new results, even if an earlier process read the first ones", () => {
    session.write([prompt("go", { uuid: "p", parentUuid: null })]);
    bash("1", text("a"), "p");
    const pair = session.lines.slice(-2);
    // The state is written here.
    bash("2", text("b"), fill(20, "r-1", 1500));
    session.write([boundary([], { uuid: "b", parentUuid: null, logicalParentUuid: "r-2" })]);
    session.write([prompt("summary", { uuid: "s", parentUuid: "b", isCompactSummary: true })]);
    appendFileSync(session.log, `${pair.join("\n")}\n`);
    expect(bash("3", text("a"), "s")).toBe(text("a"));
    expect(bash("4", text("a"), "r-3")).toBe(hintTo("3"));
    expect(session.complaints).toEqual([]);
  });
});

describe("a call whose result is in the log", () => {
  it("is not answered again: the event is a copy", () => {
    bash("1", text("a"), null);
    bash("2", text("b"), "r-1");
    expect(session.bashHook("2", text("a"))).toBe(text("a"));
    // The same for results that only the state remembers, and then for the next call.
    bash("3", text("c"), fill(20, "r-2", 1500));
    expect(session.bashHook("2", text("a"))).toBe(text("a"));
    expect(session.bashHook("3", text("b"))).toBe(text("b"));
    expect(bash("4", text("a"), "r-3")).toBe(hintTo("1"));
    expect(session.complaints).toEqual([]);
  });
});

describe("an answer whose line is written again, long after it", () => {
  it("does not bring back what it wrote before a compaction", () => {
    session.remove();
    session = new HookedSession();
    const content = Array.from({ length: 60 }, (_, at) => `line ${at} of a file that was written`).join("\n");
    const input = { file_path: "/a", content };
    const write = call("1", "Write", input, { uuid: "c-1", parentUuid: null, message: { id: "m-1", model: "m" } });
    session.write([write, result("1", "written", { uuid: "r-1", parentUuid: "c-1" })]);
    // The state is written twice, and no longer remembers the line.
    bash("2", text("b"), fill(300, "r-1"));
    session.write([boundary([], { uuid: "b", parentUuid: null, logicalParentUuid: "r-2" })]);
    bash("3", text("c"), fill(300, "b"));
    session.write([{ ...write, parentUuid: "r-3" }]);
    expect(bash("4", content, "c-1")).toBe(content);
    expect(session.complaints).toEqual([]);
  });
});

describe("results that were cleared", () => {
  it("are not pointed at after a long pause", () => {
    bash("1", text("a"), null);
    bash("2", text("b"), "r-1");
    session.write([cut(["1"], { uuid: "cut", parentUuid: "r-2" })]);
    expect(bash("3", text("a"), "cut")).toBe(text("a"));
    expect(bash("4", text("b"), "r-3")).toBe(hintTo("2"));
  });

  it("are not pointed at if the API cleared them, though it does not say which", () => {
    bash("1", text("a"), null);
    bash("2", text("b"), "r-1");
    const context_management = { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 1 }] };
    session.write([answer("m", 5, { uuid: "m", parentUuid: "r-2", message: { context_management } })]);
    expect(bash("3", text("a"), "m")).toBe(text("a"));
    expect(bash("4", text("b"), "r-3")).toBe(text("b"));
  });
});
