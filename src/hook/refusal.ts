/** Keeps hints out of files with settings hooks, too: refuses calls that would write one. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { refusalOf } from "../dedup/hintGuard.js";
import { readBytes, withOpenFile } from "../files/openFile.js";
import { agentOfFile } from "../log/sessionFiles.js";
import type { HookEvent } from "./event.js";

/** Claude Code's answer for a refused call; undefined if it may run. */
export function refusal({ tool, input, log }: HookEvent): object | undefined {
  // The logs are only searched if an input looks like a hint.
  const reason = refusalOf(tool, input, id => logsOf(log).some(one => isInLog(one, id)));
  if (reason === undefined) return undefined;
  return { permissionDecision: "deny", permissionDecisionReason: reason };
}

/** All logs of a log's session: texts are passed between subagents and the main conversation. */
function logsOf(log: string): string[] {
  const isSubagent = agentOfFile(log) !== undefined;
  const folder = isSubagent ? dirname(log) : join(log.slice(0, -".jsonl".length), "subagents");
  return [...new Set([log, `${dirname(folder)}.jsonl`, ...subagentsIn(folder)])];
}

function subagentsIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap(name => (name.endsWith(".jsonl") ? join(folder, name) : []));
  } catch {
    return [];
  }
}

/** Whether a log has a call with this id; false if it cannot be read. */
function isInLog(log: string, id: string): boolean {
  const named = `id":${JSON.stringify(id)}`;
  try {
    return withOpenFile(log, (file, { size }) => {
      let isFound = false;
      let before = Buffer.alloc(0);
      readBytes(file, 0, size, bytes => {
        const piece = Buffer.concat([before, bytes]);
        isFound ||= piece.includes(named);
        before = piece.subarray(-Buffer.byteLength(named));
      });
      return isFound;
    });
  } catch {
    return false;
  }
}
