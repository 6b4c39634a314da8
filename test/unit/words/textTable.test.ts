import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Column, renderTitled } from "../../../src/cli/textTable.js";
import { turning } from "../../support/turns.js";

/** The cells of a table with one column that is cut, in a terminal of this many columns. */
function shown(cells: readonly string[], width: number): string[] {
  const columns: Column[] = [{ title: "Path", shrinks: true }];
  const table = { title: "Paths", columns, rows: cells.map(cell => [cell]) };
  return renderTitled(table, width, (_, text) => text)
    .split("\n")
    .slice(3, -1);
}

it("a table may have any number of rows", () => {
  expect(shown(new Array<string>(600_000).fill("/a"), 80)).toHaveLength(600_000);
});

describe("a cell that is too long", () => {
  it("keeps as much of its end as fits, where characters take no column, one or two", async () => {
    const columnsOf = (text: string) =>
      [...text].reduce((sum, one) => sum + (one === "\u0301" ? 0 : one === "漢" || one === "😀" ? 2 : 1), 0);
    const path = fc.array(fc.constantFrom("a", "/", "漢", "😀", "\u0301"), { minLength: 1, maxLength: 60 });
    await fc.assert(
      turning(path, fc.integer({ min: 12, max: 30 }), (characters, width) => {
        const whole = characters.join("");
        const rest = [...characters];
        while (columnsOf(rest.join("")) > width - 1) rest.shift();
        expect(shown([whole], width)).toEqual([columnsOf(whole) <= width ? whole : `…${rest.join("")}`]);
      }),
    );
  });

  it("is cut in time that grows with its length, not with the square of it", () => {
    const steps = vi.spyOn(RegExp.prototype, "test");
    onTestFinished(() => steps.mockRestore());
    const stepsFor = (length: number) => {
      const path = "/a".repeat(length / 2);
      steps.mockClear();
      expect(shown([path], 80)).toEqual([`…${path.slice(-79)}`]);
      return steps.mock.calls.length;
    };
    expect(stepsFor(1000)).toBeGreaterThan(1000);
    expect(stepsFor(2000)).toBeLessThan(2.1 * stepsFor(1000));
  });
});
