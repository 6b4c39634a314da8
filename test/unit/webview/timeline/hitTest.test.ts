import { describe, expect, it } from "vitest";
import { targetAt } from "../../../../webview/timeline/layout/hitTest.js";
import { xOf, yOf } from "../../../../webview/timeline/layout/scene.js";
import { manyResults, mark, modelOf, sceneFor } from "./support.js";

describe("targetAt", () => {
  const model = modelOf(
    [{ chars: 40_000 }, { tool: "Bash", outcome: "bypass:small" }, { partition: 1 }, { tool: "Bash", partition: 1 }],
    [mark("boundary", 2, { partition: 1 })],
  );
  const scene = sceneFor(model);
  const { layout } = scene;

  it("finds the mark under the pointer and, with some slop, next to it", () => {
    for (let row = 0; row < model.length; row++) {
      expect(targetAt(scene, xOf(scene, row), yOf(scene, row))).toEqual({ kind: "row", row });
    }
    expect(targetAt(scene, xOf(scene, 1) + 5, yOf(scene, 1))).toEqual({ kind: "row", row: 1 });
    expect(targetAt(scene, xOf(scene, 1) + 12, yOf(scene, 1))).toBeNull();
  });

  it("prefers the small mark inside of a large one", () => {
    const crowd = sceneFor(
      modelOf([{ chars: 400_000 }, { chars: 40 }, ...Array.from({ length: 300 }, () => ({ tool: "Bash" }))]),
    );
    expect(targetAt(crowd, xOf(crowd, 1), yOf(crowd, 1))).toEqual({ kind: "row", row: 1 });
  });

  it("finds partitions by their headers and events by their lines", () => {
    expect(targetAt(scene, layout.plot.x + 20, 5)).toEqual({ kind: "partition", partition: 0 });
    expect(targetAt(scene, layout.plot.x + layout.plot.width - 5, 5)).toEqual({ kind: "partition", partition: 1 });
    const boundary = (xOf(scene, 1) + xOf(scene, 2)) / 2;
    expect(targetAt(scene, boundary + 2, layout.ruler.y + 4)).toMatchObject({
      kind: "event",
      event: { kind: "boundary" },
    });
    expect(targetAt(scene, boundary, layout.lanesBox.y + 3)).toMatchObject({ kind: "event" });
  });

  it("finds nothing outside the plot", () => {
    expect(targetAt(scene, 4, layout.lanesBox.y + 5)).toBeNull();
    expect(targetAt(scene, 400, layout.minimap.y + 5)).toBeNull();
  });

  it("finds bars if there are too many marks", () => {
    const crowd = sceneFor(modelOf(manyResults(20_000)));
    const lane = crowd.layout.lanes[2];
    expect(crowd.level).not.toBeNull();
    const target = targetAt(crowd, 500, (lane?.y ?? 0) + 4);
    expect(target?.kind).toBe("cell");
    if (target?.kind !== "cell") return;
    expect(crowd.level?.family(target.cell)).toBe(lane?.family);
    const best = crowd.level?.best(target.cell) ?? -1;
    expect(Math.abs(xOf(crowd, best) - 500)).toBeLessThan(10);
  });

  it("finds nothing in an empty timeline", () => expect(targetAt(sceneFor(modelOf([])), 300, 100)).toBeNull());
});
