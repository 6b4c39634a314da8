/** No hint gets into a file through the settings hooks either: calls that would write one are refused. */
import { fstatSync } from "node:fs";
import { refusalOf } from "../dedup/guard.js";
import { readBytes, withOpenFile } from "../files/openFile.js";
import type { HookEvent } from "./event.js";

/** Claude Code's answer for a call that is refused; undefined where it may run. */
export function refusal({ tool, input, log }: HookEvent): object | undefined {
  const reason = refusalOf({ ...input, tool }, id => isInLog(log, JSON.stringify(id)));
  if (reason === undefined) return undefined;
  return { permissionDecision: "deny", permissionDecisionReason: reason };
}

/** Whether the log has the id anywhere, as a value: only for texts that look like hints it is searched at all. */
function isInLog(log: string, id: string): boolean {
  return withOpenFile(log, file => {
    const { size } = fstatSync(file);
    let isFound = false;
    let before = Buffer.alloc(0);
    readBytes(file, 0, size, bytes => {
      const piece = Buffer.concat([before, bytes]);
      isFound ||= piece.includes(id);
      before = piece.subarray(-id.length);
    });
    return isFound;
  });
}
