/** Contexts for the page's pure parts, made by the real engine from a few log lines. */

import { DEFAULT_SETTINGS, type DedupSettings } from "../../../src/dedup/settings.js";
import { SENT_WIDTH } from "../../../src/inspect/contextUse.js";
import { NO_COST, packRequests } from "../../../src/inspect/cost.js";
import type { LogData } from "../../../src/inspect/logData.js";
import { sweepRows } from "../../../src/inspect/rows.js";
import { bytesOf } from "../../../src/log/bytes.js";
import { calibrate, calibrationsOf } from "../../../src/log/calibration.js";
import { LogPipeline } from "../../../src/pipeline/logPipeline.js";
import { type LiveContext, openState } from "../../../src/protocol/apply.js";
import { NO_SESSIONS_COMPARED } from "../../../src/protocol/comparison.js";
import type { ContextDelta, ContextState } from "../../../src/protocol/messages.js";
import { type Json, logText } from "../../support/log.js";
import { WHOLE_RESULTS } from "../../support/replay.js";
import { sampleText } from "../../support/sample.js";

/** Whole results alone, unless the settings say otherwise. */
export function replayed(content: Buffer | string, settings: Partial<DedupSettings> = {}): LogData {
  const options = {
    settings: { ...WHOLE_RESULTS, ...settings },
    keepEvents: false,
    keepDetails: true,
    keepFacts: false,
  };
  const model = new LogPipeline("/s.jsonl", options);
  model.push(typeof content === "string" ? bytesOf(content) : content);
  return model.data();
}

export function stateOf(log: LogData): ContextState {
  const context = log.contexts.find(({ id }) => id === "main");
  if (context === undefined) throw new Error("The log has no main context");
  const { tools, files, targets, ids, marks, partitionRequests, requestCosts, sweep, sources, model, models } = context;
  const calibrations = calibrationsOf(log.samples);
  return {
    rows: [...context.rows],
    tools,
    files,
    targets,
    ids,
    marks,
    partitionRequests,
    requests: [...packRequests(requestCosts)],
    sweep: sweepRows(sweep),
    sources,
    worth: NO_COST,
    calibration: calibrate(model, calibrations, { everywhere: calibrations }),
    models,
    badLines: log.badLines,
  };
}

export function live(context: ContextState): LiveContext {
  const opened = openState({
    place: "vscode",
    sessions: [],
    selected: null,
    following: false,
    contexts: [],
    context,
    settings: { ...DEFAULT_SETTINGS, axis: "order" },
    basis: "",
    all: NO_SESSIONS_COMPARED,
    progress: null,
    roots: [],
    problems: [],
  });
  return opened.context as LiveContext;
}

/** The main context of a log with these lines. */
export function contextOf(lines: readonly Json[], settings: Partial<DedupSettings> = {}): LiveContext {
  return live(stateOf(replayed(logText(...lines), settings)));
}

export function sampleContext(): LiveContext {
  return live(stateOf(replayed(sampleText())));
}

/** What was added to a log since an earlier moment. */
export function grownBetween(before: ContextState, after: ContextState): ContextDelta {
  const fromRow = before.ids.length;
  return {
    ...after,
    fromRow,
    fromRequest: before.requests.length / SENT_WIDTH,
    rows: [...after.rows.slice(before.rows.length)],
    targets: after.targets.slice(fromRow),
    ids: after.ids.slice(fromRow),
    marks: after.marks.slice(before.marks.length),
    requests: [...after.requests.slice(before.requests.length)],
    sweep: after.sweep.slice(before.sweep.length),
    sources: after.sources.slice(before.sources.length),
  };
}
