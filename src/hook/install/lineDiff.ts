/** A change for display: the removed and added lines, with some context. */
import type { Change } from "./installer.js";

const CONTEXT_LINES = 2;

export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** One hunk is enough: our changes are close together. */
export function lineDiff({ before, after }: Change): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  const maxEnd = Math.min(old.length, fresh.length) - start;
  while (end < maxEnd && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const signed = (sign: DiffLine["sign"], lines: string[]) => lines.map(text => ({ sign, text }));
  return [
    ...signed(" ", old.slice(Math.max(0, start - CONTEXT_LINES), start)),
    ...signed("-", old.slice(start, old.length - end)),
    ...signed("+", fresh.slice(start, fresh.length - end)),
    ...signed(" ", old.slice(old.length - end, old.length - end + CONTEXT_LINES)),
  ];
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
