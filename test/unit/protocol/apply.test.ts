import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import { NO_COST } from "../../../src/inspect/cost.js";
import { DEFAULT_CALIBRATION } from "../../../src/log/calibration.js";
import { applyDelta, openState } from "../../../src/protocol/apply.js";
import { NO_SESSIONS_COMPARED } from "../../../src/protocol/comparison.js";
import type { ContextDelta, ContextState, PanelState } from "../../../src/protocol/messages.js";
import { packedRow } from "../../support/rows.js";

const rowOf = (line: number) => [...packedRow({ line })];

/** The usage of the second one is not known yet. */
const REQUESTS = [0, 2000, 10, 300, 0, 0, 0, 20, 0, 0];

const CONTEXT: ContextState = {
  rows: [...rowOf(1), ...rowOf(2)],
  tools: ["Read"],
  files: [],
  targets: ["a", "b"],
  ids: ["1", "2"],
  marks: [],
  partitionRequests: [3],
  requests: REQUESTS,
  sweep: [],
  sources: [],
  worth: NO_COST,
  calibration: DEFAULT_CALIBRATION,
  models: ["m"],
  badLines: 0,
};

const STATE: PanelState = {
  place: "vscode",
  sessions: [],
  selected: { session: "s", context: "main" },
  following: true,
  contexts: [],
  context: CONTEXT,
  settings: { ...DEFAULT_SETTINGS, axis: "order" },
  basis: "",
  all: NO_SESSIONS_COMPARED,
  progress: null,
  roots: [],
  problems: [],
};

function grownBy(line: number, fromRow = 2): ContextDelta {
  return {
    fromRow,
    fromRequest: 1,
    rows: rowOf(line),
    tools: ["Read", "Bash"],
    files: [],
    targets: ["c"],
    ids: ["3"],
    marks: [{ kind: "rewind", position: 3, line: 9, at: null, partition: 0, dropped: [0] }],
    partitionRequests: [4, 1],
    requests: [0, 2100, 20, 300, 0, 1, 900, 30, 300, 1],
    sweep: [{ row: 2, slots: 1, unbounded: true, savedBytes: 1, savedChars: 1 }],
    sources: [{ row: 2, sources: [1, 0] }],
    worth: { ...NO_COST, usd: 2 },
    calibration: { ...DEFAULT_CALIBRATION, charsPerToken: 3 },
    models: ["m", "n"],
    badLines: 1,
  };
}

describe("applyDelta", () => {
  it("grows the context in place", () => {
    const live = openState(STATE);
    const { context } = live;
    expect(applyDelta(live, { grown: grownBy(7) })).toBe(true);
    expect(live.context).toBe(context);
    expect(context?.rows.length).toBe(3);
    expect(context?.rows.get(2, "line")).toBe(7);
    expect(context).toMatchObject({
      targets: ["a", "b", "c"],
      ids: ["1", "2", "3"],
      tools: ["Read", "Bash"],
      files: [],
      badLines: 1,
    });
    expect(context).toMatchObject({
      partitionRequests: [4, 1],
      marks: [{ line: 9 }],
      sweep: [{ row: 2 }],
      worth: { usd: 2 },
    });
    expect(context?.sources).toEqual(new Map([[2, [1, 0]]]));
    expect(context?.calibration.charsPerToken).toBe(3);
    expect(context?.models).toEqual(["m", "n"]);
  });

  it("replaces the newest request, whose usage may have come in later, and appends the others", () => {
    const live = openState(STATE);
    applyDelta(live, { grown: grownBy(7) });
    expect(live.context?.requests).toEqual([0, 2000, 10, 300, 0, 0, 2100, 20, 300, 0, 1, 900, 30, 300, 1]);
  });

  it("replaces the members it names and leaves the others", () => {
    const live = openState(STATE);
    expect(applyDelta(live, { following: false, problems: ["x"] })).toBe(true);
    expect(live).toMatchObject({ following: false, problems: ["x"], selected: { session: "s" } });
  });

  it("detects a gap, and then changes nothing", () => {
    const live = openState(STATE);
    expect(applyDelta(live, { problems: ["x"], grown: grownBy(7, 5) })).toBe(false);
    expect(applyDelta(live, { problems: ["x"], grown: { ...grownBy(7), fromRequest: 3 } })).toBe(false);
    expect(live.problems).toEqual([]);
    expect(live.context?.rows.length).toBe(2);
  });

  it("accepts no rows without a context, and no lists that do not belong together", () => {
    expect(applyDelta(openState({ ...STATE, context: null }), { grown: grownBy(7, 0) })).toBe(false);
    expect(applyDelta(openState(STATE), { grown: { ...grownBy(7), ids: [] } })).toBe(false);
    expect(applyDelta(openState(STATE), { grown: { ...grownBy(7), rows: [1, 2, 3] } })).toBe(false);
  });

  it("never modifies what it was opened from", () => {
    const live = openState(STATE);
    applyDelta(live, { grown: grownBy(7), problems: ["x"] });
    expect(STATE.problems).toEqual([]);
    expect(CONTEXT.ids).toEqual(["1", "2"]);
    expect(CONTEXT.requests).toEqual([0, 2000, 10, 300, 0, 0, 0, 20, 0, 0]);
  });

  it("accepts rows as a typed array as well", () => {
    const rows = Uint32Array.from(CONTEXT.rows) as unknown as number[];
    expect(openState({ ...STATE, context: { ...CONTEXT, rows } }).context?.rows.get(1, "line")).toBe(2);
  });
});
