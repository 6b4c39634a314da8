import { describe, expect, it } from "vitest";
import { TranscriptSearch } from "../../../webview/state/transcriptSearch.js";

/** Ten calls of which some have the text; the answerer searches three at a time. */
function searchIn(found: readonly number[], rows = 10) {
  const asked: number[] = [];
  const search = new TranscriptSearch(async ask => {
    asked.push(ask.fromRow);
    for (let row = ask.fromRow, looked = 0; row >= 0 && row < rows; row += ask.step) {
      if (found.includes(row)) return { row, next: row + ask.step };
      if (++looked === 3) return { row: null, next: row + ask.step };
    }
    return { row: null, next: null };
  });
  return { search, asked, find: (from: number, step: 1 | -1) => search.find("x", from, step, rows) };
}

describe("a search through the transcript", () => {
  it("continues from the current call, in steps, in both directions", async () => {
    const { find, search, asked } = searchIn([2, 8]);
    expect(await find(-1, 1)).toBe(2);
    expect(await find(2, 1)).toBe(8);
    expect(search.state.value).toEqual({ kind: "found", row: 8 });
    expect(asked).toEqual([0, 3, 6]);
    expect(await find(8, -1)).toBe(2);
  });

  it("wraps around once, back to the call where it began", async () => {
    const { find } = searchIn([4]);
    expect(await find(7, 1)).toBe(4);
    expect(await find(9, 1)).toBe(4);
    expect(await find(1, -1)).toBe(4);
    expect(await find(0, -1)).toBe(4);
    expect(await find(4, 1)).toBe(4);
  });

  it("ends if the text is nowhere, and says so", async () => {
    const { find, search } = searchIn([]);
    expect(await find(5, 1)).toBeUndefined();
    expect(search.state.value).toEqual({ kind: "none" });
  });

  it("is cancelled by a newer one", async () => {
    const { find, search } = searchIn([9]);
    const first = find(-1, 1);
    search.forget();
    expect(await first).toBeUndefined();
    expect(search.state.value).toEqual({ kind: "idle" });
  });

  it("reports what went wrong", async () => {
    const search = new TranscriptSearch(() => Promise.reject(new Error("no answer")));
    expect(await search.find("x", 0, 1, 10)).toBeUndefined();
    expect(search.state.value).toEqual({ kind: "failed", why: "no answer" });
  });
});
