/** Keeps hints out of files and away from models without the text that they name: refuses calls that would copy them. */
import { isShell, kindOfTool } from "../log/tools.js";

/** The start of every hint line, anywhere in a text. */
const HINT = /> \[(?:near-)?ref: ([^\s,\]]+)/g;

/** A server may write files or pass texts on; a subagent has nothing of this conversation. */
const PASSES_TEXTS_ON = /^(?:mcp__.*|Agent|Task)$/s;

/** Why the call is refused; undefined if it may run. `isKnown`: whether an id names a call of this conversation. */
export function refusalOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  isKnown: (id: string) => boolean,
): string | undefined {
  if (kindOfTool(tool) !== "mutate" && !isShell(tool) && !PASSES_TEXTS_ON.test(tool)) return undefined;
  const id = hintedIn(input, isKnown);
  if (id === undefined) return undefined;
  return `Nothing was run: the input holds a \`> [ref: ${id}\` line, which only stands for lines of an earlier result; write those lines themselves.`;
}

function hintedIn(value: unknown, isKnown: (id: string) => boolean): string | undefined {
  if (typeof value === "string") {
    if (!value.includes("ref: ")) return undefined;
    for (const [, id] of value.matchAll(HINT)) if (id !== undefined && isKnown(id)) return id;
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const member of Object.values(value)) {
    const id = hintedIn(member, isKnown);
    if (id !== undefined) return id;
  }
  return undefined;
}
