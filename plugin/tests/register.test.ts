// Run by `claude plugin test plugin`, in Claude Code's own engine for mods: the build must have put dist/register.js there.
import { expect, test } from "claude-code/testing";

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

const said = ({ message }) => message.content[0].content;

/** As Claude Code answers while nothing was said. */
function answerFor(on, messages) {
  on("session.append", (_, e) => ({ message: e.message, uuid: e.uuid }));
  on("session.messages", () => ({ value: messages }));
  on("session.cwd", () => ({ value: "/work" }));
  on("env.set", () => ({ value: undefined }));
  on("ui.log", () => ({ value: undefined }));
  on("tool.call", () => ({ result: "ok" }));
}

const known = id => ({
  role: "assistant",
  text: "",
  toolUses: [{ tool_use_id: id, tool: "Bash", input: {}, text: TEXT }],
});

test("a result that the conversation holds becomes a hint", async ($, on) => {
  const messages = [];
  answerFor(on, messages);
  await $.session.append(call("toolu_1"));
  expect(said(await $.session.append(result("toolu_1", TEXT)))).toBe(TEXT);
  messages.push(known("toolu_1"));
  await $.session.append({ ...call("toolu_2"), uuid: "aside" });
  await $.session.append(result("toolu_2", "aside"));
  await $.session.append(call("toolu_3"));
  expect(said(await $.session.append(result("toolu_3", TEXT)))).toMatch(/^> \[ref: toolu_1[, ]/);
});

test("a result that the conversation no longer holds does not", async ($, on) => {
  answerFor(on, []);
  await $.session.append(call("toolu_1"));
  await $.session.append(result("toolu_1", TEXT));
  await $.session.append(call("toolu_2"));
  expect(said(await $.session.append(result("toolu_2", TEXT)))).toBe(TEXT);
});

test("no hint is written into a file", async ($, on) => {
  answerFor(on, [known("toolu_1")]);
  await $.session.append(call("toolu_1"));
  const content = "first\n> [ref: toolu_1 lines 2-9]\nlast";
  expect((await $.tool.call({ tool: "Write", file_path: "/work/b.txt", content })).deny).toMatch(/write those lines/);
  expect(await $.tool.call({ tool: "Write", file_path: "/work/b.txt", content: "first" })).toEqual({ result: "ok" });
});
