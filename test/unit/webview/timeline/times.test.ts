import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf, rowsBetween } from "../../../../webview/timeline/model/axis.js";
import { Times } from "../../../../webview/timeline/model/times.js";
import { turning } from "../../../support/turns.js";
import { modelOf } from "./support.js";

function timesOf(seconds: readonly number[], step = seconds.length): { times: Times; all: number[] } {
  const times = new Times();
  for (let length = 0; length < seconds.length; ) {
    length = Math.min(seconds.length, length + Math.max(1, step));
    times.append(row => seconds[row] ?? 0, length);
  }
  return { times, all: seconds.map((_, row) => times.at(row)) };
}

describe("Times", () => {
  it("spreads results of one second over it", () => {
    expect(timesOf([10, 10, 10, 10, 12]).all).toEqual([10, 10.25, 10.5, 10.75, 12]);
  });

  it("fills gaps from before, at the very beginning from after", () => {
    expect(timesOf([0, 0, 20, 0, 30]).all).toEqual([20, 20.25, 20.5, 20.75, 30]);
  });

  it("never runs backwards", () => {
    expect(timesOf([10, 8, 11]).all).toEqual([10, 10.5, 11]);
  });

  it("knows when there is no time at all", () => {
    expect(timesOf([0, 0]).times.known).toBe(false);
    expect(timesOf([0, 3]).times.known).toBe(true);
  });

  it("is strictly increasing, and the same however it arrived", async () => {
    const seconds = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })), { maxLength: 60 });
    await fc.assert(
      turning(seconds, fc.integer({ min: 1, max: 9 }), (given, step) => {
        const { all, times } = timesOf(given);
        expect(timesOf(given, step).all).toEqual(all);
        if (times.known) for (let row = 1; row < all.length; row++) expect(all[row]).toBeGreaterThan(all[row - 1] ?? 0);
      }),
    );
  });
});

describe("Axis", () => {
  const model = modelOf([{ at: 100 }, { at: 100 }, { at: 160 }, { at: 400 }]);

  it("counts rows, or seconds since the first result", () => {
    const [order, time] = [axisOf(model, "order"), axisOf(model, "time")];
    expect([0, 1, 2, 3].map(order.at)).toEqual([0, 1, 2, 3]);
    expect([0, 1, 2, 3].map(time.at)).toEqual([0, 0.5, 60, 300]);
    expect([order.start, order.end]).toEqual([-0.5, 3.5]);
    expect([time.start, time.end]).toEqual([0, 301]);
  });

  it("falls back to the order if no result has a time", () => {
    expect(axisOf(modelOf([{}, {}]), "time").name).toBe("order");
  });

  it("translates rows to positions and back", () => {
    const time = axisOf(model, "time");
    for (const row of [-2, 0, 0.3, 1, 1.5, 2.25, 3, 5.5]) expect(time.rowAt(time.positionOf(row))).toBeCloseTo(row, 9);
    expect(time.positionOf(2.5)).toBe(180);
  });

  it("finds the rows of a stretch", () => {
    const time = axisOf(model, "time");
    expect(rowsBetween(time, 4, 0.5, 300)).toEqual([1, 3]);
    expect(rowsBetween(time, 4, 61, 299)).toEqual([3, 3]);
    expect(rowsBetween(time, 4, -10, 1000)).toEqual([0, 4]);
  });

  it("has a place for the first result before there is one", () => {
    const { start, end } = axisOf(modelOf([]), "time");
    expect(end).toBeGreaterThan(start);
  });
});
