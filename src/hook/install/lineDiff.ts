/** A change as a person reads it: the lines that go and come, with a little around them. */
import type { Change } from "./installer.js";

const AROUND = 2;

export interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** One piece is enough: what we write stands together, or nearly so. */
export function lineDiff({ before, after }: Change): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const signed = (sign: DiffLine["sign"], lines: string[]) => lines.map(text => ({ sign, text }));
  return [
    ...signed(" ", old.slice(Math.max(0, start - AROUND), start)),
    ...signed("-", old.slice(start, old.length - end)),
    ...signed("+", fresh.slice(start, fresh.length - end)),
    ...signed(" ", old.slice(old.length - end, old.length - end + AROUND)),
  ];
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
