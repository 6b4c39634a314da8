import { describe, expect, it } from "vitest";
import { applyDelta, type LiveContext, openState } from "../../../src/protocol/apply.js";
import type { PanelState } from "../../../src/protocol/messages.js";
import { EventIndex, type EventItem, type EventList } from "../../../webview/store/eventIndex.js";
import { type EventFilter, NO_FILTER } from "../../../webview/store/filter.js";
import { grownBetween, replayed, sampleContext, sampleText, stateOf } from "./context.js";

const context = sampleContext();

function listOf(change: Partial<EventFilter> = {}): EventList {
  return new EventIndex().update(context, { ...NO_FILTER, ...change });
}

function itemsOf(list: EventList): EventItem[] {
  return Array.from({ length: list.length }, (_, index) => list.at(index) as EventItem);
}

const rowsOf = (list: EventList) => itemsOf(list).flatMap(item => ("row" in item ? [item.row] : []));

describe("the list of events", () => {
  it("has every result and every mark, each mark before the row at its position", () => {
    const items = itemsOf(listOf());
    expect(items).toHaveLength(context.rows.length + context.marks.length);
    let next = 0;
    for (const item of items) {
      if ("row" in item) expect(item.row).toBe(next++);
      else expect(context.marks[item.mark]?.position).toBeLessThanOrEqual(next);
    }
  });

  it("is the same when it grows as when it is made at once", () => {
    const lines = sampleText().split(/(?<=\n)/);
    const half = stateOf(replayed(lines.slice(0, 250).join("")));
    const panel = openState({ context: half } as PanelState);
    const index = new EventIndex();
    const update = () => index.update(panel.context as LiveContext, NO_FILTER);
    expect(update().length).toBeLessThan(150);
    applyDelta(panel, { grown: grownBetween(half, stateOf(replayed(lines.join("")))) });
    expect(itemsOf(update())).toEqual(itemsOf(listOf()));
  });

  it("finds every item by its place, also among others at the same place", () => {
    for (const filter of [{}, { kind: "boundary" }, { kind: "hit" }] as const) {
      const list = listOf(filter);
      for (const [index, item] of itemsOf(list).entries()) expect(list.find(item)).toEqual({ index, found: true });
    }
    const hits = listOf({ kind: "hit" });
    const place = hits.find({ row: 0 });
    expect(place).toEqual({ index: 0, found: false });
    expect(hits.at(-1)).toBeUndefined();
    expect(hits.at(hits.length)).toBeUndefined();
  });

  it("tells which rows pass", () => {
    const index = new EventIndex();
    const list = index.update(context, { ...NO_FILTER, kind: "hit" });
    const passing = Array.from({ length: context.rows.length }, (_, row) => row).filter(row => index.passes(row));
    expect(passing).toEqual(rowsOf(list));
  });
});

describe("a filter", () => {
  const count = (change: Partial<EventFilter>) => listOf(change).length;

  it("takes results and marks by kind, and every one by exactly one of them", () => {
    const { rows, marks } = context;
    expect(
      count({ kind: "hit" }) + count({ kind: "miss" }) + count({ kind: "bypass" }) + count({ kind: "saved" }),
    ).toBe(rows.length);
    expect(count({ kind: "invalidate" }) + count({ kind: "boundary" })).toBe(marks.length);
    expect(count({ kind: "forgone" })).toBe(10);
  });

  it("takes one tool or one path, and the invalidations it had a part in", () => {
    const reads = rowsOf(listOf({ tool: "Read" }));
    expect(reads.every(row => context.tools[context.rows.get(row, "tool")] === "Read")).toBe(true);
    const path = context.targets.find(target => target === "docs/api.md") ?? "";
    const items = itemsOf(listOf({ path }));
    expect(items.some(item => "mark" in item)).toBe(true);
    expect(items.every(item => "mark" in item || context.targets[item.row] === path)).toBe(true);
  });

  it("looks for all words, in tool, subject and outcome, whatever their case", () => {
    const rows = rowsOf(listOf({ text: "BASH evicted" }));
    expect(rows.length).toBeGreaterThan(0);
    expect(count({ text: "no such thing anywhere" })).toBe(0);
    expect(count({ text: "   " })).toBe(count({}));
    expect(count({ text: "compaction" })).toBeGreaterThan(0);
  });
});
