import { describe, expect, it } from "vitest";
import { agentOfFile, groupSessions, isTranscript } from "../../../src/log/sessionFiles.js";

/** Groups as `main: agent, agent`; a file is `path` or `path@sessionId`. */
function grouped(...files: string[]): string[] {
  const logs = files.map(file => {
    const [path = "", sessionId] = file.split("@");
    return { path, sessionId };
  });
  return groupSessions(logs).map(({ main, agents }) => {
    const names = agents.map(agent => agent.path).join(", ");
    return names === "" ? main.path : `${main.path}: ${names}`;
  });
}

describe("the subagent of a file", () => {
  it.each([
    ["p/agent-1a2b3c4d.jsonl", "1a2b3c4d"],
    ["p/s/subagents/agent-a0123456789abcdef.jsonl", "a0123456789abcdef"],
    ["p\\s\\subagents\\agent-acompact-4e5f60.jsonl", "acompact-4e5f60"],
    ["agent-x.jsonl", "x"],
    ["p/52a9d0c7.jsonl", undefined],
    ["p/my-agent-x.jsonl", undefined],
    ["p/agent-x/s.jsonl", undefined],
    ["p/agent-x.meta.json", undefined],
  ])("%s is %s", (path, agent) => {
    expect(agentOfFile(path)).toBe(agent);
  });
});

describe("a transcript", () => {
  it("is every .jsonl except the journal of a workflow run and what macOS adds", () => {
    expect(isTranscript("p/s.jsonl")).toBe(true);
    expect(isTranscript("p/s/subagents/agent-a.jsonl")).toBe(true);
    expect(isTranscript("p/s/subagents/workflows/wf_1/journal.jsonl")).toBe(false);
    expect(isTranscript("p/journal.jsonl")).toBe(true);
    expect(isTranscript("p/s/subagents/agent-a.meta.json")).toBe(false);
    expect(isTranscript("p/s.jsonl.bak")).toBe(false);
    for (const path of ["p/._s.jsonl", "p\\._s.jsonl", "._s.jsonl"]) expect(isTranscript(path)).toBe(false);
    for (const path of ["._p/s.jsonl", "p/.s.jsonl", "p/a._s.jsonl"]) expect(isTranscript(path)).toBe(true);
  });
});

describe("files become sessions", () => {
  it("in 1.0.x: one file each, subagents inline", () => {
    expect(grouped("p/b.jsonl@b", "p/a.jsonl@a")).toEqual(["p/a.jsonl", "p/b.jsonl"]);
  });

  it("in 2.0.x: flat agent files next to them, recognized by their sessionId", () => {
    expect(grouped("p/s1.jsonl@s1", "p/s2.jsonl@s2", "p/agent-b.jsonl@s1", "p/agent-a.jsonl@s1")).toEqual([
      "p/s1.jsonl: p/agent-a.jsonl, p/agent-b.jsonl",
      "p/s2.jsonl",
    ]);
  });

  it("in 2.1.x: agent files in a folder of the session's name, nested ones too", () => {
    expect(
      grouped(
        "p/s1.jsonl@s1",
        "p/s1/subagents/workflows/wf_1/agent-b.jsonl@s1",
        "p/s1/subagents/agent-a.jsonl@s1",
        "p/s2.jsonl@s2",
      ),
    ).toEqual(["p/s1.jsonl: p/s1/subagents/agent-a.jsonl, p/s1/subagents/workflows/wf_1/agent-b.jsonl", "p/s2.jsonl"]);
  });

  it("on Windows too", () => {
    expect(grouped("p\\s.jsonl@s", "p\\s\\subagents\\agent-a.jsonl@s", "p\\agent-b.jsonl@s")).toEqual([
      "p\\s.jsonl: p\\agent-b.jsonl, p\\s\\subagents\\agent-a.jsonl",
    ]);
  });

  it("by the folder if the lines name another session", () => {
    expect(grouped("p/s1.jsonl@s1", "p/s2.jsonl@s2", "p/s1/subagents/agent-a.jsonl@s2")).toEqual([
      "p/s1.jsonl: p/s1/subagents/agent-a.jsonl",
      "p/s2.jsonl",
    ]);
  });

  it("of their own if an agent's main file is missing or unknown", () => {
    expect(
      grouped("p/agent-a.jsonl@gone", "p/agent-b.jsonl", "q/s.jsonl@s", "q/gone/subagents/agent-c.jsonl@s"),
    ).toEqual(["p/agent-a.jsonl", "p/agent-b.jsonl", "q/gone/subagents/agent-c.jsonl", "q/s.jsonl"]);
  });

  it("only within one folder: equal session ids elsewhere are other sessions", () => {
    expect(grouped("p/s.jsonl@s", "q/agent-a.jsonl@s")).toEqual(["p/s.jsonl", "q/agent-a.jsonl"]);
  });

  it("in path order, whatever the order of the files", () => {
    expect(grouped("c.jsonl", "a.jsonl", "B.jsonl", "a-1.jsonl")).toEqual([
      "B.jsonl",
      "a-1.jsonl",
      "a.jsonl",
      "c.jsonl",
    ]);
  });

  it("if names contain special characters of patterns", () => {
    expect(grouped("p/$&.jsonl@$&", "p/agent-a.jsonl@$&")).toEqual(["p/$&.jsonl: p/agent-a.jsonl"]);
  });
});
