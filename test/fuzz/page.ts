/** What a page does with a log: it is packed, sent, unpacked, counted and put into words. */

import assert from "node:assert/strict";
import type { DedupSettings } from "../../src/dedup/settings.js";
import { NO_COST, packRequests } from "../../src/inspect/cost.js";
import type { LogData } from "../../src/inspect/logData.js";
import { sweepRows } from "../../src/inspect/rows.js";
import { DEFAULT_CALIBRATION } from "../../src/log/calibration.js";
import type { ContextState } from "../../src/protocol/messages.js";
import { packContext, unpackContext } from "../../src/protocol/packing.js";
import { toHostMessage } from "../../src/protocol/validate.js";
import { FigureKeeper } from "../../webview/lib/contextFigures.js";
import { EventIndex } from "../../webview/lib/eventIndex.js";
import { NO_FILTER } from "../../webview/lib/filter.js";
import { GateTracker } from "../../webview/lib/gateTracker.js";
import { factsOfMark, factsOfRow } from "../../webview/words/callFacts.js";
import { live } from "../unit/webview/context.js";

/** Throws if the page would throw, or show anything other than what the engine found. */
export function checkPage(data: LogData, settings: DedupSettings): void {
  for (const {
    rows,
    tools,
    files,
    targets,
    ids,
    marks,
    partitionRequests,
    requestCosts,
    sweep,
    sources,
    models,
  } of data.contexts) {
    const calibration = { ...DEFAULT_CALIBRATION, charsPerToken: 3 };
    const sent: ContextState = {
      ...{ rows, tools, files, targets, ids, marks, partitionRequests, sources, calibration, models },
      sweep: sweepRows(sweep),
      worth: NO_COST,
      requests: packRequests(requestCosts),
      badLines: data.badLines,
    };
    const got = unpackContext(packContext(sent));
    // What JSON cannot represent, such as half a character, arrives as it would in a browser.
    assert.deepEqual(got.rows, rows);
    assert.equal(got.ids.length, ids.length);
    const context = live(got);
    const figures = new FigureKeeper().update(context);
    assert.equal(figures.total.results, ids.length);
    const tracker = new GateTracker();
    const { gates } = tracker.update(context);
    assert.equal(
      gates.reduce((sum, { results }) => sum + results, 0),
      ids.length,
    );
    const index = new EventIndex(row => tracker.gateOf(row));
    assert.equal(index.update(context, NO_FILTER).all, ids.length + marks.length);
    for (const { gate, results } of gates) {
      assert.equal(index.update(context, { ...NO_FILTER, kind: `gate:${gate}` }).length, results);
    }
    for (let row = 0; row < ids.length; row++) JSON.stringify(factsOfRow(context, row, settings));
    for (const index of marks.keys()) JSON.stringify(factsOfMark(context, index));
  }
}

/** A message from a page that is broken or not ours: it is read as one of the known messages, or not at all. */
export function checkMessage(message: unknown): void {
  const understood = toHostMessage(message);
  if (understood === undefined) return;
  assert.ok(["ready", "hidden", "select", "follow", "selected", "request"].includes(understood.type));
  assert.deepEqual(toHostMessage(structuredClone(understood)), understood);
}
