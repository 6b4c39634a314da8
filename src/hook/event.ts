/** What Claude Code passes to a hook on stdin. Not trusted: the hook does nothing for unexpected input. */
import { join } from "node:path";

export interface HookEvent {
  readonly name: string;
  readonly session: string;
  /** The log of the conversation that the event belongs to: the session's, or the subagent's. */
  readonly log: string;
  /** SessionStart: "startup", "resume", "clear", "compact" or "fork". */
  readonly source: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the tool returned, in the tool's own shape. */
  readonly response: unknown;
  /** The call's id, as in the log. */
  readonly call: string;
  readonly cwd: string | undefined;
}

/** Undefined for anything that is not an event with a log. */
export function readEvent(value: unknown): HookEvent | undefined {
  const event = value as Record<string, unknown> | null;
  const name = textOf(event?.["hook_event_name"]);
  const transcript = textOf(event?.["transcript_path"]);
  if (!event || !name || !transcript.endsWith(".jsonl")) return undefined;
  const input = event["tool_input"];
  return {
    name,
    session: textOf(event["session_id"]),
    log: logOf(transcript, event["agent_id"]),
    source: textOf(event["source"]),
    tool: textOf(event["tool_name"]),
    input: typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {},
    response: event["tool_response"],
    call: textOf(event["tool_use_id"]),
    cwd: textOf(event["cwd"]) || undefined,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Even in a subagent, the event names the session's log; the subagent's own log is in a folder next to it. */
function logOf(transcript: string, agent: unknown): string {
  if (typeof agent !== "string" || agent === "") return transcript;
  // It must not lead out of the folder.
  if (/[\\/]|^\.+$/.test(agent)) throw new Error("the subagent's id is not a name");
  return join(transcript.slice(0, -".jsonl".length), "subagents", `agent-${agent}.jsonl`);
}
