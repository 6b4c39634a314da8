import { describe, expect, it } from "vitest";
import { NO_COST } from "../../../src/inspect/cost.js";
import { ROW_WIDTH } from "../../../src/inspect/rows.js";
import { DEFAULT_CALIBRATION } from "../../../src/log/calibration.js";
import type { ContextState, PanelState, ToPage } from "../../../src/protocol/messages.js";
import { inPieces, PieceCollector, packContext, packState, unpackContext } from "../../../src/protocol/packing.js";

function contextOf(results: number, target = "a"): ContextState {
  return {
    rows: Uint32Array.from({ length: results * ROW_WIDTH }, (_, cell) => 0xffff_ffff - cell),
    tools: ["Read"],
    files: ["/w/a.ts"],
    targets: Array.from({ length: results }, () => target),
    ids: Array.from({ length: results }, (_, row) => `toolu_${row}`),
    marks: [{ kind: "rewind", position: 1, line: 9, at: null, partition: 0, dropped: [0] }],
    partitionRequests: [3],
    requests: Float64Array.of(0, 1200, 0, 300, 0),
    sweep: [{ row: 0, slots: 0xffff_ffff, unbounded: true, savedBytes: 1, savedChars: 1 }],
    sources: [{ row: 0, sources: [2, 1] }],
    worth: NO_COST,
    calibration: DEFAULT_CALIBRATION,
    models: ["m"],
    badLines: 2,
  };
}

const snapshotOf = (seq: number, context: ContextState | null): ToPage => ({
  type: "snapshot",
  seq,
  state: packState({ problems: ["p"], context } as unknown as PanelState),
});

describe("a packed context", () => {
  it.each([0, 1, 5000])("of %i results comes out as it went in", results => {
    const context = contextOf(results);
    expect(unpackContext(packContext(context))).toEqual(context);
  });

  it.each([
    "\ud800 half a character",
    "two\nlines",
    "\ufeffa mark at the start",
    "",
    "\u0000\u2028\ufeff",
    "Grüße 👩‍💻 日本語",
    '"\\',
  ])("keeps any text: %j", target => {
    expect(unpackContext(packContext(contextOf(3, target))).targets).toEqual([target, target, target]);
  });

  it("is split into short pieces, however long it is", () => {
    const pieces = packContext(contextOf(50_000));
    expect(pieces.length).toBeGreaterThan(10);
    for (const piece of pieces) expect(piece.byteLength).toBeLessThanOrEqual(256 * 1024);
  });
});

describe("a snapshot in pieces", () => {
  it("is complete with its last message, and not before", () => {
    const collector = new PieceCollector();
    const snapshot = snapshotOf(4, contextOf(20_000));
    const posted = inPieces(snapshot);
    const taken = posted.map(one => collector.take(one));
    expect(posted.length).toBeGreaterThan(5);
    expect(taken.slice(0, -1).every(message => message === undefined)).toBe(true);
    expect(taken.at(-1)).toEqual(snapshot);
  });

  it("is not mixed with an abandoned one", () => {
    const collector = new PieceCollector();
    for (const one of inPieces(snapshotOf(1, contextOf(20_000))).slice(0, 3)) collector.take(one);
    const next = snapshotOf(2, contextOf(2));
    expect(
      inPieces(next)
        .map(one => collector.take(one))
        .at(-1),
    ).toEqual(next);
  });

  it("leaves everything else unchanged", () => {
    const empty = snapshotOf(1, null);
    const reveal: ToPage = { type: "reveal", row: 3 };
    for (const message of [empty, reveal]) {
      expect(inPieces(message)).toEqual([message]);
      expect(new PieceCollector().take(message)).toEqual(message);
    }
  });
});
