import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PanelState, ToHost } from "../../../src/protocol/messages.js";
import { packState } from "../../../src/protocol/packing.js";
import { movedIndex } from "../../../webview/lib/movedIndex.js";
import { PanelStore } from "../../../webview/state/panelStore.js";
import { createUi, keepSaved, moveTo } from "../../../webview/state/ui.js";
import { sampleText } from "../../support/sample.js";
import { replayed, stateOf } from "./context.js";

describe("the saved state of the page", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("comes back as it was", () => {
    const written: unknown[] = [];
    const ui = createUi(undefined);
    keepSaved(ui, state => written.push(state));
    ui.call.value = "toolu_1";
    ui.tab.value = "whatIf";
    ui.filter.value = { kind: "gate:otherRange", tool: "Read", path: "", text: "x" };
    ui.splitWide.value = 0.5;
    ui.view.value = { from: 1, to: 9, atEnd: true };
    ui.top.value = "end";
    expect(written).toEqual([]);
    vi.runAllTimers();
    expect(written).toHaveLength(1);
    const again = createUi(JSON.parse(JSON.stringify(written[0])));
    expect(again.call.value).toBe("toolu_1");
    expect(again.tab.value).toBe("whatIf");
    expect(again.filter.value).toEqual(ui.filter.value);
    expect(again.splitWide.value).toBe(0.5);
    expect(again.view.value).toEqual({ from: 1, to: 9, atEnd: true });
    expect(again.top.value).toBe("end");
  });

  it("is written immediately when the page closes, and not when nothing has changed", () => {
    const written: unknown[] = [];
    const ui = createUi(undefined);
    const saving = keepSaved(ui, state => written.push(state));
    saving.flush();
    expect(written).toEqual([]);
    ui.tab.value = "partitions";
    saving.flush();
    expect(written).toMatchObject([{ tab: "partitions" }]);
    vi.runAllTimers();
    expect(written).toHaveLength(1);
  });

  it.each([
    null,
    "x",
    [],
    { v: 1, tab: "whatIf" },
    { v: 2, tab: "nowhere", splitWide: 99, place: 7, stays: "x" },
    { v: 2, place: "p", stays: [7, ["p", { filter: 7, view: { from: "x" }, call: {}, top: "x" }]] },
    { v: 2, place: "p", stays: [["p", { view: { from: 5, to: 1 }, filter: { kind: "gate:x", text: 1 }, top: -1 }]] },
  ])("is ignored if it is invalid: %j", saved => {
    const ui = createUi(saved);
    expect(ui.tab.value).toBe("events");
    expect(ui.filter.value).toEqual({ kind: "all", tool: "", path: "", text: "" });
    expect(ui.splitWide.value).toBeCloseTo(0.48);
    expect([ui.view.value, ui.call.value, ui.top.value]).toEqual([null, null, null]);
  });
});

describe("what belongs to a conversation", () => {
  const filter = { kind: "miss", tool: "Read", path: "", text: "x" } as const;

  it("is restored when the user returns to it, and is not visible elsewhere", () => {
    const ui = createUi(undefined);
    moveTo(ui, "one");
    ui.call.value = "toolu_1";
    ui.filter.value = filter;
    ui.top.value = 440;
    ui.view.value = { partition: 2 };
    moveTo(ui, "two");
    const here = () => [ui.call.value, ui.filter.value.tool, ui.top.value, ui.view.value];
    expect(here()).toEqual([null, "", null, null]);
    ui.call.value = "toolu_9";
    moveTo(ui, "one");
    expect(here()).toEqual(["toolu_1", "Read", 440, { partition: 2 }]);
    moveTo(ui, "two");
    expect(here()).toEqual(["toolu_9", "", null, null]);
  });

  it("survives a reload, of a dozen conversations at most", () => {
    vi.useFakeTimers();
    const written: unknown[] = [];
    const ui = createUi(undefined);
    const saving = keepSaved(ui, state => written.push(state));
    for (let at = 0; at < 40; at++) {
      moveTo(ui, `place ${at}`);
      ui.call.value = `toolu_${at}`;
    }
    saving.flush();
    vi.useRealTimers();
    const again = createUi(JSON.parse(JSON.stringify(written.at(-1))));
    expect([again.place.value, again.call.value]).toEqual(["place 39", "toolu_39"]);
    expect(again.stays.size).toBeLessThanOrEqual(12);
    moveTo(again, "place 35");
    expect(again.call.value).toBe("toolu_35");
    moveTo(again, "place 3");
    expect(again.call.value).toBeNull();
  });
});

describe("PanelStore", () => {
  const state = packState({ context: stateOf(replayed(sampleText())), problems: [] } as unknown as PanelState);

  it("draws once per frame, however many deltas arrive", () => {
    const frames: (() => void)[] = [];
    const store = new PanelStore(
      () => {},
      flush => frames.push(flush),
    );
    store.take({ type: "snapshot", seq: 4, state });
    const before = store.contextVersion;
    for (let seq = 5; seq < 105; seq++) store.take({ type: "delta", seq, delta: { problems: [`${seq}`] } });
    expect(frames).toHaveLength(1);
    expect(store.peek()?.problems).toEqual(["104"]);
    frames[0]?.();
    expect(store.contextVersion).toBe(before);
  });

  it("requests a snapshot after a gap, once, and accepts nothing until it arrives", () => {
    const sent: ToHost[] = [];
    const store = new PanelStore(
      message => sent.push(message),
      flush => flush(),
    );
    store.ready();
    store.take({ type: "snapshot", seq: 1, state });
    store.take({ type: "delta", seq: 3, delta: { problems: ["lost"] } });
    store.take({ type: "delta", seq: 4, delta: { problems: ["lost"] } });
    expect(sent).toEqual([{ type: "ready" }, { type: "ready" }]);
    expect(store.peek()?.problems).toEqual([]);
    store.take({ type: "snapshot", seq: 7, state });
    store.take({ type: "delta", seq: 8, delta: { problems: ["fits"] } });
    expect(store.peek()?.problems).toEqual(["fits"]);
  });
});

describe("a list's cursor", () => {
  it("moves within the list", () => {
    expect(movedIndex("ArrowDown", -1, 10, 4)).toBe(0);
    expect(movedIndex("ArrowUp", -1, 10, 4)).toBe(9);
    expect(movedIndex("ArrowDown", 9, 10, 4)).toBe(9);
    expect(movedIndex("PageDown", 3, 10, 4)).toBe(7);
    expect(movedIndex("PageUp", 3, 10, 4)).toBe(0);
    expect([movedIndex("Home", 3, 10, 4), movedIndex("End", 3, 10, 4)]).toEqual([0, 9]);
    expect([movedIndex("x", 3, 10, 4), movedIndex("End", 0, 0, 4)]).toEqual([undefined, undefined]);
  });

  it("moves to the nearest item if it is not in the list itself", () => {
    const moved = (key: string) => [-0.5, 4.5, 9.5].map(index => movedIndex(key, index, 10, 3));
    expect(moved("ArrowDown")).toEqual([0, 5, 9]);
    expect(moved("ArrowUp")).toEqual([0, 4, 9]);
    expect(moved("PageDown")).toEqual([2, 7, 9]);
    expect(moved("PageUp")).toEqual([0, 2, 7]);
  });
});
