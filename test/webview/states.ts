/** States of the panel from the real engine: of the sample session, or of generated sessions of any length. */

import { readFileSync } from "node:fs";
import { DEFAULT_SETTINGS, type DedupSettings } from "../../src/dedup/settings.js";
import { SENT_WIDTH } from "../../src/inspect/contextUse.js";
import { NO_COST, packRequests } from "../../src/inspect/cost.js";
import type { ContextData, LogData } from "../../src/inspect/logData.js";
import { sweepRows } from "../../src/inspect/rows.js";
import { bytesOf } from "../../src/log/bytes.js";
import { calibrate, calibrationsOf } from "../../src/log/calibration.js";
import { LogPipeline } from "../../src/pipeline/logPipeline.js";
import { NO_SESSIONS_COMPARED } from "../../src/protocol/comparison.js";
import type { ContextDelta, ContextState, PanelState, SessionItem } from "../../src/protocol/messages.js";
import { SAMPLE, sampleText } from "../support/sample.js";

export const SESSION = "/home/ana/.claude/projects/-home-ana-ladle/0a23409a.jsonl";

export function replay(bytes: Buffer | string, settings: Partial<DedupSettings> = {}, strategies?: boolean): LogData {
  const options = {
    settings: { ...DEFAULT_SETTINGS, ...settings },
    keepEvents: false,
    keepDetails: true,
    keepFacts: false,
    strategies,
  };
  const model = new LogPipeline(SESSION, options);
  model.push(typeof bytes === "string" ? bytesOf(bytes) : bytes);
  return model.data();
}

export function sampleLog(settings: Partial<DedupSettings> = {}, strategies?: boolean): LogData {
  return replay(sampleText(), settings, strategies);
}

/** The lines of the sample's main log. */
export function sampleLines(): string[] {
  return readFileSync(SAMPLE, "utf8").split(/(?<=\n)/);
}

export function mainOf(log: LogData): ContextData {
  const main = log.contexts.find(({ id }) => id === "main") ?? log.contexts[0];
  if (main === undefined) throw new Error("The log has no context");
  return main;
}

export function contextState(log: LogData, context: ContextData = mainOf(log)): ContextState {
  const calibrations = calibrationsOf(log.samples);
  return {
    rows: [...context.rows],
    tools: context.tools,
    files: context.files,
    targets: context.targets,
    ids: context.ids,
    marks: context.marks,
    partitionRequests: context.partitionRequests,
    requests: [...packRequests(context.requestCosts)],
    sweep: sweepRows(context.sweep),
    sources: context.sources,
    worth: { ...NO_COST, usd: 0.41 },
    calibration: calibrate(context.model, calibrations, { everywhere: calibrations }),
    models: context.models,
    badLines: log.badLines,
  };
}

/** What has been added between two moments of the same log. */
export function grown(before: ContextState, after: ContextState): ContextDelta {
  const fromRow = before.ids.length;
  return {
    fromRow,
    fromRequest: before.requests.length / SENT_WIDTH,
    rows: [...after.rows.slice(before.rows.length)],
    tools: after.tools,
    files: after.files,
    targets: after.targets.slice(fromRow),
    ids: after.ids.slice(fromRow),
    marks: after.marks.slice(before.marks.length),
    partitionRequests: after.partitionRequests,
    requests: [...after.requests.slice(before.requests.length)],
    sweep: after.sweep.slice(before.sweep.length),
    sources: after.sources.slice(before.sources.length),
    worth: after.worth,
    calibration: after.calibration,
    models: after.models,
    badLines: after.badLines,
  };
}

const SOME_SESSIONS: readonly SessionItem[] = [
  session("oh-my-posh", "Fix segment cache", 40, 3, 3200, 102, 9),
  session("website", "Move the blog to static pages", 60 * 26, 0, 0, 312, 0),
  session("ladle", "Import recipes from plain text", 60 * 24 * 9, 0, 1250, 88, 4),
];

function session(
  project: string,
  title: string,
  minutes: number,
  live: number,
  savedTokens: number,
  results: number,
  repeats: number,
): SessionItem {
  return {
    key: `/home/ana/.claude/projects/${project}/${title.length}.jsonl`,
    project: `/home/ana/${project}`,
    title,
    lastAt: new Date(Date.now() - minutes * 60_000).toISOString(),
    live: live > 0,
    results,
    repeats,
    tokens: 40 * savedTokens,
    savedTokens,
    wholeTokens: 0,
    realisedTokens: 0,
  };
}

export function panelState(log: LogData, change: Partial<PanelState> = {}): PanelState {
  const selected: SessionItem = {
    key: SESSION,
    project: log.project ?? "",
    title: log.title ?? "",
    lastAt: new Date(Date.now() - 12 * 60_000).toISOString(),
    live: false,
    results: mainOf(log).ids.length,
    repeats: 18,
    tokens: 90_000,
    savedTokens: 9200,
    wholeTokens: 0,
    realisedTokens: 0,
  };
  return {
    place: "vscode",
    sessions: [selected, ...SOME_SESSIONS],
    selected: { session: SESSION, context: "main" },
    following: false,
    contexts: log.contexts.map(({ id, ids }) => ({ key: id, id, task: "", results: ids.length })),
    context: contextState(log),
    settings: { ...DEFAULT_SETTINGS, axis: "order" },
    basis: "",
    all: NO_SESSIONS_COMPARED,
    progress: null,
    roots: ["/home/ana/.claude/projects", "/home/ana/.config/claude/projects"],
    problems: [],
    ...change,
  };
}
