/**
 * Every request between page, host, engine and comparison thread: one table for each side that answers, one entry for
 * each request and its answer. `ask` and the handlers are typed by these tables, so a request without a handler does not
 * compile. A page's requests are checked by validate.ts before anything handles them.
 *
 * The host is the program around the engine: the VS Code extension, or the server behind a browser's page.
 */

import type { SavedInSessions } from "../inspect/figures.js";
import type { Mark } from "../inspect/logData.js";
import type { PartitionPasses } from "../inspect/passFigures.js";
import type { RunStrategy, Strategy } from "../inspect/strategies.js";
import type { TrialReport } from "../inspect/trialReport.js";
import type { Scope } from "../settings/liveSettings.js";
import type { WindowSettings } from "../settings/table.js";
import type { AllSessions, ComparedLogs, ComparedSession, ContextComparison, PlacedEmission } from "./comparison.js";
import type { SessionItem } from "./messages.js";

interface Entry<Params, Answer> {
  readonly params: Readonly<Params>;
  readonly answer: Answer;
}

type NoParams = Record<never, never>;

/** Answered by the engine, about one context: the one that the page shows, or that the host names. */
export interface ContextRequests {
  /** The texts of one call; null if there is no such row. */
  details: Entry<{ row: number }, CallDetails | null>;
  transcript: Entry<{ fromRow: number; count: number }, TranscriptPart>;
  /** The next call that contains a text. */
  find: Entry<{ text: string; fromRow: number; step: 1 | -1 }, FoundCall>;
  /** A result next to the one it refers to or, with a strategy, next to what the model would get. */
  compare: Entry<{ row: number; strategy?: RunStrategy }, ComparedTexts>;
  /** The log line that a result came from, pretty-printed. */
  logLine: Entry<{ row: number }, LogLineText>;
  /** The lines that a hint refers to; `input` names a member of the call's input, null is its result. */
  lines: Entry<{ row: number; input: string | null; from: number; to: number }, ReferencedLines>;
  strategies: Entry<NoParams, ContextComparison>;
  /** What rewriting the history would save and cost; null if there are no messages. */
  passes: Entry<NoParams, PartitionPasses | null>;
  /** The characters that a strategy saves: pairs of a row and a number, only for rows where it saves any. */
  savings: Entry<{ strategy: Strategy }, readonly number[]>;
  /** What the model would get for a result. */
  emitted: Entry<{ row: number; strategy: RunStrategy }, EmittedText>;
  /** The document of the transcript that contains a row; null if there is no such context. */
  stretch: Entry<{ row: number }, ContextStretch | null>;
}

/** Answered by the engine, about everything it has found. */
export interface LibraryRequests {
  /** Newest first. */
  sessions: Entry<NoParams, readonly SessionItem[]>;
  /** Starts or cancels the comparison over all sessions; its progress and result come with the state. */
  compareAll: Entry<{ on: boolean }, void>;
  /** What a trial of live hints shows so far; null if there was none. */
  trial: Entry<NoParams, TrialReport | null>;
  stopTrial: Entry<NoParams, void>;
}

export interface EngineRequests extends ContextRequests, LibraryRequests {}

/** Answered by the host. In a browser, the page shows calls, comparisons and log lines itself. */
export interface HostRequests {
  openCall: Entry<{ row: number }, void>;
  openComparison: Entry<{ row: number; strategy?: RunStrategy }, void>;
  openLogLine: Entry<{ row: number }, void>;
  setCapacity: Entry<{ capacity: number }, void>;
  setAxis: Entry<Pick<WindowSettings, "axis">, void>;
  openSettings: Entry<NoParams, void>;
  /** In VS Code, which asks for the place and shows the change itself. */
  turnLiveHints: Entry<{ on: boolean }, void>;
  /** In a browser: what turning live hints on or off would change. */
  offerLiveHints: Entry<{ on: boolean }, LiveHintsOffer>;
  /** Makes an offered change; `offer` identifies the offer, and `place` is an index of its places. */
  acceptLiveHints: Entry<{ offer: number; place: number }, void>;
  openSample: Entry<NoParams, void>;
  exportReport: Entry<NoParams, void>;
}

/** Answered by a comparison thread, for the engine. */
export interface ComparisonRequests {
  strategies: Entry<{ session: ComparedSession }, ContextComparison>;
  passes: Entry<{ session: ComparedSession }, PartitionPasses | null>;
  savings: Entry<{ session: ComparedSession; strategy: Strategy }, readonly number[]>;
  /** Null if a strategy leaves the text unchanged. */
  emission: Entry<{ session: ComparedSession; row: number; strategy: RunStrategy }, PlacedEmission | null>;
  all: Entry<{ logs: ComparedLogs }, NonNullable<AllSessions["report"]>>;
  trial: Entry<{ logs: ComparedLogs }, TrialReport | null>;
}

/** The requests of a page; all others are the host's own. */
export type PageRequests = Omit<EngineRequests, "stretch" | "sessions" | "trial" | "stopTrial"> & HostRequests;

/** Any table of requests. */
export type Table<T> = { readonly [M in keyof T]: Entry<object, unknown> };

/** A request as sent: its method next to its parameters. */
export type Ask<T extends Table<T>, M extends keyof T = keyof T> = {
  [K in M]: { readonly method: K } & T[K]["params"];
}[M];

/** The answer to a request of this type. */
export type AnswerTo<T extends Table<T>, A extends { readonly method: keyof T }> = T[A["method"]]["answer"];

/** One handler per request, each called with the request and whatever else its side needs. */
export type Handlers<T extends Table<T>, Context extends readonly unknown[] = []> = {
  readonly [M in keyof T]: (ask: Ask<T, M>, ...context: Context) => T[M]["answer"] | Promise<T[M]["answer"]>;
};

export type PageAsk = Ask<PageRequests>;

/** Sends a request as a page does. */
export type AskHost = <A extends PageAsk>(ask: A) => Promise<AnswerTo<PageRequests, A>>;

/** One context of a session: `session` is the key of a SessionItem, `context` that of a ContextItem. */
export interface ContextRef {
  readonly session: string;
  readonly context: string;
}

/** The texts of one call. A page gets the first few thousand characters of each. */
export interface CallDetails {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  /** Null if it is not text. */
  readonly result: string | null;
  readonly cut: boolean;
  /** What the model would get instead; null if the result stays unchanged. */
  readonly hint: string | null;
}

export interface TranscriptPart {
  readonly calls: readonly (CallDetails & { readonly row: number })[];
}

/** The call, or the row to continue from; both null at the end. */
export interface FoundCall {
  readonly row: number | null;
  readonly next: number | null;
}

export interface ComparedTexts {
  readonly left: { readonly title: string; readonly text: string };
  readonly right: { readonly title: string; readonly text: string };
}

export interface LogLineText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface ReferencedLines {
  readonly text: string;
  readonly cut: boolean;
}

export interface EmittedText {
  readonly text: string;
  readonly cut: boolean;
  /** The number of lines of the result. */
  readonly lines: number;
  /** In the order of their lines. */
  readonly hints: readonly EmittedHint[];
}

export interface EmittedHint {
  /** Its line in the emitted text, from 0. */
  readonly line: number;
  /** The call that contains the lines; null if the conversation no longer has it. */
  readonly row: number | null;
  /** The member of the call's input; null for its result. */
  readonly input: string | null;
  /** First and last line, from 1, in the text as it is in the log. */
  readonly from: number;
  readonly to: number;
}

/** Where live hints can be turned on or off, nearest first, and what they would have saved; null if unknown. */
export interface LiveHintsOffer {
  readonly number: number;
  readonly places: readonly OfferedPlace[];
  readonly saved: SavedInSessions | null;
  /** Plugins that give hints regardless of the answer, and the commands that remove them. */
  readonly plugins: readonly { readonly id: string; readonly removal: string }[];
}

export interface OfferedPlace {
  readonly scope: Scope;
  readonly file: string;
  /** The removed and added lines of the file, with some context. */
  readonly change: readonly { readonly sign: " " | "-" | "+"; readonly text: string }[];
  /** Why it cannot be changed. */
  readonly problem: string | null;
}

/** Rows from `from` up to, but not including, `to`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What one document of a transcript shows. */
export interface ContextStretch extends Stretch {
  readonly earlier: Stretch | null;
  readonly later: Stretch | null;
  /** The log that contains the context. */
  readonly file: string;
  /** The session's title; "" if it has none. */
  readonly title: string;
  /** "main", or the subagent's task or else its id. */
  readonly contextName: string;
  readonly capacity: number;
  readonly charsPerToken: number;
  /** The number of results in the whole context. */
  readonly results: number;
  /** Packed rows of the stretch, preceded by the row before it if there is one. */
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly tools: readonly string[];
  /** Per row of the stretch. */
  readonly targets: readonly string[];
  readonly marks: readonly Mark[];
}
