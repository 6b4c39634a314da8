/** Claude Code's status line in the text of its settings file. Only one program can provide it. */
import { memberOf, propertyOf, withChild, withoutChildren } from "./jsonEdit.js";
import { rootOf } from "./liveHooks.js";
import { isCommandWith, programCommand } from "./programCommand.js";

const ARGUMENTS = ["statusline"];
const MEMBER = "statusLine";

/** The file has a status line that is not ours. */
export class OtherStatusLine extends Error {}

/** The text with our status line; unchanged if it already has it. Throws if it has another one. */
export function withStatusLine(text: string): string {
  if (hasStatusLine(text)) return text;
  const root = rootOf(text);
  if (propertyOf(root, MEMBER) !== undefined) throw new OtherStatusLine("it has a status line of its own");
  return withChild(text, root, { type: "command", command: programCommand(ARGUMENTS) }, 1, MEMBER);
}

/** The text without our status line; other ones stay. */
export function withoutStatusLine(text: string): string {
  const property = propertyOf(rootOf(text), MEMBER);
  return property !== undefined && hasStatusLine(text) ? withoutChildren(text, new Set([property])) : text;
}

function hasStatusLine(text: string): boolean {
  const command: unknown = memberOf(memberOf(rootOf(text), MEMBER), "command")?.value;
  return typeof command === "string" && isCommandWith(command, args => String(args) === String(ARGUMENTS));
}
