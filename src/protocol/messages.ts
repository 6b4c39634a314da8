/**
 * Messages between host and page, one union per direction. The page starts with `ready` and gets a full snapshot; deltas
 * follow while it is visible, numbered so that it can detect a gap and ask again. Rows stay packed: the page computes its
 * figures from them with the same code as the report.
 */
import type { DedupSettings } from "../dedup/settings.js";
import type { Cost } from "../inspect/cost.js";
import type { Mark, RowSources } from "../inspect/logData.js";
import type { SweepRow } from "../inspect/rows.js";
import type { Calibration } from "../log/calibration.js";
import type { LiveHintsState } from "../settings/liveSettings.js";
import type { WindowSettings } from "../settings/table.js";
import type { Reply } from "./channel.js";
import type { AllSessions } from "./comparison.js";
import type { ContextRef, PageAsk } from "./requests.js";
import type { SessionsDelta } from "./sessions.js";

/** One item of the session picker. */
export interface SessionItem {
  /** The main log's path, used by `select`. */
  readonly key: string;
  readonly project: string;
  readonly title: string;
  /** ISO time of the newest line, "" if no line has one. */
  readonly lastAt: string;
  /** Written to in the last few minutes. */
  readonly live: boolean;
  readonly results: number;
  /** Results that repeat, in whole or in part, what the model has. */
  readonly repeats: number;
  /** All results, what hints would save in them, and what live hints did save. */
  readonly tokens: number;
  readonly savedTokens: number;
  /** The part of that in results repeated as a whole. */
  readonly wholeTokens: number;
  readonly realisedTokens: number;
  /** In a folder that is open in the window. */
  readonly here?: true;
  /** The bundled sample, not one of the user's own sessions. */
  readonly sample?: true;
}

/** One item of the context picker: the main conversation or a subagent. */
export interface ContextItem {
  /** Used by `select`. */
  readonly key: string;
  /** "main" or the subagent's id. */
  readonly id: string;
  /** What a subagent was started for; "" if unknown. */
  readonly task: string;
  readonly results: number;
}

/** Everything about the selected context. */
export interface ContextState {
  /** Packed result rows (see src/inspect/rows.ts), ROW_WIDTH numbers each. */
  readonly rows: readonly number[] | Uint32Array;
  readonly tools: readonly string[];
  /** The paths that calls refer to; rows have their index. */
  readonly files: readonly string[];
  /** Per row: what the call was about, on one line. */
  readonly targets: readonly string[];
  /** Per row: the tool call's id. */
  readonly ids: readonly string[];
  readonly marks: readonly Mark[];
  /** Requests per partition; its length is the number of partitions. */
  readonly partitionRequests: readonly number[];
  /** Packed requests (see src/inspect/contextUse.ts), SENT_WIDTH numbers each. */
  readonly requests: readonly number[] | Float64Array;
  readonly sweep: readonly SweepRow[];
  /** What the savings of hints are worth, at the prices that the following requests paid. */
  readonly worth: Cost;
  /** For rows that repeat in part. */
  readonly sources: readonly RowSources[];
  readonly calibration: Calibration;
  /** The models that answered the requests, which have their index. */
  readonly models: readonly string[];
  readonly badLines: number;
  /** Log lines beyond the limits on what is read. */
  readonly leftOutLines?: number | undefined;
}

/**
 * What was added to the selected context: lists by row, marks, requests, sweep and sources only contain what is new, the
 * others everything.
 */
export interface ContextDelta extends Omit<ContextState, "rows" | "requests"> {
  readonly rows: readonly number[];
  readonly requests: readonly number[];
  /** The number of rows that the page must have for this delta to apply. */
  readonly fromRow: number;
  /** The delta has the requests from this one on: the last known one's usage may have arrived later. */
  readonly fromRequest: number;
}

export interface Progress {
  readonly filesDone: number;
  readonly files: number;
  readonly bytesDone: number;
  readonly bytes: number;
  /** Null while there is no estimate. */
  readonly secondsLeft: number | null;
}

/** Everything that a page shows. */
export interface PanelState {
  /** In a browser, the transcript is part of the page. */
  readonly place: "vscode" | "browser";
  /** Newest first. A snapshot only has the newest of thousands; the others follow in deltas. */
  readonly sessions: readonly SessionItem[];
  readonly selected: ContextRef | null;
  /** The newest live session is selected automatically. */
  readonly following: boolean;
  readonly contexts: readonly ContextItem[];
  /** Null while nothing is selected, or the selected session has no messages. */
  readonly context: ContextState | null;
  readonly settings: DedupSettings & Pick<WindowSettings, "axis">;
  /** Changes whenever requests would be answered differently: with the settings, ratios or prices. */
  readonly basis: string;
  /** The comparison over all sessions. */
  readonly all: AllSessions;
  /** Null if nothing is being read. */
  readonly progress: Progress | null;
  /** Where logs were searched for, shown if there are none. */
  readonly roots: readonly string[];
  /** One clear line for each problem. */
  readonly problems: readonly string[];
  /** Undefined if live hints cannot be turned on from here. */
  readonly liveHints?: LiveHintsState;
}

/** The state as sent: see packing.ts. */
export type PackedState = Omit<PanelState, "context"> & { readonly context: readonly ArrayBuffer[] | null };

/** The members of the state that have changed; `context` and `sessions` have deltas of their own. */
export type PanelDelta = Partial<Omit<PanelState, "context" | "place" | "sessions">> & {
  readonly grown?: ContextDelta;
  readonly sessions?: SessionsDelta;
};

export type PanelUpdate =
  | { readonly type: "snapshot"; readonly seq: number; readonly state: PackedState }
  | { readonly type: "delta"; readonly seq: number; readonly delta: PanelDelta };

export type ToPage =
  | PanelUpdate
  /** Select this result: requested by a command outside the page. */
  | { readonly type: "reveal"; readonly row: number }
  | Reply;

/** What a page wants to show: the engine has a panel for each page. */
export type PanelMessage =
  /** The page is new, visible again, or has detected a gap: send a snapshot. */
  | { readonly type: "ready" }
  /** The page is not visible: send nothing until it is ready again. */
  | { readonly type: "hidden" }
  /** Show another session, or another context of it. `following`: whether to move on to the next live session. */
  | { readonly type: "select"; readonly session: string; readonly context?: string; readonly following?: boolean }
  | { readonly type: "follow"; readonly on: boolean };

/** Answered by a Reply with the same id. */
export interface PageRequest<A extends PageAsk = PageAsk> {
  readonly type: "request";
  readonly id: number;
  readonly ask: A;
}

export type ToHost =
  | PanelMessage
  /**
   * A result is selected, or none: commands outside the page apply to it. `restored`: not by the user, but as it was
   * before, in new data.
   */
  | { readonly type: "selected"; readonly row: number | null; readonly restored?: true }
  | PageRequest;
