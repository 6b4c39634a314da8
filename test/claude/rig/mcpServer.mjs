// An MCP server over stdio with one tool, `status`, which always returns the same.
import { createInterface } from "node:readline";

const text = "one line of a status that does not change\n".repeat(20);
const tool = { name: "status", description: "The status", inputSchema: { type: "object", properties: {} } };

function answer({ method, params }) {
  if (method === "tools/list") return { tools: [tool] };
  if (method === "tools/call") return { content: [{ type: "text", text }] };
  if (method !== "initialize") return {};
  const serverInfo = { name: "board", version: "1" };
  return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

createInterface({ input: process.stdin }).on("line", line => {
  const request = JSON.parse(line);
  if (request.id === undefined) return;
  console.log(JSON.stringify({ jsonrpc: "2.0", id: request.id, result: answer(request) }));
});
