/** The text that explains live hints to the model, once. It is in the log, so its cost can be counted. */
import { membersOf, stringsOf } from "./record.js";

const START = "Tool output `> [ref: ID";

export const EXPLANATION = `${START}, byte-identical, from: CALL]\` means: exactly what that earlier call returned, still above. Repeat the call to get it in full.`;

/** Used if runs of lines are replaced too. */
export const SPAN_EXPLANATION = `${START}]\` means: exactly what that earlier call returned, still above; with \`lines A-B\`: those of it. Repeat the call to get all.`;

/** Whether a text contains either of them. */
export function isExplained(text: string): boolean {
  return text.includes(START);
}

/** How many characters of explanation an attachment added to the context. */
export function explanationIn(attachment: unknown): number {
  const { type, content } = membersOf(attachment);
  if (type !== "hook_additional_context") return 0;
  return stringsOf(content)
    .filter(text => text.startsWith(START))
    .reduce((sum, text) => sum + text.length, 0);
}
