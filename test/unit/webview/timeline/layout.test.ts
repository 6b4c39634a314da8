import { describe, expect, it } from "vitest";
import { visibleBands, visibleEvents } from "../../../../webview/timeline/layout/bands.js";
import { centredAt, draggedWindow, gripAt, windowOf } from "../../../../webview/timeline/layout/minimapWindow.js";
import { linksOf, referenceOf } from "../../../../webview/timeline/layout/resultLinks.js";
import { radiusOf, shrinkOf } from "../../../../webview/timeline/layout/scene.js";
import { orderTicks, timeTicks } from "../../../../webview/timeline/layout/ticks.js";
import { layoutOf } from "../../../../webview/timeline/layout/timelineLayout.js";
import { mark, modelOf, sceneFor } from "./support.js";

describe("layoutOf", () => {
  it.each([
    [1100, 300, 7],
    [300, 300, 7],
    [300, 150, 7],
    [1400, 700, 1],
    [1100, 100, 5],
  ])("fits %i × %i with %i lanes, without overlaps", (width, height, lanes) => {
    const layout = layoutOf(width, height, [0, 1, 2, 3, 4, 5, 6].slice(0, lanes));
    const boxes = [layout.header, layout.area, layout.lanesBox, layout.ruler, layout.minimap];
    let y = 0;
    for (const box of boxes.filter(box => box.height > 0)) {
      expect(box.y).toBeGreaterThanOrEqual(y);
      y = box.y + box.height;
    }
    expect(y).toBeLessThanOrEqual(height);
    expect(layout.plot.x + layout.plot.width).toBeLessThanOrEqual(width);
    expect(layout.lanes).toHaveLength(lanes);
    expect(layout.lanesBox.height).toBe(layout.lanes.reduce((sum, lane) => sum + lane.height, 0));
  });

  it("shortens lane names and drops parts if there is no room", () => {
    expect(layoutOf(220, 300, [0]).compact).toBe(true);
    // A side bar has room for the names.
    expect(layoutOf(300, 300, [0]).compact).toBe(false);
    expect(layoutOf(900, 120, [0]).minimap.height).toBe(0);
    expect(layoutOf(900, 140, [0]).area.height).toBe(0);
    expect(layoutOf(900, 160, [0, 1, 2, 3, 4, 5, 6]).area.height).toBe(0);
  });

  it("has room for the curves in a panel of the default height, whatever tools were used", () => {
    expect(layoutOf(600, 178, [0, 1, 2, 3, 4, 5, 6]).area.height).toBeGreaterThanOrEqual(26);
    expect(layoutOf(600, 160, [0, 1, 2, 3]).area.height).toBeGreaterThanOrEqual(26);
  });
});

describe("radiusOf", () => {
  const model = modelOf([
    { chars: 4 },
    { chars: 8000 },
    { chars: 10_000_000 },
    { outcome: "bypass:small", chars: 90_000 },
  ]);
  const radii = [0, 1, 2, 3].map(row => radiusOf(model, row, 100, 1));

  it("grows with the square root of the tokens, within bounds", () => {
    expect(radii[0]).toBe(2.4);
    expect(radii[1]).toBeCloseTo(4.9, 1);
    expect(radii[2]).toBe(9);
  });

  it("draws bypassed results as dots", () => expect(radii[3]).toBeLessThan(2));
  it("never leaves the lane", () => expect(radiusOf(model, 2, 10, 1)).toBeLessThan(5));

  it("shrinks in a crowd, not below six tenths", () => {
    expect(shrinkOf(0.1)).toBe(1);
    expect(shrinkOf(1)).toBeCloseTo(0.75);
    expect(shrinkOf(50)).toBe(0.6);
  });
});

describe("partitions and events", () => {
  const marks = [
    mark("boundary", 4, { partition: 1 }),
    mark("rewind", 6, { partition: 1 }),
    mark("boundary", 8, { partition: 2 }),
  ];
  const model = modelOf(
    Array.from({ length: 10 }, (_, row) => ({ at: 100 + row * 10, partition: row < 4 ? 0 : row < 8 ? 1 : 2 })),
    marks,
  );

  it("bands fill the plot, each beginning at its boundary", () => {
    const scene = sceneFor(model);
    const bands = visibleBands(scene);
    const events = visibleEvents(scene);
    expect(bands.map(({ partition }) => partition)).toEqual([0, 1, 2]);
    expect(bands[0]?.left).toBe(scene.layout.plot.x);
    expect(bands[2]?.right).toBe(scene.layout.plot.x + scene.layout.plot.width);
    expect(bands[1]?.left).toBe(bands[0]?.right);
    expect(events.map(({ event }) => event.kind)).toEqual(["boundary", "rewind", "boundary"]);
    expect(bands[1]?.left).toBe(events[0]?.x);
  });

  it("only those in view", () => {
    const scene = sceneFor(model, { view: { from: 4.2, to: 7 } });
    expect(visibleBands(scene).map(({ partition }) => partition)).toEqual([1]);
    expect(visibleEvents(scene).map(({ event }) => event.kind)).toEqual(["rewind"]);
  });

  it("in time, an event is at its own moment if that is between its neighbours", () => {
    const at = (seconds: number) => new Date(seconds * 1000).toISOString();
    const results = [{ at: 100 }, { at: 200 }];
    const between = sceneFor(modelOf(results, [mark("rewind", 1, { at: at(130) })]), { axis: "time" });
    expect(visibleEvents(between)[0]?.x).toBeCloseTo(between.scale.left + (30 / 101) * between.scale.width);
    const elsewhere = sceneFor(modelOf(results, [mark("rewind", 1, { at: at(900) })]), { axis: "time" });
    expect(visibleEvents(elsewhere)[0]?.x).toBeCloseTo(elsewhere.scale.left + (50 / 101) * elsewhere.scale.width);
  });
});

describe("ticks", () => {
  it("count results from 1 in round steps", () => {
    expect(orderTicks(-0.5, 411.5, 5).map(({ label }) => label)).toEqual(["100", "200", "300", "400"]);
    expect(orderTicks(-0.5, 5.5, 10).map(({ label, position }) => [label, position])[0]).toEqual(["1", 0]);
    expect(orderTicks(0, 90_000, 3).map(({ label }) => label)).toEqual(["50,000"]);
  });

  it("are at round local times", () => {
    const origin = Date.parse("2026-03-02T09:12:00Z") / 1000;
    const hours = timeTicks(0, 3 * 3600, 3, origin, 3600).map(({ label }) => label);
    expect(hours).toEqual(["11:00", "12:00", "13:00"]);
    expect(timeTicks(0, 40, 4, origin, 0).map(({ label }) => label)).toEqual([
      "09:12:00",
      "09:12:10",
      "09:12:20",
      "09:12:30",
      "09:12:40",
    ]);
    expect(timeTicks(0, 3 * 86_400, 4, origin, 0).map(({ label }) => label)).toEqual(["03-03", "03-04", "03-05"]);
  });
});

describe("links", () => {
  const model = modelOf(
    [
      {},
      {},
      { tool: "Edit", invalidations: 1 },
      { outcome: "miss:invalidated", cause: 2 },
      { outcome: "hit", ref: 1 },
      { outcome: "hit", ref: 4_000_000 },
    ],
    [mark("invalidate", 2, { dropped: [0] }), mark("invalidate", 3, { dropped: [3] })],
  );

  it("tie a hit to its reference, a miss to its cause, an entry to what made it stale", () => {
    expect(linksOf(model, 4)).toEqual([{ from: 4, to: 1, kind: "reference" }]);
    expect(linksOf(model, 3)).toEqual([{ from: 3, to: 2, kind: "cause" }]);
    expect(linksOf(model, 0)).toEqual([{ from: 0, to: 2, kind: "invalidation" }]);
    expect(linksOf(model, 1)).toEqual([{ from: 4, to: 1, kind: "use" }]);
    expect(linksOf(model, 2)).toEqual([{ from: 0, to: 2, kind: "invalidation" }]);
  });

  it("leave out what is missing", () => {
    expect(linksOf(model, 5)).toEqual([]);
    expect(linksOf(model, -1)).toEqual([]);
    expect(linksOf(model, 99)).toEqual([]);
  });

  it("lead to the reference, otherwise to the cause", () => {
    expect([1, 3, 4].map(row => referenceOf(model, row))).toEqual([null, 2, 1]);
  });
});

describe("minimap", () => {
  const layout = layoutOf(1000, 300, [0, 1]);
  const extent = { start: 0, end: 1000, minSpan: 6 };
  const view = { from: 400, to: 600 };
  const window = windowOf(layout, extent, view);

  it("shows the view, large enough to grab and never outside", () => {
    expect((window.left + window.right) / 2).toBeCloseTo(layout.minimap.x + layout.minimap.width / 2);
    const tiny = windowOf(layout, extent, { from: 998, to: 1000 });
    expect(tiny.right - tiny.left).toBe(8);
    expect(tiny.right).toBeLessThanOrEqual(layout.minimap.x + layout.minimap.width);
  });

  it("distinguishes edges, inside and outside", () => {
    expect(gripAt(window, window.left + 2)).toBe("left");
    expect(gripAt(window, window.right - 2)).toBe("right");
    expect(gripAt(window, (window.left + window.right) / 2)).toBe("middle");
    expect(gripAt(window, window.left - 20)).toBe("outside");
    expect(gripAt({ left: 10, right: 20 }, 11)).toBe("middle");
  });

  it("is moved and resized within the extent", () => {
    const width = layout.minimap.width - 4;
    expect(draggedWindow(layout, extent, view, "middle", width / 10)).toEqual({ from: 500, to: 700 });
    expect(draggedWindow(layout, extent, view, "middle", 5000)).toEqual({ from: 800, to: 1000 });
    expect(draggedWindow(layout, extent, view, "left", 5000)).toEqual({ from: 594, to: 600 });
    expect(draggedWindow(layout, extent, view, "right", 5000)).toEqual({ from: 400, to: 1000 });
  });

  it("is centred where it is clicked", () => {
    const middle = centredAt(layout, extent, view, layout.minimap.x + 2 + (layout.minimap.width - 4) * 0.25);
    expect(middle.from).toBeCloseTo(150);
    expect(middle.to).toBeCloseTo(350);
  });
});
