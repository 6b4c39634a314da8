/** The hooks of the mod with a Claude Code that is none: the real one never fails on purpose. */
import { describe, expect, it } from "vitest";
import { register } from "../../../src/mod/register.js";
import { NO_CHOICES, renderLiveSettings } from "../../../src/settings/liveSettings.js";

const TEXT = Array.from({ length: 30 }, (_, line) => `line ${line} of a text that comes twice`).join("\n");

function loaded(messages: () => Promise<unknown>, read = () => Promise.reject<string>(new Error("ENOENT"))) {
  const hooks = new Map<string, (...args: never[]) => unknown>();
  const said: string[] = [];
  const $ = {
    ui: { log: (text: string) => said.push(text) },
    session: { messages, cwd: async () => "/p" },
    env: { set: async () => undefined },
    fs: { read },
    plugin: { root: "/data/mod/plugin" },
  };
  register((name: string, hook: (...args: never[]) => unknown) => hooks.set(name, hook), {});
  const raise = async (name: string, event: unknown) =>
    hooks.get(name)?.(...([$, event, async (passed: unknown) => passed] as never[]));
  const result = async (id: string) => {
    const call = { content: [{ type: "tool_use", id, name: "Bash", input: { command: "cat a" } }] };
    await raise("session.append", { door: "prompt", message: { content: [] } });
    await raise("session.append", { door: "response", message: call });
    const content = [{ type: "tool_result", tool_use_id: id, content: TEXT }];
    const row = { door: "tool-result", message: { content }, uuid: id };
    return { row, kept: await raise("session.append", row) };
  };
  /** One request to the model. */
  const step = async () => {
    // biome-ignore lint/correctness/useYield: an answer without pieces.
    const answer = async function* () {
      return {};
    };
    const stream = hooks.get("turn.step")?.(...([$, {}, answer] as never[])) as AsyncGenerator;
    while (!(await stream.next()).done);
  };
  return { raise, result, said, step };
}

describe("the mod's hooks", () => {
  it("leave rows as they are once anything has failed, and say so once", async () => {
    const { raise, result, said } = loaded(() => Promise.reject(new Error("no answer")));
    for (const id of ["t1", "t2", "t3"]) {
      const { row, kept } = await result(id);
      expect(kept).toBe(row);
    }
    expect(said).toEqual(["Live hints are off in this session: Error: no answer"]);
    const prompt = { text: "hello" };
    expect(await raise("prompt.submit", prompt)).toBe(prompt);
    const call = { tool: "Write", content: "> [ref: other]", tool_use_id: "t4" };
    expect(await raise("tool.call", call)).toBe(call);
  });

  it("still refuse to write a hint into a file after a failure", async () => {
    let isBroken = false;
    const { raise, result, said } = loaded(async () => {
      if (isBroken) throw new Error("no answer");
      return [];
    });
    await result("t1");
    isBroken = true;
    await result("t2");
    expect(said).toHaveLength(1);
    const call = { tool: "Write", content: "> [ref: t1, byte-identical]", tool_use_id: "t3" };
    expect(await raise("tool.call", call)).toEqual({ deny: expect.stringContaining("write those lines") });
  });

  it("go by what was chosen, from the next prompt on, and by no other file", async () => {
    let [text, messages] = ["", [] as unknown[]];
    const { raise, result, step } = loaded(
      async () => messages,
      async () => text,
    );
    const hintTo = async (id: string, other: string) => {
      await raise("prompt.submit", { text: "go" });
      await result(id);
      messages = [{ role: "assistant", toolUses: [{ tool_use_id: id, tool: "Bash", input: {}, text: TEXT }] }];
      await step();
      return (await result(other)).kept;
    };
    const terse = renderLiveSettings({ ...NO_CHOICES, commandLine: { verbosity: "terse" } });
    text = terse.replace("dedup-inspector", "another program");
    expect(JSON.stringify(await hintTo("t1", "t2"))).toContain("> [ref: t1, byte-identical");
    messages = [];
    text = terse;
    expect(JSON.stringify(await hintTo("t3", "t4"))).toContain("> [ref: t3]");
  });

  it("tell each subagent once what hints are, except a copy of its parent", async () => {
    const { raise } = loaded(async () => []);
    const start = (agent_id: string, agent_type = "Explore") =>
      raise("classic.SubagentStart", { agent_id, agent_type });
    expect(await start("a")).toMatchObject({ additionalContext: [expect.stringMatching(/^Tool output/)] });
    expect(await start("a")).not.toHaveProperty("additionalContext");
    expect(await start("b")).toHaveProperty("additionalContext");
    expect(await start("c", "fork")).not.toHaveProperty("additionalContext");
  });

  it("leave everything else in a row and in a prompt as it is", async () => {
    const { raise } = loaded(async () => []);
    expect(await raise("prompt.submit", { text: "hello", context: ["theirs"] })).toEqual({
      text: "hello",
      context: ["theirs", expect.stringMatching(/^Tool output/)],
    });
    const again = { text: "hello again", context: ["theirs"] };
    expect(await raise("prompt.submit", again)).toBe(again);
  });
});
