import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../src/dedup/hintGuard.js";

const HINT = "> [ref: toolu_1]";
const known = (ids: ReadonlySet<string>) => (ids.has("toolu_1") ? "toolu_1" : undefined);

describe("the guard against hints in files", () => {
  it("asks once which calls are known, with each id once", () => {
    const asked: (readonly string[])[] = [];
    const edits = [{ new_string: `> [ref: a]\n> [near-ref: b]\n> [ref: a]` }, { new_string: "> [ref: c lines 1-2]" }];
    const ask = (ids: ReadonlySet<string>) => void asked.push([...ids]);
    expect(refusalOf("MultiEdit", { edits }, ask)).toBeUndefined();
    expect(asked).toEqual([["a", "b", "c"]]);
    expect(refusalOf("Write", { content: "no hint" }, ask)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it("covers every tool that passes texts on to files, servers or other agents", () => {
    for (const tool of ["Write", "Bash", "Agent", "Task", "SendMessage", "mcp__mail__send"]) {
      expect(refusalOf(tool, { message: HINT }, known)).toContain(HINT.slice(0, -1));
    }
    expect(refusalOf("Read", { message: HINT }, known)).toBeUndefined();
  });

  it("finds a hint however deep it is in the input, and in one that contains itself", () => {
    let deep: unknown = HINT;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(refusalOf("mcp__files__write", { deep }, known)).toContain(HINT.slice(0, -1));
    const circle: Record<string, unknown> = {};
    Object.assign(circle, { circle, text: HINT });
    expect(refusalOf("mcp__files__write", circle, known)).toContain(HINT.slice(0, -1));
  });
});
