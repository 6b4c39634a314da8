import { expect, it } from "vitest";
import { markName, sameSelection } from "../../../webview/lib/sameSelection.js";
import { boundary, call, read, result, textOf } from "../../support/log.js";
import { contextOf } from "./context.js";

/** Two results of one file, an edit that invalidates both, and a compaction. */
const LINES = [
  ...[read("1", "/a"), result("1", textOf(300, "a"))],
  ...[read("2", "/a"), result("2", textOf(300, "b"))],
  ...[call("3", "Edit", { file_path: "/a" }), result("3", textOf(300, "c"))],
  boundary(),
];
const context = contextOf(LINES);
const names = context.marks.map(markName);

it("names every mark differently", () => {
  expect(context.marks.map(({ kind }) => kind)).toEqual(["invalidate", "invalidate", "boundary"]);
  expect(new Set(names).size).toBe(3);
});

it("finds calls by id and marks by name", () => {
  expect(sameSelection(context, "2", null)).toEqual({ row: 1 });
  expect(names.map(name => sameSelection(context, null, name))).toEqual([{ mark: 0 }, { mark: 1 }, { mark: 2 }]);
});

it("finds a compaction even if other results were cached before it", () => {
  const small = contextOf(LINES, { minBytes: 100_000 });
  expect(small.marks.map(({ kind }) => kind)).toEqual(["boundary"]);
  expect(sameSelection(small, null, names[2] ?? null)).toEqual({ mark: 0 });
});

it("finds nothing if there is nothing", () => {
  expect(sameSelection(context, "9", null)).toBeNull();
  expect(sameSelection(context, null, "rewind 1 0")).toBeNull();
  expect(sameSelection(context, null, null)).toBeNull();
  expect(markName(undefined)).toBeNull();
});
