/** Keeps hints out of files and away from models without the text that they name: refuses calls that would copy them. */
import { isMcp, isShell, kindOfTool } from "../log/tools.js";

/** The start of every hint line, anywhere in a text. */
const HINT = /> \[(?:near-)?ref: ([^\s,\]]+)/g;

/** A server may write files or pass texts on; another agent has nothing of this conversation. */
function passesTextsOn(tool: string): boolean {
  return isMcp(tool) || ["Agent", "Task", "SendMessage"].includes(tool);
}

/**
 * Why the call is refused; undefined if it may run. `knownOf`: which of these ids, at least one, names a call of this
 * conversation. It is asked once, because looking for ids may take long and an input may have any number of them.
 */
export function refusalOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  knownOf: (ids: ReadonlySet<string>) => string | undefined,
): string | undefined {
  if (kindOfTool(tool) !== "mutate" && !isShell(tool) && !passesTextsOn(tool)) return undefined;
  const ids = hintedIn(input);
  const id = ids.size === 0 ? undefined : knownOf(ids);
  if (id === undefined) return undefined;
  return `Nothing was run: the input holds a \`> [ref: ${id}\` line, which only stands for lines of an earlier result; write those lines themselves.`;
}

/** The ids that lines like hints name. Without recursion: an input may be nested more deeply than the stack is. */
function hintedIn(input: unknown): ReadonlySet<string> {
  const ids = new Set<string>();
  // Grows during the iteration.
  const values = new Set([input]);
  for (const value of values) {
    if (typeof value === "string") {
      if (value.includes("ref: ")) for (const [, id = ""] of value.matchAll(HINT)) ids.add(id);
    } else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) values.add(member);
    }
  }
  return ids;
}
