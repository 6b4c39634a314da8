/** A line by line comparison of two texts, for the page's own Compare. VS Code has a better one of its own. */

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
  /** The middle parts were too large to be matched line by line. */
  readonly coarse: boolean;
}

/** A table of so many cells takes some tens of milliseconds and 16 MB. */
const MOST_CELLS = 4_000_000;

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
  const coarse = (leftEnd - start) * (rightEnd - start) > MOST_CELLS;
  const pairs = coarse ? [] : commonPairs(left.slice(start, leftEnd), right.slice(start, rightEnd));
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
  for (const [pairLeft, pairRight] of pairs) {
    changeUpTo(start + pairLeft, start + pairRight);
    same(l++, r++);
  }
  changeUpTo(leftEnd, rightEnd);
  for (; l < left.length; l++, r++) same(l, r);
  return { rows, removed, added, coarse };
}

/** The longest common subsequence, as pairs of places. */
function commonPairs(left: readonly string[], right: readonly string[]): [number, number][] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let l = left.length - 1; l >= 0; l--) {
    for (let r = right.length - 1; r >= 0; r--) {
      const cell = l * width + r;
      lengths[cell] =
        left[l] === right[r]
          ? (lengths[cell + width + 1] ?? 0) + 1
          : Math.max(lengths[cell + width] ?? 0, lengths[cell + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    if (left[l] === right[r]) pairs.push([l++, r++]);
    else if ((lengths[(l + 1) * width + r] ?? 0) >= (lengths[l * width + r + 1] ?? 0)) l++;
    else r++;
  }
  return pairs;
}
