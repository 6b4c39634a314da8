import { describe, expect, it } from "vitest";
import { drawBins } from "../../../../webview/timeline/draw/bins.js";
import type { Theme } from "../../../../webview/timeline/draw/colors.js";
import { drawOverlay } from "../../../../webview/timeline/draw/emphasis.js";
import { paintShape, partOf, type Shape, shapeOf } from "../../../../webview/timeline/draw/markShapes.js";
import { drawMinimap } from "../../../../webview/timeline/draw/minimap.js";
import type { Pen } from "../../../../webview/timeline/draw/pen.js";
import { drawScene } from "../../../../webview/timeline/draw/picture.js";
import type { Scene } from "../../../../webview/timeline/layout/scene.js";
import { KINDS } from "../../../../webview/timeline/model/paintedKinds.js";
import { TimelineModel } from "../../../../webview/timeline/model/timelineModel.js";
import { inputOf, manyResults, mark, modelOf, sceneFor } from "./support.js";

const theme: Theme = {
  foreground: "foreground",
  muted: "muted",
  background: "background",
  border: "border",
  focus: "focus",
  hit: "hit",
  miss: "miss",
  forgone: "forgone",
  invalidated: "invalidated",
  native: "native",
  contrast: false,
  fontFamily: "sans-serif",
  fontSize: 11,
};

interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly color: string;
  readonly alpha: number;
}

/** A pen that only records its calls. */
function recorder(): { pen: Pen; calls: Call[] } {
  const calls: Call[] = [];
  const settings: Record<string, unknown> = { globalAlpha: 1, fillStyle: "", strokeStyle: "", font: "" };
  const pen = new Proxy(settings, {
    get(target, name: string) {
      if (name in target) return target[name];
      if (name === "measureText") return (text: string) => ({ width: text.length * 6 });
      return (...args: unknown[]) => {
        const color = String(target[name.startsWith("stroke") ? "strokeStyle" : "fillStyle"]);
        calls.push({ name, args, color, alpha: Number(target["globalAlpha"]) });
      };
    },
  });
  return { pen: pen as unknown as Pen, calls };
}

function draw(scene: Scene, look: Theme = theme) {
  const { pen, calls } = recorder();
  const stamps: [shape: Shape, x: number, y: number, radius: number][] = [];
  drawScene(pen, look, scene, {
    stamp: (...stamp) => stamps.push(stamp),
    bars: paint => paint(pen),
  });
  const texts = calls.filter(({ name }) => name === "fillText").map(({ args }) => args[0]);
  return { calls, stamps, texts };
}

describe("drawScene", () => {
  const model = modelOf(
    [
      {},
      { outcome: "hit", ref: 0, saved: 7600 },
      { tool: "Edit", outcome: "bypass:small", invalidations: 1 },
      { tool: "Bash", outcome: "bypass:error", partition: 1 },
      { outcome: "miss:invalidated", cause: 2, partition: 1 },
    ],
    [mark("invalidate", 2, { dropped: [0] }), mark("boundary", 3, { partition: 1, trigger: "auto", kept: [] })],
  );

  it("has a mark per result, hits on top, and a cross on what went stale", () => {
    const { stamps } = draw(sceneFor(model));
    expect(stamps.map(([shape]) => shape)).toEqual(["error", "miss", "forgone", "effectiveEdit", "hit", "stale"]);
    expect(stamps[5]?.slice(1, 3)).toEqual(stamps[1]?.slice(1, 3));
  });

  it("names lanes, partitions and boundaries", () => {
    const { texts } = draw(sceneFor(model));
    for (const text of [
      "Read",
      "Bash",
      "Edit",
      "Partition 0",
      "1.9k could be saved",
      "1 of 3 results repeats",
      "Auto-compaction · 0 kept",
    ]) {
      expect(texts).toContain(text);
    }
  });

  it("has short names for a narrow panel", () => {
    const { texts } = draw(sceneFor(model, { width: 200 }));
    for (const text of ["Re", "Ba", "Ed", "P0", "P1"]) expect(texts).toContain(text);
    expect(texts).not.toContain("Partition 0");
  });

  it("says so when there is nothing", () => {
    const { texts, stamps } = draw(sceneFor(modelOf([])));
    expect(texts).toEqual(["No tool results yet"]);
    expect(stamps).toEqual([]);
  });

  it("dims what the filter leaves out; in high contrast it becomes a dot", () => {
    const scene = sceneFor(model, { passes: row => row === 1 });
    const { stamps } = draw(scene, { ...theme, contrast: true });
    expect(stamps.map(([shape]) => shape)).toEqual(["bypass", "bypass", "bypass", "bypass", "hit"]);
    expect(draw(scene).stamps.map(([shape]) => shape)).toContain("miss");
  });

  it("shows how the context grows and shrinks, even if nothing is saved", () => {
    const input = { ...inputOf([{}, {}, { partition: 1 }]), requests: [0, 90_000, 0, 0, 0, 1, 30_000, 0, 0, 0] };
    const grown = new TimelineModel(input.rows);
    grown.grow(input);
    const { calls, texts } = draw(sceneFor(grown, { height: 400 }));
    expect(texts).toEqual(expect.arrayContaining(["90.0k", "Context"]));
    expect(texts).not.toContain("To save");
    const { area } = sceneFor(grown, { height: 400 }).layout;
    const heights = calls
      .filter(
        ({ name, args }) => name === "lineTo" && Number(args[1]) > area.y && Number(args[1]) < area.y + area.height,
      )
      .map(({ args }) => (area.y + area.height - 0.5 - Number(args[1])) / (area.height - 4));
    expect(Math.max(...heights)).toBeCloseTo(1);
    expect(heights.at(-1)).toBeCloseTo(1 / 3);
    expect(draw(sceneFor(model, { height: 400 })).texts).toContain("To save");
  });

  it("has no shading in high contrast", () => {
    const shades = (look: Theme) =>
      draw(sceneFor(model), look).calls.filter(({ name, alpha }) => name === "fillRect" && alpha < 0.1);
    expect(shades(theme)).toHaveLength(1);
    expect(shades({ ...theme, contrast: true })).toHaveLength(0);
  });
});

describe("shapes", () => {
  it("are filled from below to the share that would be saved, always visibly", () => {
    expect([0, 0.001, 0.25, 0.5, 1].map(partOf)).toEqual([undefined, "part1", "part2", "part4", "part8"]);
    const { pen, calls } = recorder();
    paintShape(pen, theme, "part4", 0, 0, 6);
    const [arc] = calls.filter(({ name }) => name === "arc");
    // Half: from the right to the left, through the lowest point.
    expect(arc?.args).toEqual([0, 0, 6, 0, Math.PI]);
    expect(calls.at(-1)).toMatchObject({ name: "fill", color: "hit" });
  });

  it("are filled to what the shown strategy saves, and hollow if it saves nothing", () => {
    const model = modelOf([{}, { outcome: "hit", ref: 0 }, {}]);
    model.savings = {
      name: "",
      chars: new Map([
        [1, 300],
        [2, 200],
      ]),
    };
    expect(draw(sceneFor(model)).stamps.map(([shape]) => shape)).toEqual([
      "miss",
      "part6",
      "partial",
      "part4",
      "partial",
    ]);
    model.savings = { name: "", chars: new Map([[2, 400]]) };
    // A hit of the current strategy is not one of this strategy's.
    expect(draw(sceneFor(model)).stamps.map(([shape]) => shape)).toEqual(["miss", "miss", "hit"]);
  });

  it("differ for every kind, not only by colour", () => {
    const outlines = KINDS.map((_, kind) => {
      const { pen, calls } = recorder();
      paintShape(pen, theme, shapeOf(kind, false), 0, 0, 5);
      return calls.map(({ name, args }) => `${name}(${args.map(arg => Number(arg).toFixed(1)).join()})`).join(" ");
    });
    // A dot differs from a hit only by its size: see radiusOf.
    expect(new Set(outlines).size).toBeGreaterThanOrEqual(KINDS.length - 1);
  });
});

describe("bars", () => {
  const scene = sceneFor(modelOf(manyResults(30_000)));

  it("replace marks in a crowd, stay in their lanes and touch each other", () => {
    const { pen, calls } = recorder();
    drawBins(pen, theme, scene);
    const { lanesBox, lanes } = scene.layout;
    const bars = calls
      .filter(({ name }) => name === "fillRect")
      .map(({ args }) => args as [number, number, number, number]);
    expect(bars.length).toBeGreaterThan(500);
    for (const [, y, , height] of bars) {
      expect(y).toBeGreaterThanOrEqual(lanesBox.y);
      expect(y + height).toBeLessThanOrEqual(lanesBox.y + lanesBox.height);
    }
    const first = lanes[0];
    const bottoms = bars.filter(([, y, , height]) => y + height === (first?.y ?? 0) + (first?.height ?? 0) - 3);
    const ends = new Set(bottoms.map(([x, , width]) => x + width));
    expect(bottoms.filter(([x]) => ends.has(x)).length).toBeGreaterThan(bottoms.length * 0.9);
  });

  it("are drawn instead of stamps", () => expect(draw(scene).stamps).toEqual([]));
});

describe("drawMinimap", () => {
  it.each([40, 30_000])("stays inside its box with %i results", count => {
    const scene = sceneFor(modelOf(manyResults(count), [mark("boundary", 20, { partition: 1 })]));
    const { pen, calls } = recorder();
    drawMinimap(pen, theme, scene);
    const { x, y, width, height } = scene.layout.minimap;
    expect(calls.length).toBeGreaterThan(0);
    for (const { args } of calls) {
      const [left, top, wide, high] = args as [number, number, number, number];
      expect(left).toBeGreaterThanOrEqual(x);
      expect(left + wide).toBeLessThanOrEqual(x + width + 1);
      expect(top).toBeGreaterThanOrEqual(y);
      expect(top + high).toBeLessThanOrEqual(y + height);
    }
  });
});

describe("drawOverlay", () => {
  const scene = sceneFor(modelOf([{}, {}, { outcome: "hit", ref: 0 }]));

  it("draws an arc with an arrow from a hit to its reference", () => {
    const { pen, calls } = recorder();
    drawOverlay(pen, theme, scene, { selected: 2, hovered: null });
    expect(calls.filter(({ name }) => name === "bezierCurveTo")).toHaveLength(1);
    expect(calls.some(({ name, color }) => name === "fill" && color === "hit")).toBe(true);
  });

  it("draws nothing for nothing", () => {
    const { pen, calls } = recorder();
    drawOverlay(pen, theme, scene, { selected: null, hovered: null });
    expect(calls.some(({ name }) => name === "stroke" || name === "fill")).toBe(false);
  });
});
