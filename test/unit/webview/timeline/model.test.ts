import { describe, expect, it } from "vitest";
import { OUTCOMES, type Outcome, outcomeCode } from "../../../../src/inspect/outcomes.js";
import { ResultRows } from "../../../../src/inspect/rows.js";
import { familyOf } from "../../../../webview/timeline/model/families.js";
import { KINDS, kindCode } from "../../../../webview/timeline/model/paintedKinds.js";
import { sameContext, TimelineModel } from "../../../../webview/timeline/model/timelineModel.js";
import { packedRow } from "../../../support/rows.js";
import { addResults, inputOf, manyResults, mark, modelOf } from "./support.js";

describe("families", () => {
  it.each([
    ["Read", "read"],
    ["Grep", "search"],
    ["NotebookRead", "search"],
    ["PowerShell", "bash"],
    ["MultiEdit", "edit"],
    ["mcp__github__get_issue", "mcp"],
    ["Task", "agent"],
    ["TodoWrite", "other"],
    ["", "other"],
  ])("%s is in the lane %s", (tool, family) => expect(familyOf(tool)).toBe(family));
});

describe("kinds", () => {
  const kindOf = (outcome: Outcome, family: number, runs = 0) => {
    const rows = new ResultRows();
    rows.append(packedRow({ outcome: outcomeCode(outcome), runs }));
    return KINDS[kindCode(rows, 0, family)];
  };

  it("distinguishes every outcome with its own look", () => {
    expect(OUTCOMES.map(outcome => kindOf(outcome, 0))).toEqual([
      "hit",
      "nearHit",
      "miss",
      ...Array.from({ length: 9 }, () => "forgone"),
      "forgone",
      "bypass",
      "bypass",
      "error",
      "bypass",
      "native",
      "realised",
    ]);
  });

  it("recognises every miss whose lines become hints, whatever its reason", () => {
    for (const outcome of OUTCOMES.filter(one => one.startsWith("miss:")))
      expect(kindOf(outcome, 0, 2)).toBe("partial");
  });

  it("shows what edits return only if it was saved or failed", () => {
    expect(kindOf("bypass:small", 3)).toBe("edit");
    expect(kindOf("miss:new", 3)).toBe("edit");
    expect(kindOf("hit", 3)).toBe("hit");
    expect(kindOf("bypass:error", 3)).toBe("error");
  });
});

describe("TimelineModel", () => {
  it("has a lane for each family that occurs, in the families' order", () => {
    expect(modelOf([{ tool: "Bash" }, { tool: "Read" }, { tool: "Bash" }]).lanes).toEqual([0, 2]);
  });

  it("sums hits and saved tokens over any stretch", () => {
    const model = modelOf([
      { outcome: "hit", saved: 400, ref: 0 },
      {},
      { outcome: "nearHit", saved: 40, ref: 1 },
      { outcome: "bypass:realised", saved: 800, ref: 1 },
    ]);
    expect(model.savedTokens(0, 4)).toBe(110);
    expect(model.savedTokens(1, 3)).toBe(10);
    expect(model.repeats(0, 4)).toBe(2);
  });

  it("gives a stub the size of what it replaces", () => {
    const model = modelOf([{ outcome: "bypass:native", chars: 40, saved: 3960, ref: 0 }, { chars: 4000 }]);
    expect(model.tokens(0)).toBe(1000);
    expect(model.tokens(1)).toBe(1000);
  });

  it("knows where partitions begin, even those without results", () => {
    const input = { ...inputOf([{}, {}, { partition: 2 }]), partitionRequests: [1, 0, 1, 0] };
    const model = new TimelineModel(input.rows);
    model.grow(input);
    expect(model.partitions).toBe(4);
    expect([0, 1, 2, 3].map(partition => [model.partitionStart(partition), model.partitionEnd(partition)])).toEqual([
      [0, 2],
      [2, 2],
      [2, 3],
      [3, 3],
    ]);
  });

  it("ties invalidated entries to their cause, both ways", () => {
    const model = modelOf(
      [{}, {}, { tool: "Edit", invalidations: 2 }, {}],
      [mark("invalidate", 2, { dropped: [0] }), mark("invalidate", 2, { dropped: [1] })],
    );
    expect([0, 1, 2, 3].map(row => model.invalidations.causeOf(row))).toEqual([2, 2, -1, -1]);
    expect(model.invalidations.causedBetween(2, 3)).toEqual([0, 2]);
    expect(model.invalidations.causedBetween(3, 4)).toEqual([2, 2]);
  });

  it("finds who points at a result, newest first", () => {
    const model = modelOf([{}, {}, { outcome: "hit", ref: 0 }, { outcome: "hit", ref: 1 }, { outcome: "hit", ref: 0 }]);
    expect(model.uses.of(0, 9)).toEqual([4, 2]);
    expect(model.uses.of(0, 1)).toEqual([4]);
    expect(model.uses.of(3, 9)).toEqual([]);
  });

  it("grows to the same as if all had been there at once", () => {
    const results = manyResults(230).map((result, row) => ({ ...result, partition: Math.floor(row / 70) }));
    const marks = [
      mark("invalidate", 3, { dropped: [1] }),
      mark("boundary", 70, { partition: 1 }),
      mark("rewind", 200),
    ];
    const whole = modelOf(results, marks);
    const input = inputOf(results.slice(0, 1));
    const grown = new TimelineModel(input.rows);
    grown.grow(input);
    for (let row = 1; row < results.length; row += 7) {
      addResults(input.rows, results.slice(row, row + 7));
      const known = marks.filter(({ position }) => position <= input.rows.length);
      grown.grow({ ...input, marks: known, version: row });
    }
    expect(grown.length).toBe(whole.length);
    expect(grown.lanes).toEqual(whole.lanes);
    expect(grown.events).toEqual(whole.events);
    expect(grown.partitions).toBe(whole.partitions);
    const facts = (model: TimelineModel, row: number) => [
      model.kind(row),
      model.family(row),
      model.tokens(row),
      model.times.at(row),
      model.savedTokens(0, row + 1),
      model.invalidations.causeOf(row),
      model.uses.of(row, 5),
    ];
    for (let row = 0; row < whole.length; row++) expect(facts(grown, row)).toEqual(facts(whole, row));
  });
});

describe("sameContext", () => {
  it("recognises the same results with other outcomes, and nothing else", () => {
    const rows = inputOf([{ at: 5, chars: 7 }]).rows;
    expect(sameContext(rows, inputOf([{ at: 5, chars: 7, outcome: "hit" }, {}]).rows)).toBe(true);
    expect(sameContext(rows, inputOf([{ at: 6, chars: 7 }]).rows)).toBe(false);
    expect(sameContext(rows, inputOf([]).rows)).toBe(false);
  });
});
