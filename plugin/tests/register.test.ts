// Run by `claude plugin test plugin`, in Claude Code's own engine for mods: requires dist/register.js from the build.
import { expect, mock, test } from "claude-code/testing";

/** Only guards against hanging: the kit's own limit of 5 s is too short for a busy machine. */
const LIMIT = { timeoutMs: 120_000 };

const TEXT = Array.from({ length: 30 }, (_, line) => `line ${line} of a text that comes twice`).join("\n");

const result = (id, content) => ({
  message: { type: "user", role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  door: "tool-result",
  origin: { kind: "tool", tool: "Bash" },
  uuid: `result-${id}`,
});

const call = id => ({
  message: {
    type: "assistant",
    role: "assistant",
    content: [{ type: "tool_use", id, name: "Bash", input: { command: "cat a.txt" } }],
  },
  door: "response",
  origin: { kind: "model", model: "claude-test" },
  uuid: `call-${id}`,
});

/** Answers as Claude Code would in a conversation with these messages; returns the results that it keeps. */
function answerFor(on, messages) {
  const kept = [];
  on("session.append", (_, e, next) => {
    if (e.door === "tool-result") kept.push(e.message.content[0].content);
    return next(e);
  });
  on("session.messages", () => ({ value: messages }));
  on("session.cwd", () => ({ value: "/work" }));
  on("env.get", () => ({ value: undefined }));
  on("env.set", () => ({ value: undefined }));
  on("ui.log", () => ({ value: undefined }));
  on("tool.call", () => ({ result: "ok" }));
  // biome-ignore lint/correctness/useYield: an answer without pieces.
  on("turn.step", async function* (_, e) {
    return { turnId: e.turnId, index: e.index, answer: "", toolUses: [], stopReason: "tool_use", usage: null };
  });
  return kept;
}

/** The kit does not store rows: only what reaches the end of the chain counts. */
const row = ($, e) => $.session.append(e).catch(() => undefined);

/** One request to the model. */
async function step($) {
  const stream = $.turn.step({ turnId: "turn", index: 0, model: "claude-test", messageCount: 1 });
  while (!(await stream.next()).done);
}

const known = id => ({
  role: "assistant",
  text: "",
  toolUses: [{ tool_use_id: id, tool: "Bash", input: {}, text: TEXT }],
});

/** A text occurs twice, in a conversation that contains it. */
async function readTwice($, messages) {
  await row($, call("toolu_1"));
  await row($, result("toolu_1", TEXT));
  messages.push(known("toolu_1"));
  await step($);
  await row($, call("toolu_2"));
  await row($, result("toolu_2", TEXT));
}

test("a result that the conversation contains becomes a hint", LIMIT, async ($, on) => {
  const messages = [];
  const kept = answerFor(on, messages);
  await readTwice($, messages);
  expect(kept[0]).toBe(TEXT);
  expect(kept[1]).toMatch(/^> \[ref: toolu_1, byte-identical/);
});

test("a result that the conversation no longer contains does not", LIMIT, async ($, on) => {
  const kept = answerFor(on, []);
  await row($, call("toolu_1"));
  await row($, result("toolu_1", TEXT));
  await step($);
  await row($, call("toolu_2"));
  await row($, result("toolu_2", TEXT));
  expect(kept).toEqual([TEXT, TEXT]);
});

test("no hint is written into a file", LIMIT, async ($, on) => {
  answerFor(on, [known("toolu_1")]);
  await row($, call("toolu_1"));
  const content = "first\n> [ref: toolu_1 lines 2-9]\nlast";
  expect((await $.tool.call({ tool: "Write", file_path: "/work/b.txt", content })).deny).toMatch(/write those lines/);
  expect(await $.tool.call({ tool: "Write", file_path: "/work/b.txt", content: "first" })).toEqual({ result: "ok" });
});

const PANE = {
  plugin: "dedup-inspector",
  component: "Pane",
  requestId: "dedup",
  viewport: { columns: 100, rows: 30 },
  props: {
    title: "Dedup",
    isFocused: false,
    bodyColumns: 60,
    placement: "inline",
    scroll: { offset: 0, bodyRows: 10 },
    view: {},
  },
};

test(
  "the pane shows the session's figures and results, in the terminal and in the Desktop app",
  LIMIT,
  async ($, on) => {
    const messages = [];
    answerFor(on, messages);
    on("session.usage", () => ({ value: { context: { tokens: 1, window: 200_000, percent: 1 } } }));
    await readTwice($, messages);
    for (const surface of ["terminal", "desktop"]) {
      const ui = await $.ui.mount({ ...PANE, surface });
      expect(await ui.find({ type: "Text", text: /^Saved so far/ })).toBeDefined();
      expect(await ui.find({ type: "Text", text: /live hint to call 1/ })).toBeDefined();
      await ui.unmount();
    }
  },
);

test("/dedup opens the pane, or prints the same without an interface", LIMIT, async ($, on) => {
  let isPlaced = true;
  answerFor(on, []);
  on("session.usage", () => ({ value: { context: {} } }));
  on("session.surfaces", () => ({ value: ["terminal"] }));
  on("ui.open", () => ({ value: isPlaced ? { isPlaced } : { isPlaced, reason: "no surface" } }));
  on("ui.close", () => ({ value: undefined }));
  mock.clock(on);
  expect(await $.command.run({ command: "dedup", args: "" })).toEqual({});
  expect(await $.command.run({ command: "dedup", args: "" })).toEqual({});
  isPlaced = false;
  const { text } = await $.command.run({ command: "dedup", args: "" });
  expect(text).toMatch(/Could save +0 tokens/);
});
