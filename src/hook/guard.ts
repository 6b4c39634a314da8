/** No hint gets into a file through the settings hooks either: calls that would write one are refused. */
import { refusalOf } from "../dedup/guard.js";
import { readBytes, withOpenFile } from "../files/openFile.js";
import type { HookEvent } from "./event.js";

/** Claude Code's answer for a call that is refused; undefined where it may run. */
export function refusal({ tool, input, log }: HookEvent): object | undefined {
  const reason = refusalOf({ ...input, tool }, id => isInLog(log, id));
  if (reason === undefined) return undefined;
  return { permissionDecision: "deny", permissionDecisionReason: reason };
}

/** Whether the log has a call with this id: searched for only where an input looks like a hint. */
function isInLog(log: string, id: string): boolean {
  const named = `id":${JSON.stringify(id)}`;
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
}
