import { describe, expect, it } from "vitest";
import { axisOf } from "../../../../webview/timeline/model/axis.js";
import { BUCKETS, DIMMED, Level } from "../../../../webview/timeline/model/level.js";
import { Levels } from "../../../../webview/timeline/model/levels.js";
import { KIND } from "../../../../webview/timeline/model/paintedKinds.js";
import { TimelineModel } from "../../../../webview/timeline/model/timelineModel.js";
import type { AxisName } from "../../../../webview/timeline/types.js";
import { addResults, inputOf, manyResults, mark, modelOf } from "./support.js";

function levelOf(
  model: TimelineModel,
  width: number,
  axisName: AxisName = "order",
  passes = (_: number) => true,
): Level {
  const axis = axisOf(model, axisName);
  const level = new Level(width, axis.start);
  level.grow(model, axis, passes);
  return level;
}

function cellsOf(level: Level) {
  return Array.from({ length: level.length }, (_, cell) => ({
    start: level.start(cell),
    family: level.family(cell),
    counts: Array.from({ length: BUCKETS }, (_, bucket) => level.count(cell, bucket)),
    total: level.total(cell),
    best: level.best(cell),
    invalidated: level.invalidated(cell),
  }));
}

describe("Level", () => {
  it("counts each result once, in its bin and lane", () => {
    const level = levelOf(modelOf(manyResults(1000)), 16);
    const cells = cellsOf(level);
    expect(cells.reduce((sum, { total }) => sum + total, 0)).toBe(1000);
    expect(cells.reduce((sum, { counts }) => sum + (counts[KIND.hit] ?? 0), 0)).toBe(100);
    expect(cells.every(({ counts, total }) => counts.reduce((sum, count) => sum + count, 0) === total)).toBe(true);
    expect(level.start(0)).toBe(-0.5);
  });

  it("names the largest hit, otherwise the largest result", () => {
    const level = levelOf(modelOf([{ chars: 900 }, { chars: 20, outcome: "hit", ref: 0 }, { tool: "Bash" }]), 8);
    expect(cellsOf(level).map(({ best }) => best)).toEqual([1, 2]);
  });

  it("counts what the filter dims separately", () => {
    const level = levelOf(modelOf([{}, {}, {}]), 8, "order", row => row === 1);
    expect(level.count(0, KIND.miss)).toBe(1);
    expect(level.count(0, DIMMED)).toBe(2);
  });

  it("finds the cells of a stretch", () => {
    const level = levelOf(modelOf(Array.from({ length: 64 }, () => ({}))), 8);
    expect(level.cellsBetween(-100, 1000)).toEqual([0, 8]);
    expect(level.cellsBetween(8, 15)).toEqual([1, 2]);
    expect(level.cellsBetween(7.4, 7.6)).toEqual([0, 2]);
    expect(level.cellsBetween(500, 600)).toEqual([8, 8]);
  });

  it.each(["order", "time"] as const)("grows to the same as if all had been there at once: %s", axisName => {
    const results = manyResults(300);
    const marks = [mark("invalidate", 40, { dropped: [3] }), mark("invalidate", 250, { dropped: [5, 244] })];
    const input = inputOf(results.slice(0, 1));
    const model = new TimelineModel(input.rows);
    model.grow(input);
    const level = new Level(16, axisOf(model, axisName).start);
    for (let row = 1; row < results.length; row += 11) {
      addResults(input.rows, results.slice(row, row + 11));
      model.grow({ ...input, marks: marks.filter(({ position }) => position < input.rows.length) });
      level.grow(model, axisOf(model, axisName), () => true);
    }
    expect(cellsOf(level)).toEqual(cellsOf(levelOf(modelOf(results, marks), 16, axisName)));
  });
});

describe("Levels", () => {
  it("chooses bins of a power of two, four to eight pixels wide, and keeps them", () => {
    const model = modelOf(manyResults(5000));
    const levels = new Levels(model, axisOf(model, "order"), () => true);
    for (const pxPerRow of [0.01, 0.033, 0.2, 0.5, 0.99]) {
      const level = levels.forScale(pxPerRow);
      expect(level.width * pxPerRow).toBeGreaterThanOrEqual(4);
      expect(level.width * pxPerRow).toBeLessThan(8);
      expect(levels.forScale(pxPerRow)).toBe(level);
    }
    expect(levels.forScale(100).width).toBe(1);
  });

  it("follows the model when it has grown", () => {
    const input = inputOf(manyResults(100));
    const model = new TimelineModel(input.rows);
    model.grow(input);
    const levels = new Levels(model, axisOf(model, "order"), () => true);
    const before = levels.forScale(0.1);
    addResults(input.rows, manyResults(50));
    model.grow({ ...input, version: 2 });
    levels.follow(axisOf(model, "order"));
    const after = levels.forScale(0.1);
    expect(after).toBe(before);
    expect(cellsOf(after).reduce((sum, { total }) => sum + total, 0)).toBe(150);
  });

  it("prepares one level after the other, and then is done", () => {
    const model = modelOf(manyResults(20_000));
    const levels = new Levels(model, axisOf(model, "order"), () => true);
    let steps = 0;
    while (levels.prepare(1000 / 20_000) && steps < 50) steps++;
    expect(steps).toBeGreaterThan(2);
    expect(steps).toBeLessThan(12);
  });
});
