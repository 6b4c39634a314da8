import type { LogText } from "../../log/heldText.js";
import { isShell } from "../../log/tools.js";

const LISTING_TOOLS: ReadonlySet<string> = new Set(["Grep", "Glob"]);
// Not `^`, which also matches after a carriage return, where no line begins: from each of them, the path could extend to
// the end of the text.
/** `PATH:NUMBER:` at the start of a line, with or without a drive letter. */
const MATCH = /(?<![^\n])(?:[A-Za-z]:)?[^\s:][^:\n]*:\d+:/g;
/** The end of a hunk's header is searched for once, before anything that may need backtracking. */
const DIFF = /(?<![^\n])(?:diff --git |@@ -\d(?=[^@\n]* @@)[^@\n]*? \+\d)/;

/**
 * Whether people count or compare the lines of a result: lists of matches, and diffs. A hint in the middle of them
 * would be misleading, so they are replaced whole or not at all.
 */
export function isWholeOrNothing(tool: string, text: LogText): boolean {
  if (LISTING_TOOLS.has(tool)) return true;
  const cut = typeof text === "string" ? undefined : text.cut();
  const mayHoldMatches = isShell(tool) && cut?.mayHoldMatches !== false;
  if (!mayHoldMatches && cut?.mayHoldDiff === false) return false;
  const string = text.toString();
  return DIFF.test(string) || (mayHoldMatches && isListOfMatches(string));
}

function isListOfMatches(text: string): boolean {
  const matches = text.match(MATCH)?.length ?? 0;
  if (matches === 0) return false;
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return 2 * matches >= lines;
}
