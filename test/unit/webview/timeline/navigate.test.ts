import { describe, expect, it } from "vitest";
import { type Action, actionOf, wheelMove } from "../../../../webview/timeline/element/gestures.js";
import { destination, type Ground } from "../../../../webview/timeline/element/navigate.js";
import { axisOf } from "../../../../webview/timeline/model/axis.js";
import { modelOf } from "./support.js";

const plain = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };

describe("actionOf", () => {
  it("leaves keys of the editor and the browser alone", () => {
    expect(actionOf({ ...plain, key: "+", ctrlKey: true })).toBeNull();
    expect(actionOf({ ...plain, key: "ArrowLeft", altKey: true })).toBeNull();
    expect(actionOf({ ...plain, key: "r", metaKey: true })).toBeNull();
    expect(actionOf({ ...plain, key: "Tab" })).toBeNull();
  });

  it("reverses the direction of H with shift, not with caps lock", () => {
    expect(actionOf({ ...plain, key: "h" })).toEqual({ do: "hit", by: 1 });
    expect(actionOf({ ...plain, key: "H" })).toEqual({ do: "hit", by: 1 });
    expect(actionOf({ ...plain, key: "H", shiftKey: true })).toEqual({ do: "hit", by: -1 });
  });
});

describe("destination", () => {
  //                0        1                2                              3
  const results = [{}, { tool: "Bash" }, { tool: "Bash" }, { outcome: "hit" as const, ref: 0 }];
  const later = [
    { partition: 1, tool: "Edit" },
    { partition: 1, outcome: "nearHit" as const, ref: 3 },
    { partition: 3, outcome: "miss:invalidated" as const, cause: 4 },
  ];
  const model = modelOf([...results, ...later]);
  const ground: Ground = { model, axis: axisOf(model, "order"), passes: () => true, first: 1, end: 6 };
  const go = (row: number | null, action: Action, more: Partial<Ground> = {}) =>
    destination({ ...ground, ...more }, row, action);

  it("steps from result to result and stops at the ends", () => {
    expect(go(2, { do: "step", by: 1 })).toBe(3);
    expect(go(2, { do: "step", by: -1 })).toBe(1);
    expect(go(6, { do: "step", by: 1 })).toBeNull();
    expect(go(0, { do: "step", by: -1 })).toBeNull();
  });

  it("begins in view when nothing is selected", () => {
    expect(go(null, { do: "step", by: 1 })).toBe(1);
    expect(go(null, { do: "step", by: -1 })).toBe(5);
    expect(go(null, { do: "hit", by: 1 })).toBe(3);
    expect(go(null, { do: "hit", by: -1 })).toBe(5);
    expect(go(null, { do: "reference" })).toBeNull();
  });

  it("changes lanes to the nearest result there", () => {
    expect(go(3, { do: "lane", by: 1 })).toBe(2);
    expect(go(2, { do: "lane", by: 1 })).toBe(4);
    expect(go(1, { do: "lane", by: -1 })).toBe(0);
    expect(go(0, { do: "lane", by: -1 })).toBeNull();
  });

  it("goes through hits", () => {
    expect(go(0, { do: "hit", by: 1 })).toBe(3);
    expect(go(3, { do: "hit", by: 1 })).toBe(5);
    expect(go(5, { do: "hit", by: -1 })).toBe(3);
    expect(go(5, { do: "hit", by: 1 })).toBeNull();
  });

  it("goes through partitions, skipping those without results", () => {
    expect(go(1, { do: "partition", by: 1 })).toBe(4);
    expect(go(5, { do: "partition", by: 1 })).toBe(6);
    expect(go(6, { do: "partition", by: 1 })).toBeNull();
    expect(go(5, { do: "partition", by: -1 })).toBe(4);
    expect(go(4, { do: "partition", by: -1 })).toBe(0);
    expect(go(0, { do: "partition", by: -1 })).toBeNull();
  });

  it("goes to the ends, the reference and the cause", () => {
    expect(go(3, { do: "end", by: -1 })).toBe(0);
    expect(go(null, { do: "end", by: 1 })).toBe(6);
    expect(go(3, { do: "reference" })).toBe(0);
    expect(go(6, { do: "reference" })).toBe(4);
    expect(go(1, { do: "reference" })).toBeNull();
  });

  it("skips what the filter dims", () => {
    const passes = (row: number) => row % 3 === 0;
    expect(go(0, { do: "step", by: 1 }, { passes })).toBe(3);
    expect(go(3, { do: "hit", by: 1 }, { passes })).toBeNull();
    expect(go(0, { do: "lane", by: 1 }, { passes })).toBeNull();
  });
});

describe("wheelMove", () => {
  const wheel = { deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false };

  it("zooms with Ctrl or Cmd, gently for a pinch and no more than 1.42 a notch", () => {
    expect(wheelMove({ ...wheel, deltaY: 2, ctrlKey: true }).zoom).toBeCloseTo(1.02);
    expect(wheelMove({ ...wheel, deltaY: -120, metaKey: true }).zoom).toBeCloseTo(1 / 1.419, 3);
    expect(wheelMove({ ...wheel, deltaY: 3, deltaMode: 1, ctrlKey: true }).zoom).toBeCloseTo(1.419, 3);
  });

  it("pans along the larger direction", () => {
    expect(wheelMove({ ...wheel, deltaX: 30, deltaY: 4 })).toEqual({ zoom: 1, pan: 30 });
    expect(wheelMove({ ...wheel, deltaY: 2, deltaMode: 1 })).toEqual({ zoom: 1, pan: 32 });
  });
});
