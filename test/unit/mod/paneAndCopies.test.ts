/**
 * The mod's pane, and which copy of the mod handles a session. With a fake Claude Code: the real one never fails on
 * purpose.
 */
import { describe, expect, it } from "vitest";
import { register } from "../../../src/mod/register.js";

const elements = {
  Box: (props: object) => ({ type: "Box", ...props }),
  Text: (props: object) => ({ type: "Text", ...props }),
};

const LOG = "/logs/s1.jsonl";

/** A Claude Code that draws or does not. */
function claude({
  draws = true,
  options = {},
  variables = new Map<string, string>(),
  log = "",
  messages = async (): Promise<unknown[]> => [],
  root = "/data/mod/plugin",
} = {}) {
  const [open, drawn] = [new Set<string>(), [] as string[]];
  const hooks = new Map<string, (...args: unknown[]) => unknown>();
  const only: unknown[] = [];
  const $ = {
    ui: {
      log: () => {},
      open: async ({ id }: { id: string }) => {
        open.add(id);
        return { isPlaced: draws };
      },
      close: async ({ id }: { id: string }) => open.delete(id),
      resolve: () => elements,
      invalidate: (name: string) => drawn.push(name),
    },
    session: {
      messages,
      cwd: async () => "/p",
      id: async () => "s1",
      surfaces: async () => ["terminal"],
      usage: async () => ({ context: { tokens: 100_000, window: 400_000 } }),
    },
    command: { register: async () => {} },
    clock: { every: () => ({ cancel: () => {} }) },
    env: {
      get: async (name: string) => variables.get(name),
      set: async (name: string, to: string) => void variables.set(name, to),
    },
    fs: { read: (path: string) => (path === LOG ? Promise.resolve(log) : Promise.reject(new Error("ENOENT"))) },
    plugin: { root },
  };
  register((name: string, ...rest: unknown[]) => {
    const [matcher] = rest.slice(0, -1);
    if (name === "ui.render") only.push(matcher);
    if (!hooks.has(name)) hooks.set(name, rest.at(-1) as (...args: unknown[]) => unknown);
  }, options);
  const raise = async (name: string, event: unknown) => hooks.get(name)?.($, event, async (passed: unknown) => passed);
  return { raise, open, drawn, only, variables };
}

describe("the mod's pane", () => {
  const PANE = { component: "Pane", requestId: "dedup", props: { bodyColumns: 80, placement: "inline" } };

  it("is opened and closed by the command, and drawn again only while it is open", async () => {
    const { raise, open, drawn } = claude();
    const row = { door: "prompt", message: { content: [] } };
    await raise("session.append", row);
    expect([...open, ...drawn]).toEqual([]);
    expect(await raise("command.run", { command: "dedup" })).toEqual({});
    expect([...open]).toEqual(["dedup"]);
    await raise("session.append", row);
    expect(drawn).toEqual(["ui.render"]);
    expect(JSON.stringify(await raise("ui.render", PANE))).toContain("Saved so far");
    expect(await raise("command.run", { command: "dedup" })).toEqual({});
    expect([...open]).toEqual([]);
    await raise("session.append", row);
    expect(drawn).toEqual(["ui.render"]);
  });

  it("is redrawn immediately with what only the session's log says", async () => {
    const { raise, open, drawn } = claude({ log: "{}\n" });
    await raise("classic.SessionStart", { session_id: "s1", source: "startup", transcript_path: LOG });
    await raise("command.run", { command: "dedup" });
    expect([...open, ...drawn]).toEqual(["dedup", "ui.render"]);
  });

  it("is text if nothing draws, and is not left waiting", async () => {
    const { raise, open } = claude({ draws: false });
    const { text } = (await raise("command.run", { command: "dedup" })) as { text: string };
    expect(text).toContain("Saved so far  on");
    // Known from Claude Code, not from a request yet.
    expect(text).toContain("Context       100k of 400k  25 % full");
    expect([...open]).toEqual([]);
  });

  it("ignores other panes, and what is above the prompt unless told otherwise", async () => {
    const { raise, only } = claude();
    const theirs = { ...PANE, requestId: "theirs" };
    expect(await raise("ui.render", theirs)).toBe(theirs);
    expect(only).toEqual([{ component: "Pane" }]);
    expect(claude({ options: { line: true } }).only).toEqual([{ component: "Pane" }, { component: "AbovePrompt" }]);
  });
});

describe("two copies of the mod in one session", () => {
  it("do not both handle it", async () => {
    const start = { session_id: "s1", source: "startup" };
    const taken = new Map([
      ["DEDUP_INSPECTOR_MOD", "s1"],
      ["DEDUP_INSPECTOR_MOD_ROOT", "/another/copy"],
    ]);
    const { raise } = claude({ variables: taken });
    await raise("classic.SessionStart", start);
    const [prompt, command] = [{ text: "hello" }, { command: "dedup" }];
    expect(await raise("prompt.submit", prompt)).toBe(prompt);
    expect(await raise("command.run", command)).toBe(command);
    expect(taken.get("DEDUP_INSPECTOR_MOD_ROOT")).toBe("/another/copy");
  });

  it("do not both handle it after they were reloaded, which starts no session", async () => {
    const { raise, variables } = claude();
    await raise("classic.SessionStart", { session_id: "s1", source: "startup" });
    const prompt = { text: "hello" };
    for (const [root, isFirst] of [
      ["/another/copy/1.0.0", false],
      ["/data/mod/plugin", true],
    ] as const) {
      const again = claude({ variables, root });
      await again.raise("session.start", {});
      expect((await again.raise("prompt.submit", prompt)) !== prompt).toBe(isFirst);
    }
  });

  it("leave it to the first, even after that was reloaded", async () => {
    const start = { session_id: "s1", source: "startup" };
    const { raise, variables } = claude();
    await raise("classic.SessionStart", start);
    expect(variables.get("DEDUP_INSPECTOR_MOD")).toBe("s1");
    const again = claude({ variables });
    await again.raise("classic.SessionStart", start);
    expect(await again.raise("prompt.submit", { text: "hello" })).toHaveProperty("context");
  });

  it("are one if the plugin was updated and reloaded", async () => {
    const variables = new Map([
      ["DEDUP_INSPECTOR_MOD", "s1"],
      ["DEDUP_INSPECTOR_MOD_ROOT", "/data/mod/1.0.0"],
    ]);
    const { raise } = claude({ variables });
    const started = await raise("classic.SessionStart", { session_id: "s1", source: "compact" });
    expect(started).toHaveProperty("additionalContext");
    expect(variables.get("DEDUP_INSPECTOR_MOD_ROOT")).toBe("/data/mod/plugin");
  });

  it("leave the next session to the hooks if the first has failed, and so does the second", async () => {
    const { raise, variables } = claude({ messages: () => Promise.reject(new Error("no answer")) });
    const start = (session_id: string, source: string) => raise("classic.SessionStart", { session_id, source });
    await start("s1", "startup");
    await raise("prompt.submit", { text: "hello" });
    await start("s1", "compact");
    // The hooks would not know what happened in this one.
    expect(variables.get("DEDUP_INSPECTOR_MOD")).toBe("s1");
    for (const [id, source] of [
      ["s2", "clear"],
      ["s2", "compact"],
      ["s1", "resume"],
    ] as const) {
      await start(id, source);
      expect(variables.get("DEDUP_INSPECTOR_MOD")).toBe("");
    }
    const [prompt, command] = [{ text: "hello" }, { command: "dedup" }];
    expect(await raise("prompt.submit", prompt)).toBe(prompt);
    expect(await raise("command.run", command)).toBe(command);
    const taken = new Map([
      ["DEDUP_INSPECTOR_MOD", "s1"],
      ["DEDUP_INSPECTOR_MOD_ROOT", "/another/copy"],
    ]);
    const second = claude({ variables: taken });
    await second.raise("classic.SessionStart", { session_id: "s1", source: "startup" });
    await second.raise("classic.SessionStart", { session_id: "s2", source: "clear" });
    expect(taken.get("DEDUP_INSPECTOR_MOD")).toBe("s1");
  });

  it("each handle their own sessions", async () => {
    const variables = new Map([
      ["DEDUP_INSPECTOR_MOD", "outer"],
      ["DEDUP_INSPECTOR_MOD_ROOT", "/another/copy"],
    ]);
    const { raise } = claude({ variables });
    await raise("classic.SessionStart", { session_id: "inner", source: "startup" });
    expect(await raise("prompt.submit", { text: "hello" })).toHaveProperty("context");
  });
});
