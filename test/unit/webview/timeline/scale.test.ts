import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  clamped,
  followed,
  panned,
  revealing,
  toPosition,
  toX,
  whole,
  zoomed,
} from "../../../../webview/timeline/layout/scale.js";
import { turning } from "../../../support/turns.js";

const extent = { start: -0.5, end: 999.5, minSpan: 6 };

describe("scale", () => {
  it("maps positions to pixels and back", () => {
    const scale = { from: 100, to: 200, left: 60, width: 500 };
    expect(toX(scale, 100)).toBe(60);
    expect(toX(scale, 150)).toBe(310);
    expect(toPosition(scale, 560)).toBe(200);
    expect(toPosition(scale, toX(scale, 123.4))).toBeCloseTo(123.4);
  });

  it("keeps a view inside, without changing its span", () => {
    expect(clamped({ from: -50, to: 50 }, extent)).toEqual({ from: -0.5, to: 99.5 });
    expect(clamped({ from: 950, to: 1050 }, extent)).toEqual({ from: 899.5, to: 999.5 });
    expect(clamped({ from: -500, to: 5000 }, extent)).toEqual(whole(extent));
    expect(clamped({ from: 10, to: 12 }, extent)).toEqual({ from: 8, to: 14 });
  });

  it("can show less than the smallest span if there is no more", () => {
    expect(clamped({ from: 0, to: 1 }, { start: -0.5, end: 0.5, minSpan: 6 })).toEqual({ from: -0.5, to: 0.5 });
  });

  it("zooms about a point that stays in place", () => {
    const view = zoomed({ from: 0, to: 400 }, 0.5, 100, extent);
    expect(view).toEqual({ from: 50, to: 250 });
  });

  it("stops at the closest zoom without moving", () => {
    const closest = zoomed({ from: 100, to: 108 }, 0.1, 103, extent);
    expect(closest.to - closest.from).toBe(6);
    expect(zoomed(closest, 0.5, 104, extent)).toEqual(closest);
  });

  it("never leaves the extent, whatever is done", async () => {
    const step = fc.record({
      pan: fc.double({ min: -5000, max: 5000, noNaN: true }),
      zoom: fc.double({ min: 0.1, max: 9, noNaN: true }),
    });
    await fc.assert(
      turning(fc.array(step, { maxLength: 30 }), fc.double({ min: 0, max: 1, noNaN: true }), (steps, at) => {
        let view = whole(extent);
        for (const { pan, zoom } of steps) {
          view = panned(zoomed(view, zoom, view.from + at * (view.to - view.from), extent), pan, extent);
          expect(view.from).toBeGreaterThanOrEqual(extent.start - 1e-9);
          expect(view.to).toBeLessThanOrEqual(extent.end + 1e-9);
          expect(view.to - view.from).toBeGreaterThanOrEqual(extent.minSpan - 1e-9);
        }
      }),
    );
  });

  it("moves no further than needed to show a position", () => {
    const view = { from: 100, to: 200 };
    expect(revealing(view, 150, extent)).toBe(view);
    const near = revealing(view, 205, extent);
    expect(near.to - near.from).toBeCloseTo(100);
    expect(near.to).toBeGreaterThan(205);
    expect(near.from).toBeLessThan(150);
    expect(revealing(view, 700, extent)).toEqual({ from: 650, to: 750 });
  });

  describe("when the session grows", () => {
    const grown = { ...extent, end: 1009.5 };
    it("keeps showing everything", () => expect(followed(whole(extent), extent, grown)).toEqual(whole(grown)));
    it("stays at the end", () =>
      expect(followed({ from: 900, to: 999.5 }, extent, grown)).toEqual({ from: 910, to: 1009.5 }));
    it("stays where it is otherwise", () =>
      expect(followed({ from: 200, to: 300 }, extent, grown)).toEqual({ from: 200, to: 300 }));
  });
});
