import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ask, PageRequests, TranscriptPart } from "../../../src/protocol/requests.js";
import { diffLines } from "../../../webview/lib/diff.js";
import { Heights } from "../../../webview/lib/heights.js";
import { PAGE_SIZE, TranscriptPages } from "../../../webview/state/transcriptPages.js";
import { turning } from "../../support/turns.js";

/** By its definition. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  const lengths = Array.from({ length: left.length + 1 }, () => Array<number>(right.length + 1).fill(0));
  const at = (l: number, r: number) => lengths[l]?.[r] ?? 0;
  for (let l = 1; l <= left.length; l++) {
    for (let r = 1; r <= right.length; r++) {
      const length = left[l - 1] === right[r - 1] ? at(l - 1, r - 1) + 1 : Math.max(at(l - 1, r), at(l, r - 1));
      lengths[l]?.splice(r, 1, length);
    }
  }
  return at(left.length, right.length);
}

describe("diffLines", () => {
  const line = fc.constantFrom("a", "b", "c", "");
  const text = fc.array(line, { maxLength: 12 }).map(lines => lines.join("\n"));

  it("contains both texts completely, in order, side by side", async () => {
    await fc.assert(
      turning(text, text, (left, right) => {
        const { rows, removed, added } = diffLines(left, right);
        expect(rows.flatMap(row => (row.left ? [row.left.text] : [])).join("\n")).toBe(left);
        expect(rows.flatMap(row => (row.right ? [row.right.text] : [])).join("\n")).toBe(right);
        for (const row of rows) if (row.kind === "same") expect(row.left?.text).toBe(row.right?.text);
        const changed = rows.filter(({ kind }) => kind === "changed");
        expect(changed.filter(row => row.left).length).toBe(removed);
        expect(changed.filter(row => row.right).length).toBe(added);
        expect(removed + added === 0).toBe(left === right);
      }),
    );
  });

  it("matches as many lines as can be matched", async () => {
    expect(diffLines("a\nb\nc\nd", "a\nx\nc\nd")).toMatchObject({ removed: 1, added: 1, coarse: false });
    expect(diffLines("a\nb\nc", "b\nc\na")).toMatchObject({ removed: 1, added: 1 });
    await fc.assert(
      turning(text, text, (left, right) => {
        const matched = diffLines(left, right).rows.filter(({ kind }) => kind === "same").length;
        expect(matched).toBe(longestCommon(left.split("\n"), right.split("\n")));
      }),
    );
  });

  const numbered = (mark: string) => Array.from({ length: 3000 }, (_, at) => `${mark}${at}`);

  it("matches what is left of texts with thousands of other lines", () => {
    const [left, right] = [numbered("a"), numbered("b")].map(lines => lines.with(1000, "same").with(2000, "too"));
    const diff = diffLines(left?.join("\n") ?? "", right?.join("\n") ?? "");
    expect(diff).toMatchObject({ coarse: false, removed: 2998, added: 2998 });
  });

  it("gives up on matching what is too large, but still shows it", () => {
    const lines = numbered("a");
    const diff = diffLines(["same", ...lines, "end"].join("\n"), ["same", ...lines.reverse(), "end"].join("\n"));
    expect(diff).toMatchObject({ coarse: true, removed: 3000, added: 3000 });
    expect(diff.rows).toHaveLength(3002);
  });
});

describe("Heights", () => {
  it("agrees with adding them up", async () => {
    const changes = fc.array(fc.tuple(fc.nat(39), fc.integer({ min: 0, max: 500 })), { maxLength: 60 });
    await fc.assert(
      turning(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 40 }), changes, (first, more, all) => {
        const heights = new Heights(20);
        heights.resize(first);
        const plain = Array<number>(first).fill(20);
        for (const [at, height] of all) {
          if (at >= first) continue;
          heights.set(at, height);
          if (Math.abs(height - (plain[at] ?? 0)) >= 0.5) plain[at] = height;
        }
        heights.resize(first + more);
        plain.push(...Array<number>(more).fill(20));
        let top = 0;
        for (const [at, height] of plain.entries()) {
          expect(heights.top(at)).toBe(top);
          if (height > 0) expect(heights.at(top)).toBe(at);
          if (height > 1) expect(heights.at(top + height - 1)).toBe(at);
          top += height;
        }
        expect(heights.total).toBe(top);
        expect(heights.at(top + 1000)).toBe(plain.length - 1);
      }),
    );
  });

  it("drops what is no longer there", () => {
    const heights = new Heights(10);
    heights.resize(5);
    heights.set(4, 100);
    heights.resize(4);
    heights.resize(5);
    expect(heights.total).toBe(50);
  });
});

describe("TranscriptPages", () => {
  type AskTranscript = Ask<PageRequests, "transcript">;
  function pagesOf(answer: (ask: AskTranscript) => TranscriptPart) {
    const asked: AskTranscript[] = [];
    const pages = new TranscriptPages(async ask => {
      asked.push(ask);
      return answer(ask);
    });
    return { pages, asked };
  }
  const NO_TEXTS = { tool: "", input: "", result: "", cut: false, hint: null };
  const calls = ({ fromRow, count }: { fromRow: number; count: number }) => ({
    calls: Array.from({ length: count }, (_, at) => ({ ...NO_TEXTS, row: fromRow + at, id: `${fromRow + at}` })),
  });
  const settled = () => new Promise(resolve => setTimeout(resolve));

  it("requests a page once, and its end again when it has grown", async () => {
    const { pages, asked } = pagesOf(calls);
    expect(pages.get(3, "3", 10)).toBe("loading");
    expect(pages.get(4, "4", 10)).toBe("loading");
    await settled();
    expect(pages.get(3, "3", 10)).toMatchObject({ id: "3" });
    expect(asked).toEqual([{ method: "transcript", fromRow: 0, count: 10 }]);
    expect(pages.get(3, "3", 15)).toMatchObject({ id: "3" });
    expect(asked[1]).toEqual({ method: "transcript", fromRow: 0, count: 15 });
    await settled();
    expect(pages.get(14, "14", 15)).toMatchObject({ id: "14" });
    expect(asked).toHaveLength(2);
  });

  it("says what failed, and tries again when asked to", async () => {
    let works = false;
    const { pages } = pagesOf(ask => {
      if (!works) throw new Error("gone");
      return calls(ask);
    });
    pages.get(0, "0", 5);
    await settled();
    expect(pages.get(0, "0", 5)).toEqual({ failed: "gone" });
    works = true;
    pages.retry(0);
    expect(pages.get(0, "0", 5)).toBe("loading");
    await settled();
    expect(pages.get(0, "0", 5)).toMatchObject({ id: "0" });
  });

  it("shows the texts from before a new snapshot until they are there again, if the calls are the same", async () => {
    const { pages: before } = pagesOf(calls);
    before.get(0, "0", 5);
    await settled();
    const answered = calls({ fromRow: 0, count: 5 });
    const changed = answered.calls.map(call => ({ ...call, result: "changed" }));
    const pages = new TranscriptPages(async () => ({ calls: changed }), before);
    expect(pages.get(0, "0", 5)).toMatchObject({ id: "0", result: "" });
    expect(pages.get(1, "another call", 5)).toBe("loading");
    await settled();
    expect(pages.get(0, "0", 5)).toMatchObject({ result: "changed" });
    const later = new TranscriptPages(() => Promise.reject(new Error("gone")), pages);
    expect(later.get(0, "0", 5)).toMatchObject({ result: "changed" });
    await settled();
    expect(later.get(0, "0", 5)).toEqual({ failed: "gone" });
  });

  it("shows them until the last of several snapshots in a row is answered, but only a limited number", async () => {
    const never = () => new Promise<TranscriptPart>(() => {});
    const { pages: first } = pagesOf(calls);
    for (let row = 0; row < 600; row += PAGE_SIZE) first.get(row, `${row}`, 10_000);
    await settled();
    const second = new TranscriptPages(never, new TranscriptPages(never, first));
    expect(second.get(0, "0", 10_000)).toMatchObject({ id: "0" });
    const third = new TranscriptPages(async ask => calls(ask), second);
    third.get(600, "600", 10_000);
    await settled();
    const last = new TranscriptPages(never, third);
    expect(last.get(600, "600", 10_000)).toMatchObject({ id: "600" });
    expect(last.get(20, "20", 10_000)).toMatchObject({ id: "20" });
    expect(last.get(0, "0", 10_000)).toBe("loading");
  });

  it("keeps only a limited number", async () => {
    const { pages, asked } = pagesOf(calls);
    for (let page = 0; page < 40; page++) {
      pages.get(page * PAGE_SIZE, `${page * PAGE_SIZE}`, 10_000);
      await settled();
    }
    expect(pages.get(0, "0", 10_000)).toBe("loading");
    expect(asked).toHaveLength(41);
  });
});
