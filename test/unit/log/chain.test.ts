import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chain } from "../../../src/log/chain.js";
import { turning } from "../../support/turns.js";

/** Each call continues from an earlier one: how many calls it goes back from the previous one, or none. */
const anyTree = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<number | null>(0) },
    { weight: 3, arbitrary: fc.nat(12) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  { maxLength: 120 },
);

/** Calls are on every third line. */
const lineOf = (call: number) => 3 * call + 2;

function grown(steps: readonly (number | null)[]): { chain: Chain; parents: number[] } {
  const chain = new Chain();
  const parents = steps.map((back, call) => (back === null ? -1 : Math.max(-1, call - 1 - back)));
  for (const [call, parent] of parents.entries()) {
    if (parent !== call - 1) chain.branch(lineOf(call), parent < 0 ? 0 : lineOf(parent));
  }
  return { chain, parents };
}

function ancestors(parents: readonly number[], call: number): Set<number> {
  const found = new Set<number>();
  for (let at = call; at >= 0; at = parents[at] ?? -1) found.add(at);
  return found;
}

/** Compares every pair with a walk along the parents. */
function check(chain: Chain, parents: readonly number[], oldest = 0): void {
  for (const call of parents.keys()) {
    const all = ancestors(parents, call);
    const expected = [...parents.keys()].filter(one => one >= oldest && all.has(one));
    const found = [...parents.keys()].filter(one => one >= oldest && chain.leads(lineOf(call), lineOf(one)));
    expect(found).toEqual(expected);
  }
}

describe("the chain of calls", () => {
  it("leads to exactly the calls that the parents lead to", async () => {
    await fc.assert(
      turning(anyTree, steps => {
        const { chain, parents } = grown(steps);
        check(chain, parents);
        check(new Chain(chain.state), parents);
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it("needs nothing for a log that never branches, however long it is", () => {
    const { chain } = grown(new Array(1000).fill(0));
    expect(chain.state).toHaveLength(1);
    expect(chain.leads(lineOf(999), lineOf(0))).toBe(true);
  });

  it("still knows what it needs if it was shortened", async () => {
    await fc.assert(
      turning(anyTree, fc.nat(100), (steps, oldest) => {
        const { chain, parents } = grown(steps);
        check(new Chain(chain.since(lineOf(oldest), 1000)), parents, oldest);
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  it("loses reach, but is never wrong, if it may keep only a few branches", async () => {
    await fc.assert(
      turning(anyTree, fc.integer({ min: 1, max: 5 }), (steps, most) => {
        const { chain, parents } = grown(steps);
        const short = new Chain(chain.since(0, most));
        expect(short.state.length).toBeLessThanOrEqual(most);
        for (const call of parents.keys()) {
          for (const one of parents.keys()) {
            if (short.leads(lineOf(call), lineOf(one))) expect(ancestors(parents, call)).toContain(one);
          }
        }
      }),
      { seed: 13, numRuns: 200 },
    );
  });

  it("learns later where a call continues from", () => {
    const chain = new Chain();
    for (const call of [10, 20, 30]) chain.branch(call, 0);
    chain.branch(40, 30);
    expect(chain.leads(40, 5)).toBe(false);
    chain.branch(20, 10);
    chain.branch(30, 20);
    expect(chain.leads(40, 10)).toBe(true);
    chain.branch(10, 5);
    expect(chain.leads(40, 5)).toBe(true);
  });

  it("never loops, whatever was saved", () => {
    const odd = [
      [0, 0],
      [10, 10],
      [20, 30],
      [15, 0],
      [30, 20],
    ] as const;
    const chain = new Chain(odd);
    for (let call = 0; call < 40; call++) for (let one = 0; one < 40; one++) chain.leads(call, one);
    expect(chain.leads(30, 20)).toBe(true);
    expect(chain.leads(20, 10)).toBe(false);
  });

  it("is not on a chain if the line is unknown", () => {
    expect(new Chain().leads(0, 0)).toBe(false);
    expect(new Chain().leads(5, 0)).toBe(false);
    expect(new Chain().leads(0, 5)).toBe(false);
  });

  it("answers quickly after two conversations have taken turns for long", () => {
    const chain = new Chain();
    const count = 200_000;
    for (let call = 2; call < count; call++) chain.branch(call, call - 2);
    // A walk along the branches would take a hundred thousand steps for each of these.
    const wrong: number[] = [];
    for (let call = count - 1; call > count / 2; call--) {
      const [own, other] = call % 2 === 0 ? [2, 1] : [1, 2];
      if (!chain.leads(call, own) || chain.leads(call, other)) wrong.push(call);
    }
    expect(wrong).toEqual([]);
  });
});
