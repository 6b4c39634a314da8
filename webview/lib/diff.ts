/** A line diff for the page's own Compare view. VS Code shows its diff editor instead. */
import { diffArrays } from "diff";

export interface DiffSide {
  readonly number: number;
  readonly text: string;
}

export interface DiffRow {
  readonly kind: "same" | "changed";
  readonly left: DiffSide | null;
  readonly right: DiffSide | null;
}

export interface Diff {
  readonly rows: readonly DiffRow[];
  readonly removed: number;
  readonly added: number;
  /** The texts were too different for a line diff: only their common beginning and end are matched. */
  readonly coarse: boolean;
}

/** Lines that are in both texts, but in a different order. The time is quadratic in their number. */
const MAX_MOVED_LINES = 2000;
/** For texts that repeat a few lines so often that even a small change has very many possible matches. */
const MAX_MS = 500;

export function diffLines(leftText: string, rightText: string): Diff {
  const left = leftText.split("\n");
  const right = rightText.split("\n");
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  const pairs = commonPairs(left.slice(start, leftEnd), right.slice(start, rightEnd));
  const rows: DiffRow[] = [];
  const side = (lines: readonly string[], index: number): DiffSide => ({ number: index + 1, text: lines[index] ?? "" });
  const same = (l: number, r: number) => rows.push({ kind: "same", left: side(left, l), right: side(right, r) });
  let [l, r, removed, added] = [0, 0, 0, 0];
  for (; l < start; l++, r++) same(l, r);
  const changeUpTo = (toLeft: number, toRight: number) => {
    removed += toLeft - l;
    added += toRight - r;
    while (l < toLeft || r < toRight) {
      const row = { left: l < toLeft ? side(left, l) : null, right: r < toRight ? side(right, r) : null };
      rows.push({ kind: "changed", ...row });
      l = Math.min(toLeft, l + 1);
      r = Math.min(toRight, r + 1);
    }
  };
  for (const [pairLeft, pairRight] of pairs ?? []) {
    changeUpTo(start + pairLeft, start + pairRight);
    same(l++, r++);
  }
  changeUpTo(leftEnd, rightEnd);
  for (; l < left.length; l++, r++) same(l, r);
  return { rows, removed, added, coarse: pairs === undefined };
}

/** The longest common subsequence, as pairs of indices; undefined if finding it would take too long. */
function commonPairs(left: readonly string[], right: readonly string[]): [number, number][] | undefined {
  // Lines that are in one text only match nothing and would just cost time.
  const leftShared = indicesOfShared(left, right);
  const rightShared = indicesOfShared(right, left);
  const parts = diffArrays(
    leftShared.map(index => left[index]),
    rightShared.map(index => right[index]),
    { maxEditLength: MAX_MOVED_LINES, timeout: MAX_MS },
  );
  if (parts === undefined) return undefined;
  const pairs: [number, number][] = [];
  let [l, r] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (added) r += count;
    else if (removed) l += count;
    else for (const end = l + count; l < end; ) pairs.push([leftShared[l++] ?? 0, rightShared[r++] ?? 0]);
  }
  return pairs;
}

function indicesOfShared(lines: readonly string[], others: readonly string[]): number[] {
  const known = new Set(others);
  return lines.flatMap((line, index) => (known.has(line) ? index : []));
}
