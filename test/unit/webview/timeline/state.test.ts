import { describe, expect, it } from "vitest";
import { TimelineState } from "../../../../webview/timeline/element/timelineState.js";
import type { TimelineInput, TimelineProps } from "../../../../webview/timeline/types.js";
import { addResults, inputOf, manyResults } from "./support.js";

type Given = ConstructorParameters<typeof TimelineState>[0];

function givenOf(input: TimelineInput, more: Partial<TimelineProps> = {}): Given {
  return { input, axis: "order", selected: null, visiblePartition: null, ...more };
}

const partitioned = () =>
  inputOf(manyResults(300).map((result, row) => ({ ...result, partition: Math.floor(row / 100) })));

describe("TimelineState", () => {
  it("shows everything at first, a given view or a partition", () => {
    const input = partitioned();
    expect(new TimelineState(givenOf(input)).view).toEqual({ from: -0.5, to: 299.5 });
    expect(new TimelineState(givenOf(input, { initialView: { from: 10, to: 60 } })).view).toEqual({ from: 10, to: 60 });
    expect(new TimelineState(givenOf(input, { visiblePartition: 1 })).view).toEqual({ from: 99.5, to: 199.5 });
  });

  it("survives a view that no longer fits", () => {
    const state = new TimelineState(givenOf(partitioned(), { initialView: { from: 900, to: 950 } }));
    expect(state.view).toEqual({ from: 249.5, to: 299.5 });
    expect(new TimelineState(givenOf(partitioned(), { initialView: { from: 5, to: 5 } })).view.to).toBe(299.5);
  });

  it("follows a session that grows while its end is in view", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input, { initialView: { from: 200, to: 299.5 } }));
    addResults(input.rows, manyResults(10));
    state.take(givenOf({ ...input, version: 2 }), true);
    expect(state.view).toEqual({ from: 210, to: 309.5 });
    state.show({ from: 20, to: 80 });
    addResults(input.rows, manyResults(10));
    state.take(givenOf({ ...input, version: 3 }), true);
    expect(state.view).toEqual({ from: 20, to: 80 });
    expect(state.model.length).toBe(320);
  });

  it("notices growth by the version when the input is the same object", () => {
    const input = { ...partitioned() };
    const state = new TimelineState(givenOf(input));
    addResults(input.rows, manyResults(5));
    Object.assign(input, { version: 2 });
    state.take(givenOf(input), true);
    expect(state.model.length).toBe(305);
  });

  it("keeps the view when the same session was replayed again, and not for another one", () => {
    const state = new TimelineState(givenOf(partitioned(), { initialView: { from: 100, to: 150 } }));
    state.take(givenOf(partitioned()), true);
    expect(state.view).toEqual({ from: 100, to: 150 });
    state.take(givenOf(inputOf([{ at: 7 }, {}, {}])), true);
    expect(state.view).toEqual({ from: -0.5, to: 2.5 });
  });

  it("shows the same results on the other axis", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input, { initialView: { from: 100, to: 150 } }));
    state.take(givenOf(input, { axis: "time" }), true);
    expect(state.axis.name).toBe("time");
    expect(state.visibleRows.from).toBeCloseTo(100);
    expect(state.visibleRows.to).toBeCloseTo(150);
  });

  it("can wait for times", () => {
    const input = inputOf([{}]);
    const state = new TimelineState(givenOf(input, { axis: "time" }));
    expect(state.axis.name).toBe("order");
    addResults(input.rows, [{ at: 50 }, { at: 80 }]);
    state.take(givenOf({ ...input, version: 2 }, { axis: "time" }), true);
    expect(state.axis.name).toBe("time");
    expect(state.view).toEqual({ from: 0, to: 31 });
  });

  it("zooms to a partition on request, and back to all", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input));
    state.take(givenOf(input, { visiblePartition: 2 }), true);
    expect(state.view).toEqual({ from: 199.5, to: 299.5 });
    state.zoom(0.5);
    state.take(givenOf(input, { visiblePartition: 2 }), true);
    expect(state.view.to - state.view.from).toBe(50);
    state.take(givenOf(input), true);
    expect(state.view).toEqual({ from: -0.5, to: 299.5 });
  });

  it("brings a new selection into view unless it was clicked there", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input, { initialView: { from: 0, to: 50 } }));
    state.take(givenOf(input, { selected: 250 }), true);
    expect(state.view).toEqual({ from: 225, to: 275 });
    state.take(givenOf(input, { selected: 275 }), false);
    expect(state.view).toEqual({ from: 225, to: 275 });
  });

  it("ignores a selection that the data does not have", () => {
    expect(new TimelineState(givenOf(partitioned(), { selected: 5000 })).selected).toBeNull();
  });
});
