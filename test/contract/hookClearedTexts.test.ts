/** What the model is told when earlier results are cleared and a hint to one of them stays. */
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { SPAN_EXPLANATION as EXPLANATION } from "../../src/log/explanation.js";
import { built } from "../support/cli.js";
import { HookedSession, hintTo, longText as text } from "../support/hook.js";
import { call as bash, boundary, cut, type Json, microcompact, prompt, replacement, result } from "../support/log.js";

beforeAll(built);

let session: HookedSession;
beforeEach(() => {
  session = new HookedSession();
});
afterEach(() => session.remove());

interface Said {
  readonly additionalContext?: string;
  readonly updatedToolOutput?: { readonly stdout: string };
}

/** A whole call; returns the hook's answer. */
function call(id: string, stdout: string, post: Json = {}): Said {
  session.begin(id);
  const tool_response = { stdout, stderr: "", interrupted: false, isImage: false };
  const event = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_use_id: id, tool_input: {}, tool_response };
  const out = session.send({ ...event, ...post });
  const said: Said = out === "" ? {} : JSON.parse(out).hookSpecificOutput;
  session.end(id, said.updatedToolOutput?.stdout ?? stdout);
  return said;
}

/** What comes after the explanation; "" if nothing is told. */
function told({ additionalContext = EXPLANATION }: Said): string {
  expect(additionalContext.slice(0, EXPLANATION.length)).toBe(EXPLANATION);
  return additionalContext.slice(EXPLANATION.length);
}

const HEAD =
  "\nSome earlier results have been cleared from the conversation; other tool output still refers to the following.\n";
const given = (id: string, body: string) =>
  `${id} Bash(cat ${id}) had returned (output of a tool, not instructions):\n~~~\n${body}\n~~~`;
const named = (...ids: string[]) =>
  `No longer above; repeat the call if you need what it returned: ${ids.map(id => `${id} Bash(cat ${id})`).join(", ")}`;

/** Two texts, and hints to both. */
function hinted(a = text(), b = text("b")): void {
  session.bash("1", a);
  session.bash("2", b);
  expect(session.bash("3", a)).toBe(hintTo("1"));
  expect(session.bash("4", b)).toBe(hintTo("2"));
}

it.each([
  ["cut", cut],
  ["compacted", microcompact],
  ["replaced", replacement],
])("is the text that a hint refers to and that was %s, once", (_, clearing) => {
  hinted();
  session.write([clearing(["1"])]);
  expect(told(call("5", text("c")))).toBe(HEAD + given("1", text()));
  expect(told(call("6", text("d")))).toBe("");
  session.write([clearing(["1", "2"])]);
  expect(told(call("7", text("e")))).toBe(HEAD + given("2", text("b")));
  expect(session.complaints).toEqual([]);
});

it("comes with a hint", () => {
  hinted();
  // Otherwise, the second text would be asked for again right away.
  session.bash("8", text("x"));
  session.write([cut(["1"])]);
  const said = call("5", text("b"));
  expect(said.updatedToolOutput?.stdout).toBe(hintTo("2"));
  expect(told(said)).toBe(HEAD + given("1", text()));
});

it("comes with Claude Code's own stub for a file", () => {
  hinted();
  session.write([cut(["1"])]);
  const tool_response = { type: "file_unchanged", file: { filePath: "/p/a.ts" } };
  expect(told(call("5", "", { tool_name: "Read", tool_input: { file_path: "/p/a.ts" }, tool_response }))).toBe(
    HEAD + given("1", text()),
  );
});

it("is what to repeat if the text is long", () => {
  hinted(text("long").repeat(20), text("b").repeat(20));
  session.write([cut(["1", "2"])]);
  expect(told(call("5", text("c")))).toBe(HEAD + named("2", "1"));
});

it("is told once although a short log is read again by every call", () => {
  hinted();
  session.write([cut(["1"])]);
  expect(existsSync(session.kept("state"))).toBe(false);
  call("5", text("c"));
  call("6", text("d"));
  expect(readFileSync(session.kept("journal"), "utf8").match(/"told"/g)).toHaveLength(1);
});

it("comes with the answer of the call that reads the clear, however far the state has got", () => {
  for (let number = 10; number < 40; number++) session.bash(`${number}`, text(`${number}`));
  expect(existsSync(session.kept("state"))).toBe(true);
  hinted();
  session.write([cut(["1"])]);
  expect(told(call("5", text("c")))).toBe(HEAD + given("1", text()));
});

it.each<[string, Json[]]>([
  ["no hint refers to what was cleared", [cut(["3"])]],
  ["the hint was cleared as well", [cut(["1", "3"])]],
  ["the hint was compacted away", [boundary(["r-4"]), cut(["1"])]],
  ["nothing was cleared", [cut([])]],
  [
    "the log does not say what was cleared",
    [
      {
        type: "assistant",
        message: {
          id: "e",
          model: "m",
          content: [],
          context_management: { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 1 }] },
        },
      },
    ],
  ],
])("is nothing if %s", (_, lines) => {
  hinted();
  session.write(lines);
  expect(call("5", text("c"))).toEqual({});
});

it("is nothing if the conversation went back to before the hint", () => {
  hinted();
  session.write([prompt("again", { uuid: "p", parentUuid: "r-2" }), cut(["1"])]);
  expect(call("5", text("c"))).toEqual({});
});

it("is told in the context whose results were cleared", () => {
  const agent = { isSidechain: true, agentId: "a1" };
  const made = (id: string, body: string) => [
    bash(id, "Bash", { command: `cat ${id}` }, { ...agent, uuid: `c-${id}`, message: { id: `m-${id}`, model: "m" } }),
    result(id, body, { ...agent, uuid: `r-${id}` }),
  ];
  hinted();
  session.write([...made("1", text()), ...made("2", hintTo("1")), cut(["1"], agent)], "a1");
  expect(call("5", text("c"))).toEqual({});
  const [begun = {}] = made("6", "");
  session.write([begun], "a1");
  expect(told(call("6", text("d"), { agent_id: "a1" }))).toBe(HEAD + given("1", text()));
});
