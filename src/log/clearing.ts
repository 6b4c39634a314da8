/** How the log tells that results were cleared from the context. */
import { listOf, type Members, membersOf, stringsOf } from "./record.js";

/** The calls whose results an attachment cut after a long rest; undefined where it did no such thing. */
export function cutResults(attachment: unknown): string[] | undefined {
  const { type, callIds } = membersOf(attachment);
  return type === "tool_results_cut" ? stringsOf(callIds) : undefined;
}

/** Whether the API itself cleared results before it answered: it says how many, but not which. */
export function clearsResults(message: Members): boolean {
  return listOf(membersOf(message["context_management"])["applied_edits"]).some(edit => {
    const { type, cleared_tool_uses: cleared } = membersOf(edit);
    return (
      typeof type === "string" && type.startsWith("clear_tool_uses_") && typeof cleared === "number" && cleared > 0
    );
  });
}
