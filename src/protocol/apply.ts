/**
 * The page's copy of the state: created from a snapshot, then extended in place by deltas. Rows stay packed as in the
 * engine, so that the page computes its figures with the engine's own code.
 */
import { SENT_WIDTH } from "../inspect/contextUse.js";
import type { Cost } from "../inspect/cost.js";
import type { Mark } from "../inspect/logData.js";
import { ResultRows, ROW_WIDTH, type SweepRow } from "../inspect/rows.js";
import type { Calibration } from "../log/calibration.js";
import type { ContextDelta, ContextState, PanelDelta, PanelState } from "./messages.js";
import { mergeSessions } from "./sessions.js";

export interface LiveContext {
  readonly rows: ResultRows;
  tools: readonly string[];
  files: readonly string[];
  readonly targets: string[];
  readonly ids: string[];
  readonly marks: Mark[];
  partitionRequests: readonly number[];
  readonly requests: number[];
  readonly sweep: SweepRow[];
  /** By row: the calls that contain lines of it, those with the most lines first. */
  readonly sources: Map<number, readonly number[]>;
  worth: Cost;
  calibration: Calibration;
  models: readonly string[];
  badLines: number;
  leftOutLines?: number | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type LiveState = Writable<Omit<PanelState, "context">> & { context: LiveContext | null };

export function openState(state: PanelState): LiveState {
  return { ...state, context: state.context === null ? null : openContext(state.context) };
}

/** Applies a delta in place. Returns false and changes nothing if the delta does not continue the state: a gap. */
export function applyDelta(live: LiveState, delta: PanelDelta): boolean {
  const { grown, sessions, ...members } = delta;
  if (grown !== undefined && !fits(live.context, grown)) return false;
  Object.assign(live, members);
  if (sessions !== undefined) live.sessions = mergeSessions(live.sessions, sessions);
  if (grown !== undefined && live.context !== null) growContext(live.context, grown);
  return true;
}

function openContext(state: ContextState): LiveContext {
  const rows = rowsOf(state.rows);
  const { targets, ids, marks, requests, sweep, sources, ...rest } = state;
  return {
    ...rest,
    rows,
    targets: [...targets],
    ids: [...ids],
    marks: [...marks],
    requests: [...requests],
    sweep: [...sweep],
    sources: new Map(sources.map(one => [one.row, one.sources])),
  };
}

/** Unpacked cells belong to nobody else: a long session's rows are not copied. */
function rowsOf(cells: ContextState["rows"]): ResultRows {
  if (isOwn(cells)) return new ResultRows(cells, cells.length / ROW_WIDTH);
  const rows = new ResultRows();
  rows.append(cells);
  return rows;
}

function isOwn(cells: ContextState["rows"]): cells is Uint32Array<ArrayBuffer> {
  return cells instanceof Uint32Array && cells.buffer instanceof ArrayBuffer;
}

function fits(context: LiveContext | null, grown: ContextDelta): boolean {
  if (context === null || grown.fromRow !== context.rows.length) return false;
  if (grown.fromRequest * SENT_WIDTH > context.requests.length) return false;
  const added = grown.rows.length / ROW_WIDTH;
  return grown.ids.length === added && grown.targets.length === added;
}

function growContext(context: LiveContext, grown: ContextDelta): void {
  context.rows.append(grown.rows);
  extend(context.targets, grown.targets);
  extend(context.ids, grown.ids);
  extend(context.marks, grown.marks);
  extend(context.sweep, grown.sweep);
  for (const { row, sources } of grown.sources) context.sources.set(row, sources);
  context.tools = grown.tools;
  context.files = grown.files;
  context.partitionRequests = grown.partitionRequests;
  context.requests.length = grown.fromRequest * SENT_WIDTH;
  extend(context.requests, grown.requests);
  context.models = grown.models;
  context.worth = grown.worth;
  context.calibration = grown.calibration;
  context.badLines = grown.badLines;
  context.leftOutLines = grown.leftOutLines;
}

/** `push(...items)` would put every item on the stack, which is too much for the first delta of a long session. */
function extend<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}
