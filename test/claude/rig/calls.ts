/** Calls that most scripts use. */
import { type ToolUse, type Turn, turn, use } from "./api.js";

/** A text worth a hint, for a file that is read more than once. */
export const TEXT = `${Array.from({ length: 40 }, (_, index) => `line ${index} of a file that is read more than once`).join("\n")}\n`;

export function bash(command: string): ToolUse {
  return use("Bash", { command });
}

/** Reads the file that a test has written as `a.txt`. */
export function cat(): ToolUse {
  return bash("cat a.txt");
}

/** Between two equal calls: otherwise the second would count as a re-ask. */
export function aside(): Turn {
  return turn(bash("echo aside"));
}
