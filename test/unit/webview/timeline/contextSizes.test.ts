import { describe, expect, it } from "vitest";
import { ResultRows } from "../../../../src/inspect/rows.js";
import { ContextSizes } from "../../../../webview/timeline/model/contextSizes.js";
import { packedRow } from "../../../support/rows.js";

/** Results, each by its partition and the requests of the partition before it. */
function rowsOf(...results: readonly (readonly [partition: number, request: number])[]): ResultRows {
  const rows = new ResultRows();
  for (const [partition, request] of results) rows.append(packedRow({ partition, request }));
  return rows;
}

const requestsOf = (...requests: readonly (readonly [partition: number, tokens: number])[]) =>
  requests.flatMap(([partition, tokens]) => [partition, tokens, 0, 0, 0]);

function sizesAfter(rows: ResultRows, sizes: ContextSizes): number[] {
  return Array.from({ length: rows.length + 1 }, (_, count) => sizes.after(count));
}

describe("context sizes", () => {
  it("change with the request after a result, and fall at a compaction", () => {
    const rows = rowsOf([0, 1], [0, 1], [0, 2], [1, 1]);
    const sizes = new ContextSizes();
    sizes.append(rows, requestsOf([0, 100], [0, 150], [0, 180], [1, 20], [1, 40]));
    // Two results came with the first answer, one with the second; the third answer ended the partition.
    expect(sizesAfter(rows, sizes)).toEqual([100, 100, 150, 20, 40]);
    expect(sizes.largest).toBe(180);
  });

  it("stay unchanged after a request without usage", () => {
    const rows = rowsOf([0, 1], [0, 2]);
    const sizes = new ContextSizes();
    sizes.append(rows, requestsOf([0, 100], [0, 0], [0, 130]));
    expect(sizesAfter(rows, sizes)).toEqual([100, 100, 130]);
  });

  it("are none without requests", () => {
    const rows = rowsOf([0, 0], [0, 0]);
    const sizes = new ContextSizes();
    sizes.append(rows, []);
    expect(sizesAfter(rows, sizes)).toEqual([0, 0, 0]);
    expect(sizes.largest).toBe(0);
  });

  it("follow the newest request when its usage comes in later", () => {
    const rows = rowsOf([0, 1]);
    const sizes = new ContextSizes();
    sizes.append(rows, requestsOf([0, 100], [0, 900]));
    sizes.append(rows, requestsOf([0, 100], [0, 120]));
    expect(sizesAfter(rows, sizes)).toEqual([100, 120]);
    expect(sizes.largest).toBe(120);
  });

  it("grow to the same as if everything had been there at once", () => {
    const results: [number, number][] = [];
    const requests: [number, number][] = [];
    const grown = new ContextSizes();
    const rows = new ResultRows();
    for (let step = 0; step < 200; step++) {
      const partition = Math.floor(step / 60);
      const before = requests.filter(([own]) => own === partition).length;
      if (step % 3 === 0) requests.push([partition, 1000 * (step % 60) + step]);
      else {
        results.push([partition, before]);
        rows.append(packedRow({ partition, request: before }));
      }
      if (step % 5 === 0) grown.append(rows, requestsOf(...requests));
    }
    grown.append(rows, requestsOf(...requests));
    const whole = new ContextSizes();
    whole.append(rowsOf(...results), requestsOf(...requests));
    expect(sizesAfter(rows, grown)).toEqual(sizesAfter(rows, whole));
    expect(grown.largest).toBe(whole.largest);
  });
});
