// An MCP server that never sends the same text twice: `node examples/mcp-server.mjs FOLDER` serves the notes in a
// folder, and replaces a repeated result with one line that names the earlier call.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { DedupCache, fingerprint, hintWithin, isTooShort } from "dedup-inspector";
import { z } from "zod";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node examples/mcp-server.mjs FOLDER");
  process.exit(2);
}
await mkdir(folder, { recursive: true });
const fileOf = name => join(folder, `${name}.md`);

/** What the model has received in full. */
const cache = new DedupCache(5);
let answers = 0;

/**
 * A result: the text, or a hint if the model has received exactly this text before. A server does not learn about
 * compactions and subagents, so `full` is always available to a model that cannot find what a hint refers to.
 */
function answer(text, call, full, { _meta }) {
  const held = cache.check(fingerprint(text));
  if (held !== undefined && !full && !isTooShort(text.length, held.id)) {
    return { content: [{ type: "text", text: hintWithin(text.length, held, "located") }] };
  }
  answers++;
  // A hint must name something that the model can see. Claude Code sends its id for the call; for other clients, the
  // result gets a name of our own below the text.
  const known = _meta?.["claudecode/toolUseId"];
  const entry = { ...call, id: known ?? `answer-${answers}`, fingerprint: fingerprint(text) };
  if (held === undefined) cache.insert(entry);
  else cache.replace(held, entry);
  const name = known === undefined ? [{ type: "text", text: `[${entry.id}]` }] : [];
  return { content: [{ type: "text", text }, ...name] };
}

const server = new McpServer(
  { name: "notes", version: "1.0.0" },
  {
    instructions:
      "A result that is one line, `> [ref: ID, byte-identical, …]`, stands for the text that the call ID has returned " +
      "before. If you no longer have that text, call again with `full: true`.",
  },
);
const name = z.string().regex(/^[\w-]{1,64}$/);
const full = z.boolean().default(false).describe("the whole text, even if it was returned before");

server.registerTool(
  "list_notes",
  { description: "The names of all notes", inputSchema: { full } },
  async (input, extra) => {
    const names = (await readdir(folder))
      .filter(file => file.endsWith(".md"))
      .map(file => file.slice(0, -".md".length));
    return answer(names.sort().join("\n"), { tool: "list_notes", kind: "other" }, input.full, extra);
  },
);

server.registerTool(
  "read_note",
  { description: "A note's text", inputSchema: { name, full } },
  async (input, extra) => {
    const path = fileOf(input.name);
    const call = { tool: "read_note", kind: "read", path, target: input.name };
    return answer(await readFile(path, "utf8"), call, input.full, extra);
  },
);

server.registerTool(
  "write_note",
  { description: "Writes a note", inputSchema: { name, text: z.string() } },
  async input => {
    await writeFile(fileOf(input.name), input.text);
    // Earlier reads are stale now, even if the note should one day say the same again.
    cache.invalidateFile(fileOf(input.name));
    cache.invalidateByTool(["list_notes"]);
    return { content: [{ type: "text", text: `written: ${input.name}` }] };
  },
);

await server.connect(new StdioServerTransport());
