import { describe, expect, it } from "vitest";
import type { Gate } from "../../../src/inspect/gates.js";
import { applyDelta, type LiveContext, openState } from "../../../src/protocol/apply.js";
import type { PanelState } from "../../../src/protocol/messages.js";
import { EventIndex, type EventItem, type EventList } from "../../../webview/lib/eventIndex.js";
import { type EventFilter, NO_FILTER } from "../../../webview/lib/filter.js";
import { GateTracker } from "../../../webview/lib/gateTracker.js";
import { call, type Json, result, textOf } from "../../support/log.js";
import { sampleText } from "../../support/sample.js";
import { contextOf, grownBetween, replayed, sampleContext, stateOf } from "./context.js";

const context = sampleContext();

function indexOf(of: LiveContext = context): EventIndex {
  const tracker = new GateTracker();
  tracker.update(of);
  return new EventIndex(row => tracker.gateOf(row));
}

function listOf(change: Partial<EventFilter> = {}, of: LiveContext = context): EventList {
  return indexOf(of).update(of, { ...NO_FILTER, ...change });
}

function itemsOf(list: EventList): EventItem[] {
  return Array.from({ length: list.length }, (_, index) => list.at(index) as EventItem);
}

/** A call and its answer; the same mark is the same text. */
function pair(id: string, tool: string, input: Json, mark = id, bytes = 300): Json[] {
  return [call(id, tool, input), result(id, textOf(bytes, mark))];
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

  it("is the same when it grows as when it is built at once", () => {
    const lines = sampleText().split(/(?<=\n)/);
    const half = stateOf(replayed(lines.slice(0, 250).join("")));
    const panel = openState({ context: half } as PanelState);
    const index = indexOf();
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
    expect(place).toEqual({ index: -0.5, found: false });
    const [first, second] = rowsOf(hits);
    expect(hits.find({ row: Number(first) + 1 })).toEqual({
      index: second === Number(first) + 1 ? 1 : 0.5,
      found: false,
    });
    expect(hits.find({ row: context.rows.length })).toEqual({ index: hits.length - 0.5, found: false });
    expect(hits.at(-1)).toBeUndefined();
    expect(hits.at(hits.length)).toBeUndefined();
  });

  it("says which rows pass", () => {
    const index = indexOf();
    const list = index.update(context, { ...NO_FILTER, kind: "hit" });
    const passing = Array.from({ length: context.rows.length }, (_, row) => row).filter(row => index.passes(row));
    expect(passing).toEqual(rowsOf(list));
  });
});

describe("a filter", () => {
  const count = (change: Partial<EventFilter>) => listOf(change).length;

  it("selects results and marks by kind, and each by exactly one kind", () => {
    const { rows, marks } = context;
    expect(
      count({ kind: "hit" }) + count({ kind: "miss" }) + count({ kind: "bypass" }) + count({ kind: "saved" }),
    ).toBe(rows.length);
    expect(count({ kind: "invalidate" }) + count({ kind: "boundary" })).toBe(marks.length);
    const forgone = Array.from({ length: rows.length }, (_, row) => rows.get(row, "forgoneChars")).filter(Boolean);
    expect(forgone.length).toBeGreaterThan(0);
    expect(count({ kind: "forgone" })).toBe(forgone.length);
  });

  it("selects one tool or one path, and the invalidations it was part of", () => {
    const reads = rowsOf(listOf({ tool: "Read" }));
    expect(reads.every(row => context.tools[context.rows.get(row, "tool")] === "Read")).toBe(true);
    const path = context.files.find(file => file.endsWith("/docs/api.md")) ?? "";
    const items = itemsOf(listOf({ path }));
    expect(items.some(item => "mark" in item)).toBe(true);
    expect(items.every(item => "mark" in item || context.targets[item.row] === "docs/api.md")).toBe(true);
  });

  it("selects a path as the call named it, not a command with the same text", () => {
    const named = contextOf([
      ...pair("1", "Read", { file_path: "/w/a.ts" }),
      ...pair("2", "Bash", { command: "/w/a.ts" }),
      ...pair("3", "Grep", { pattern: "x", path: "/w/a.ts" }),
    ]);
    expect(rowsOf(listOf({ path: "/w/a.ts" }, named))).toEqual([0, 2]);
  });

  it("selects exactly the results of a gate", () => {
    const lines = (offset: number) => ({ file_path: "/w/a.ts", offset, limit: 5 });
    const gates = contextOf([
      ...pair("1", "Read", { file_path: "/w/a.ts" }),
      ...pair("2", "Read", lines(10)),
      ...pair("3", "Read", lines(10)),
      ...pair("4", "Bash", { command: "echo too small, other lines, changed since" }),
      ...pair("5", "Read", lines(20)),
      ...pair("6", "Bash", { command: "echo an error" }, "2"),
      ...pair("7", "Bash", { command: "true" }, "7", 20),
      result("8", textOf(300, "8"), { is_error: true }),
    ]);
    const rows = (gate: Gate) => rowsOf(listOf({ kind: `gate:${gate}` }, gates));
    expect(rows("new")).toEqual([0, 3]);
    expect(rows("otherRange")).toEqual([1, 4]);
    expect(rows("changed")).toEqual([2]);
    expect(rows("hit")).toEqual([5]);
    expect(rows("small")).toEqual([6]);
    expect(rows("error")).toEqual([7]);
    expect(listOf({ kind: "gate:nearHit" }, gates).length).toBe(0);
  });

  it("searches for all words, in tool, subject and outcome, ignoring case", () => {
    const rows = rowsOf(listOf({ text: "BASH compacted" }));
    expect(rows.length).toBeGreaterThan(0);
    expect(count({ text: "no such thing anywhere" })).toBe(0);
    // Placeholder names are not searchable words.
    expect(count({ text: "{call}" })).toBe(0);
    expect(rowsOf(listOf({ text: "hit" })).length).toBeGreaterThanOrEqual(count({ kind: "hit" }));
    expect(count({ text: "   " })).toBe(count({}));
    expect(count({ text: "compaction" })).toBeGreaterThan(0);
  });
});
