/** The hook program before a call: no hint ends up in a file. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { built } from "../support/cli.js";
import { HookedSession } from "../support/hook.js";
import { call } from "../support/log.js";

beforeAll(built);

let session: HookedSession;
beforeEach(() => {
  session = new HookedSession();
});
afterEach(() => session.remove());

describe("a call with a hint in its input", () => {
  const hint = "> [ref: toolu_1 lines 2-9, from: Read(/a)]";
  const decisionOn = (tool_name: string, tool_input: object, more: object = {}) => {
    const said = session.send({ hook_event_name: "PreToolUse", tool_name, tool_input, tool_use_id: "p", ...more });
    return said === "" ? undefined : JSON.parse(said).hookSpecificOutput.permissionDecision;
  };

  it("is refused if it would write it into a file or pass it on, and names a call of this conversation", () => {
    session.begin("toolu_1");
    expect(decisionOn("Write", { content: `a\n${hint}` })).toBe("deny");
    expect(decisionOn("Edit", { new_string: `7:${hint}` })).toBe("deny");
    expect(decisionOn("Bash", { command: `echo '${hint}' > a` })).toBe("deny");
    expect(decisionOn("mcp__files__write", { text: hint })).toBe("deny");
    // A server may call its arguments anything.
    expect(decisionOn("mcp__files__write", { tool: hint })).toBe("deny");
    expect(decisionOn("Agent", { prompt: hint })).toBe("deny");
    expect(decisionOn("Grep", { pattern: hint })).toBeUndefined();
    expect(decisionOn("Write", { content: hint.replace("toolu_1", "toolu_2") })).toBeUndefined();
    expect(session.complaints).toEqual([]);
  });

  it("is refused whichever of the session's conversations made the call that the hint names", () => {
    session.begin("toolu_1");
    session.write([call("toolu_2", "Bash", { command: "ls" })], "one");
    const other = hint.replace("toolu_1", "toolu_2");
    expect(decisionOn("Write", { content: other })).toBe("deny");
    expect(decisionOn("Write", { content: hint }, { agent_id: "one" })).toBe("deny");
    expect(decisionOn("Write", { content: other }, { agent_id: "two" })).toBe("deny");
    expect(decisionOn("Write", { content: hint.replace("toolu_1", "toolu_3") }, { agent_id: "one" })).toBeUndefined();
  });

  it("is refused however many lines look like hints", () => {
    session.begin("toolu_1");
    // Every log would be searched for each of them.
    session.write(Array.from({ length: 5000 }, (_, at) => call(`other_${at}`, "Bash", { command: "ls".repeat(500) })));
    const others = Array.from({ length: 100_000 }, (_, at) => hint.replace("toolu_1", `toolu_x${at}`)).join("\n");
    expect(decisionOn("Write", { content: `${others}\n${hint}` })).toBe("deny");
    expect(decisionOn("Write", { content: others })).toBeUndefined();
    expect(session.complaints).toEqual([]);
  });
});
