import { describe, expect, it } from "vitest";
import { SeenResults } from "../../../src/hook/seenResults.js";

describe("results that earlier processes have seen", () => {
  it("are remembered, with those that are added", () => {
    const first = new SeenResults();
    expect(["a", "b"].map(id => first.add(id))).toEqual([true, true]);
    const second = new SeenResults(first.state);
    expect(["a", "b", "c"].map(id => second.add(id))).toEqual([false, false, true]);
    expect(new SeenResults(first.state).state).toEqual(first.state);
    const third = new SeenResults(second.state);
    expect(["a", "b", "c", "d"].map(id => third.wasSaved(id))).toEqual([true, true, true, false]);
  });

  it("are recognized among tens of thousands", () => {
    const many = Array.from({ length: 50_000 }, (_, at) => `toolu_${at}`);
    const first = new SeenResults();
    expect(many.every(id => first.add(id))).toBe(true);
    const saved = first.state;
    expect(saved.byteLength).toBe(400_000);
    const second = new SeenResults(saved);
    expect(many.filter((_, at) => at % 5000 === 0).map(id => second.add(id))).toEqual(Array(10).fill(false));
    expect(second.add("toolu_new")).toBe(true);
  });

  it("are not told apart from new ones once there are too many", () => {
    const results = new SeenResults(undefined, 2);
    expect([results.add("a"), results.isFull]).toEqual([true, false]);
    expect([results.add("b"), results.isFull]).toEqual([true, true]);
    expect(results.add("c")).toBe(false);
    const later = new SeenResults(results.state, 2);
    expect([later.isFull, later.add("a"), later.add("d")]).toEqual([true, false, false]);
  });
});
