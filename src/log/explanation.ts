/** The line that tells a model once what live hints are. The log holds it, so that its cost can be counted. */
import { membersOf, stringsOf } from "./record.js";

const BEGINNING = "Tool output `> [ref: ID";

export const EXPLANATION = `${BEGINNING}, byte-identical, from: CALL]\` means: exactly what that earlier call returned, still above. Repeat the call to get it in full.`;

/** Where runs of lines are replaced too. */
export const SPAN_EXPLANATION = `${BEGINNING}]\` means: exactly what that earlier call returned, still above; with \`lines A-B\`: those of it. Repeat the call to get all.`;

/** How many characters of explanation an attachment brought into the context; 0 for any other. */
export function explanationIn(attachment: unknown): number {
  const { type, content } = membersOf(attachment);
  if (type !== "hook_additional_context") return 0;
  return stringsOf(content)
    .filter(text => text.startsWith(BEGINNING))
    .reduce((sum, text) => sum + text.length, 0);
}
