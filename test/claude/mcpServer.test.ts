/** The MCP server example in the real Claude Code: checks what the example relies on about calls. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { REPOSITORY } from "../support/replay.js";
import { turn, use } from "./rig/api.js";
import { TEXT } from "./rig/calls.js";
import { outcomesOf, resultsIn } from "./rig/requests.js";
import { Workplace } from "./rig/workplace.js";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  mkdirSync(place.file("notes"));
  place.write("notes/long.md", TEXT);
});
afterEach(() => place.remove());

it("answers with hints that name calls of the conversation, and in full once a note has been written", async () => {
  const server = {
    command: process.execPath,
    args: [join(REPOSITORY, "examples", "mcp-server.mjs"), place.file("notes")],
  };
  const config = place.write("mcp.json", JSON.stringify({ mcpServers: { notes: server } }));
  const read = (more: object = {}) => use("mcp__notes__read_note", { name: "long", ...more });
  const write = use("mcp__notes__write_note", { name: "long", text: TEXT });
  const calls = [read(), read(), read({ full: true }), read(), write, read()] as const;
  const { requests } = await place.play({ main: calls.map(call => turn(call)) }, { args: ["--mcp-config", config] });
  expect(outcomesOf(requests, calls)).toEqual(["full", "= 1", "full", "= 3", "full", "full"]);
  const last = requests.findLast(({ conversation }) => conversation === "main");
  expect(last && resultsIn(last).get(calls[0].id)).toBe(TEXT);
});
