import { describe, expect, it } from "vitest";
import { TimelineState } from "../../../../webview/timeline/element/timelineState.js";
import type { TimelineInput, TimelineProps } from "../../../../webview/timeline/types.js";
import { addResults, inputOf, manyResults } from "./support.js";

type Given = ConstructorParameters<typeof TimelineState>[0];

function givenOf(input: TimelineInput, more: Partial<TimelineProps> = {}): Given {
  return { input, axis: "order", selected: null, ...more };
}

const partitioned = (length = 300) =>
  inputOf(manyResults(length).map((result, row) => ({ ...result, partition: Math.floor(row / 100) })));

const rows = (from: number, to: number, atEnd = false) => ({ initialView: { from, to, atEnd } });

describe("TimelineState", () => {
  it("shows everything at first, a given view or a partition", () => {
    const input = partitioned();
    expect(new TimelineState(givenOf(input)).view).toEqual({ from: -0.5, to: 299.5 });
    expect(new TimelineState(givenOf(input, rows(10, 60))).view).toEqual({ from: 10, to: 60 });
    expect(new TimelineState(givenOf(input, { initialView: { partition: 1 } })).view).toEqual({
      from: 99.5,
      to: 199.5,
    });
  });

  it("survives a view that no longer fits", () => {
    const state = new TimelineState(givenOf(partitioned(), rows(900, 950)));
    expect(state.view).toEqual({ from: 249.5, to: 299.5 });
    expect(new TimelineState(givenOf(partitioned(), rows(5, 5))).view.to).toBe(299.5);
  });

  it("follows a session that grows while its end is in view", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input, rows(200, 299.5, true)));
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
    const state = new TimelineState(givenOf(partitioned(), rows(100, 150)));
    state.take(givenOf(partitioned()), true);
    expect(state.view).toEqual({ from: 100, to: 150 });
    state.take(givenOf(inputOf([{ at: 7 }, {}, {}])), true);
    expect(state.view).toEqual({ from: -0.5, to: 2.5 });
  });

  it("shows the same results on the other axis", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input, rows(100, 150)));
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

  it.each(["order", "time"] as const)("shows the same after it was away while results arrived, in %s", axis => {
    const left = (input: TimelineInput, show: (state: TimelineState) => void) => {
      const state = new TimelineState(givenOf(input, { axis }));
      show(state);
      return { axis, initialView: state.shown };
    };
    const now = (before: Partial<TimelineProps>) => new TimelineState(givenOf(partitioned(320), before));
    const { start, end } = now({ axis }).axis;
    expect(now(left(partitioned(), () => {})).view).toEqual({ from: start, to: end });
    const zoomed = now(left(partitioned(), state => state.zoom(0.1, state.axis.end))).view;
    expect([zoomed.to, zoomed.from > start]).toEqual([end, true]);
    const middle = now(left(partitioned(), state => state.show({ from: 50, to: 90 }))).view;
    expect([middle.from, middle.to].map(Math.round)).toEqual([50, 90]);
    const partition = now(left(partitioned(), state => state.showPartition(2)));
    expect([partition.visibleRows.from, partition.visibleRows.to]).toEqual([199.5, 299.5]);
  });

  it("knows which partition it shows until the view is moved", () => {
    const state = new TimelineState(givenOf(partitioned()));
    const moves = [
      () => state.zoom(0.5),
      () => state.pan(-10),
      () => state.show({ from: 3, to: 90 }),
      () => state.reveal(20),
      () => state.fitAll(),
    ];
    for (const move of moves) {
      state.showPartition(2);
      expect([state.shown, state.view]).toEqual([{ partition: 2 }, { from: 199.5, to: 299.5 }]);
      state.reveal(250);
      expect(state.shown).toEqual({ partition: 2 });
      move();
      expect(state.shown ?? {}).not.toHaveProperty("partition");
    }
    expect(state.shown).toBeNull();
  });

  it("shows all of a partition that grows", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input, { initialView: { partition: 2 } }));
    addResults(
      input.rows,
      manyResults(10).map(result => ({ ...result, partition: 2 })),
    );
    state.take(givenOf({ ...input, version: 2 }), true);
    expect([state.shown, state.view]).toEqual([{ partition: 2 }, { from: 199.5, to: 309.5 }]);
  });

  it("brings a new selection into view unless it was clicked there", () => {
    const input = partitioned();
    const state = new TimelineState(givenOf(input, rows(0, 50)));
    state.take(givenOf(input, { selected: 250 }), true);
    expect(state.view).toEqual({ from: 225, to: 275 });
    state.take(givenOf(input, { selected: 275 }), false);
    expect(state.view).toEqual({ from: 225, to: 275 });
  });

  it("ignores a selection that the data does not have", () => {
    expect(new TimelineState(givenOf(partitioned(), { selected: 5000 })).selected).toBeNull();
  });
});
