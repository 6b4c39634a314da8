/** Keeps hints out of files with settings hooks, too: refuses calls that would write one. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { refusalOf } from "../dedup/hintGuard.js";
import { readBytes, withOpenFile } from "../files/openFile.js";
import { agentOfFile } from "../log/sessionFiles.js";
import type { HookEvent } from "./event.js";

/** Claude Code's answer for a refused call; undefined if it may run. */
export function refusal({ tool, input, log }: HookEvent): object | undefined {
  // The logs are only searched if an input looks like a hint, and each once.
  const reason = refusalOf(tool, input, ids => {
    for (const one of logsOf(log)) {
      const known = firstIn(one, ids);
      if (known !== undefined) return known;
    }
    return undefined;
  });
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

/** Which of the ids a log has first; undefined for none, or if the log cannot be read. */
function firstIn(log: string, ids: ReadonlySet<string>): string | undefined {
  // One character per byte, like the log.
  const written = new Map(Array.from(ids, id => [Buffer.from(id).toString("latin1"), id]));
  try {
    return withOpenFile(log, (file, { size }) => {
      let found: string | undefined;
      let before = "";
      readBytes(file, 0, size, bytes => {
        const piece = before + bytes.toString("latin1");
        found ??= idIn(piece, written);
        before = piece.slice(-MAX_NAMED_CHARS);
      });
      return found;
    });
  } catch {
    return undefined;
  }
}

const BEFORE_ID = 'id":"';
/** Far more than an id of Claude Code's takes, with what is before and behind it. */
const MAX_NAMED_CHARS = 1024;

function idIn(piece: string, written: ReadonlyMap<string, string>): string | undefined {
  for (let at = piece.indexOf(BEFORE_ID); at >= 0; at = piece.indexOf(BEFORE_ID, at + 1)) {
    const begin = at + BEFORE_ID.length;
    const end = piece.indexOf('"', begin);
    const id = end < 0 ? undefined : written.get(piece.slice(begin, end));
    if (id !== undefined) return id;
  }
  return undefined;
}
