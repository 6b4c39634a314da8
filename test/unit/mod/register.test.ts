/** The mod's hooks with a fake Claude Code: the real one never fails on purpose. */
import { describe, expect, it, vi } from "vitest";
import { register } from "../../../src/mod/register.js";
import { NO_CHOICES, renderLiveSettings } from "../../../src/settings/liveSettings.js";
import { groupOf } from "../../../src/trial/assign.js";
import { cut, logText } from "../../support/log.js";

const TEXT = Array.from({ length: 30 }, (_, line) => `line ${line} of a text that comes twice`).join("\n");

const LOG = "/logs/s1.jsonl";

function loaded(
  messages: () => Promise<unknown>,
  read: (path: string) => Promise<string> = () => Promise.reject(new Error("ENOENT")),
  session?: string,
  begin = register,
) {
  const hooks = new Map<string, (...args: never[]) => unknown>();
  const said: string[] = [];
  const $ = {
    ui: { log: (text: string) => said.push(text) },
    session: { messages, cwd: async () => "/p", id: async () => session },
    env: { get: async () => undefined, set: async () => undefined },
    fs: { read },
    plugin: { root: "/data/mod/plugin" },
  };
  begin((name: string, ...rest: unknown[]) => hooks.set(name, rest.at(-1) as (...args: never[]) => unknown), {});
  const raise = async (name: string, event: unknown, next = async (passed: unknown): Promise<unknown> => passed) =>
    hooks.get(name)?.(...([$, event, next] as never[]));
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
  it("leave rows unchanged once anything has failed, and say so once", async () => {
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

  it("use the chosen settings, from the next prompt on, and no other file", async () => {
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

  it("keep the chosen settings if the file is damaged or gone", async () => {
    const terse = renderLiveSettings({ ...NO_CHOICES, commandLine: { verbosity: "terse" } });
    for (const damaged of [terse.slice(0, -9), "", "\0".repeat(terse.length)]) {
      let [text, messages] = [terse, [] as unknown[]];
      const { raise, result, step } = loaded(
        async () => messages,
        async () => text,
      );
      await raise("prompt.submit", { text: "go" });
      await result("t1");
      messages = [{ role: "assistant", toolUses: [{ tool_use_id: "t1", tool: "Bash", input: {}, text: TEXT }] }];
      text = damaged;
      await raise("prompt.submit", { text: "go on" });
      await step();
      expect(JSON.stringify((await result("t2")).kept)).toContain("> [ref: t1]");
    }
  });

  it("know which session it is after a reload, and so whether a trial gives it hints", async () => {
    const trial = { key: "k", since: "2026-11-01T00:00:00.000Z" };
    const text = renderLiveSettings({ ...NO_CHOICES, trial });
    const ids = Array.from({ length: 9 }, (_, at) => `s${at}`);
    expect(new Set(ids.map(id => groupOf(id, trial))).size).toBe(2);
    const [messages, read] = [async () => [], async () => text];
    for (const id of ids) {
      vi.resetModules();
      const { raise } = loaded(messages, read, id, (await import("../../../src/mod/register.js")).register);
      await raise("session.start", {});
      const isTold = "context" in Object(await raise("prompt.submit", { text: "go" }));
      expect(isTold ? "hints" : "control").toBe(groupOf(id, trial));
    }
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

  it("leave everything else in a row and in a prompt unchanged", async () => {
    const { raise } = loaded(async () => [{ role: "user", text: "hello", toolUses: [] }]);
    expect(await raise("prompt.submit", { text: "hello", context: ["theirs"] })).toEqual({
      text: "hello",
      context: ["theirs", expect.stringMatching(/^Tool output/)],
    });
    const again = { text: "hello again", context: ["theirs"] };
    expect(await raise("prompt.submit", again)).toBe(again);
  });
});

describe("what goes with a prompt", () => {
  it("goes with the next one if that prompt is refused", async () => {
    const { raise } = loaded(async () => [{ role: "user", text: "hello", toolUses: [] }]);
    const refused = { drop: "blocked by a hook" };
    expect(await raise("prompt.submit", { text: "no" }, async () => refused)).toBe(refused);
    expect(await raise("prompt.submit", { text: "yes" })).toHaveProperty("context");
  });
});

describe("what was cut and is still referred to", () => {
  it("is told to the model with the next prompt, once", async () => {
    let messages: unknown[] = [];
    const asked: string[] = [];
    const read = async (path: string) => {
      asked.push(path);
      return path === LOG ? logText(cut(["t1"])) : "";
    };
    const { raise, result, said, step } = loaded(async () => messages, read);
    await raise("classic.SessionStart", { session_id: "s1", source: "startup", transcript_path: LOG });
    await raise("prompt.submit", { text: "go" });
    await result("t1");
    const listed = (id: string, text: string) => ({ tool_use_id: id, tool: "Bash", input: {}, text });
    messages = [{ role: "assistant", toolUses: [listed("t1", TEXT)] }];
    await step();
    const { kept } = await result("t2");
    const [{ content = "" } = {}] = (kept as { message: { content: { content: string }[] } }).message.content;
    expect(content).toContain("> [ref: t1");
    messages = [{ role: "assistant", toolUses: [listed("t1", TEXT), listed("t2", content)] }];
    asked.length = 0;
    await raise("session.append", { door: "attachment", message: { name: "tool_results_cut" } });
    const { context } = (await raise("prompt.submit", { text: "go on" })) as { context: string[] };
    expect(context).toEqual([expect.stringMatching(/^Tool output.*cleared.*\nt1 Bash\(cat a\) had returned/s)]);
    expect(context[0]).toContain(TEXT);
    const last = { text: "and on" };
    expect(await raise("prompt.submit", last)).toBe(last);
    expect(asked.filter(path => path === LOG)).toHaveLength(1);
    expect(said).toEqual([]);
  });
});

describe("a resumed session", () => {
  /** What a repeated call is answered with if the past lists a result in full and this is in the log. */
  async function repeated(read: (path: string) => Promise<string>, seconds: number | undefined = 60): Promise<string> {
    const past = { tool_use_id: "t1", tool: "Bash", input: { command: "cat a" }, text: TEXT };
    const { raise, result, said, step } = loaded(async () => [{ role: "assistant", toolUses: [past] }], read);
    const after = { seconds_since_last_response: seconds };
    await raise("classic.SessionStart", { session_id: "s1", source: "resume", transcript_path: LOG, ...after });
    await raise("prompt.submit", { text: "go" });
    await step();
    const { kept } = await result("t2");
    expect(said).toEqual([]);
    return JSON.stringify(kept);
  }

  it("is given hints to its past, except to what its log says was cut", async () => {
    const logs = (text: string) => async (path: string) => (path === LOG ? text : "");
    expect(await repeated(logs(""))).toContain("> [ref: t1");
    expect(await repeated(logs(logText(cut(["t0"]))))).toContain("> [ref: t1");
    expect(await repeated(logs(logText(cut(["t1"]))))).not.toContain("[ref:");
  });

  it("is given none to its past if its log cannot be read", async () => {
    const tooLarge = () => Promise.reject(new Error("EFBIG"));
    expect(await repeated(tooLarge)).not.toContain("[ref:");
  });

  it("is given none to its past in its first request after hours: the API may have cleared it", async () => {
    const read = async () => "";
    expect(await repeated(read, 3500)).toContain("> [ref: t1");
    expect(await repeated(read, 4 * 3600)).not.toContain("[ref:");
  });

  it("is given none to what was cut while its log is being read", async () => {
    let answer = (_: string) => {};
    const log = new Promise<string>(resolve => {
      answer = resolve;
    });
    const [past] = [{ tool_use_id: "t1", tool: "Bash", input: { command: "cat a" }, text: TEXT }];
    const { raise, result, step } = loaded(
      async () => [{ role: "assistant", toolUses: [past] }],
      async path => (path === LOG ? log : ""),
    );
    const start = { session_id: "s1", source: "resume", transcript_path: LOG, seconds_since_last_response: 9 };
    await raise("classic.SessionStart", start);
    await step();
    const both = [result("t2"), result("t3")];
    answer(logText(cut(["t1"])));
    expect(JSON.stringify(await Promise.all(both))).not.toContain("ref: t1");
  });
});
