/** What Claude Code tells a hook on stdin. It is untrusted: whatever is not as expected makes the hook stay silent. */
import { join } from "node:path";

export interface HookEvent {
  readonly name: string;
  readonly session: string;
  /** The log of the conversation that the event belongs to: the session's own, or the subagent's. */
  readonly log: string;
  /** SessionStart: "startup", "resume", "clear", "compact" or "fork". */
  readonly source: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the tool gave, in the tool's own shape. */
  readonly response: unknown;
  /** The call's id, as it stands in the log. */
  readonly call: string;
  readonly cwd: string | undefined;
}

/** Undefined where it is no event that names its log. */
export function readEvent(told: unknown): HookEvent | undefined {
  const event = told as Record<string, unknown> | null;
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

/** In a subagent the event still names the session's log; the subagent's own lies in a folder beside it. */
function logOf(transcript: string, agent: unknown): string {
  if (typeof agent !== "string" || agent === "") return transcript;
  // An id that leads elsewhere is none.
  if (/[\\/]|^\.+$/.test(agent)) throw new Error("the subagent's id is not a name");
  return join(transcript.slice(0, -".jsonl".length), "subagents", `agent-${agent}.jsonl`);
}
