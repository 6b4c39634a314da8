/**
 * What host and page say to each other: two unions, one per direction. The page asks first (`ready`) and gets a full
 * snapshot; then deltas follow while it is visible, numbered so that it can tell a gap and ask again. Rows stay packed:
 * the page computes its figures from them with the same code as the report.
 */
import type { DedupSettings } from "../dedup/settings.js";
import type { Mark } from "../inspect/logData.js";
import type { SweepRow } from "../inspect/rows.js";
import type { SpanStrategy, Strategy } from "../inspect/strategies.js";
import type { Calibration } from "../log/calibration.js";
import type { AllSessions } from "./comparison.js";
import type { SessionsDelta } from "./sessions.js";

/** One line of the session picker. */
export interface SessionItem {
  /** The main log's path: what `select` names. */
  readonly key: string;
  readonly project: string;
  readonly title: string;
  /** ISO time of the newest line, "" where none has one. */
  readonly lastAt: string;
  /** Written to within the last minutes. */
  readonly live: boolean;
  readonly results: number;
  readonly hits: number;
  readonly savedTokens: number;
  /** The bundled sample: none of the user's own. */
  readonly sample?: true;
}

/** One line of the context picker: the main conversation or a subagent. */
export interface ContextItem {
  /** What `select` names. */
  readonly key: string;
  /** "main" or the subagent's id. */
  readonly id: string;
  readonly results: number;
}

/** Everything about the selected context. */
export interface ContextState {
  /** Packed result rows (see src/inspect/rows.ts), ROW_WIDTH numbers each. */
  readonly rows: readonly number[] | Uint32Array;
  readonly tools: readonly string[];
  /** The paths that calls named; rows have their index. */
  readonly files: readonly string[];
  /** Per row: what the call was about, on one line. */
  readonly targets: readonly string[];
  /** Per row: the tool call's id. */
  readonly ids: readonly string[];
  readonly marks: readonly Mark[];
  /** Requests per partition; its length is the number of partitions. */
  readonly partitionRequests: readonly number[];
  readonly sweep: readonly SweepRow[];
  readonly calibration: Calibration;
  readonly model: string;
  readonly badLines: number;
  /** Lines of its log beyond what is told apart in one. */
  readonly leftOutLines?: number | undefined;
}

/** What has been added to the selected context: the lists of rows and marks hold only what is new, the others all. */
export interface ContextDelta extends Omit<ContextState, "model" | "rows"> {
  readonly rows: readonly number[];
  /** How many rows the page must have for this delta to fit. */
  readonly fromRow: number;
}

export interface Progress {
  readonly filesDone: number;
  readonly files: number;
  readonly bytesDone: number;
  readonly bytes: number;
  /** Seconds left, as far as that can be told. */
  readonly secondsLeft: number | null;
}

/** The whole picture. */
export interface PanelState {
  /** Some things are reached differently in a browser: the transcript is part of the page there. */
  readonly place: "vscode" | "browser";
  /** Newest first. Of thousands a snapshot has the newest; the others follow in deltas. */
  readonly sessions: readonly SessionItem[];
  readonly selected: { readonly session: string; readonly context: string } | null;
  /** The newest live session is selected by itself. */
  readonly following: boolean;
  readonly contexts: readonly ContextItem[];
  /** Null while nothing is selected or the selected session is still being read. */
  readonly context: ContextState | null;
  readonly settings: DedupSettings & { readonly axis: "order" | "time" };
  /** Another text whenever what is asked for would be answered otherwise: settings of the engine, ratios or prices. */
  readonly basis: string;
  /** The comparison over all sessions. */
  readonly all: AllSessions;
  /** Null when nothing is being read. */
  readonly progress: Progress | null;
  /** Where logs were looked for: for the empty state. */
  readonly roots: readonly string[];
  /** One clear line for each thing that went wrong. */
  readonly problems: readonly string[];
  /** Live hints are on for this project; undefined where they cannot be turned on from here. */
  readonly liveHints?: boolean;
}

/** The whole picture as it travels: see packing.ts. */
export type PackedState = Omit<PanelState, "context"> & { readonly context: readonly ArrayBuffer[] | null };

/** The members of the state that have changed; `context` and `sessions` have deltas of their own. */
export type PanelDelta = Partial<Omit<PanelState, "context" | "place" | "sessions">> & {
  readonly grown?: ContextDelta;
  readonly sessions?: SessionsDelta;
};

export type ToPage =
  | { readonly type: "snapshot"; readonly seq: number; readonly state: PackedState }
  | { readonly type: "delta"; readonly seq: number; readonly delta: PanelDelta }
  /** Select this result: asked for by a command outside the page. */
  | { readonly type: "reveal"; readonly row: number }
  | { readonly type: "reply"; readonly id: number; readonly result: unknown }
  | { readonly type: "failure"; readonly id: number; readonly message: string };

export type ToHost =
  /** The page is new, visible again, or has seen a gap: send a snapshot. */
  | { readonly type: "ready" }
  /** The page cannot be seen: send nothing until it is ready again. */
  | { readonly type: "hidden" }
  /** Show another session, or another context of it. */
  | { readonly type: "select"; readonly session: string; readonly context?: string }
  | { readonly type: "follow"; readonly on: boolean }
  /** The user has pointed at a result, or at none: what commands outside the page are about. */
  | { readonly type: "selected"; readonly row: number | null }
  | { readonly type: "request"; readonly id: number; readonly ask: Ask };

/** Things that are answered by a reply. `row` is a result of the selected context. */
export type Ask =
  /** The facts of one result for its card: see CallDetails. */
  | { readonly method: "details"; readonly row: number }
  /** Go to the call in the transcript (VS Code: opens it in the editor). */
  | { readonly method: "openCall"; readonly row: number }
  /** The transcript around a row, for the page's own transcript (browser): see TranscriptPart. */
  | { readonly method: "transcript"; readonly fromRow: number; readonly count: number }
  /** The next call with this text, in the page's own transcript (browser): see FoundCall. */
  | { readonly method: "find"; readonly text: string; readonly fromRow: number; readonly step: 1 | -1 }
  /**
   * The result beside the one it refers to, or with a strategy beside what the model would be given. VS Code: opens the
   * diff; browser: answers with both texts.
   */
  | { readonly method: "compare"; readonly row: number; readonly strategy?: SpanStrategy }
  /** The raw log line, pretty-printed. VS Code: opens it; browser: answers with its text. */
  | { readonly method: "openLogLine"; readonly row: number }
  /** The ways to save, side by side: see ContextComparison. */
  | { readonly method: "strategies" }
  /** What rewriting history would save and cost: see ContextPasses; null where there are no messages. */
  | { readonly method: "passes" }
  /** The characters that a strategy saves: pairs of a row and its number, rows without left out. */
  | { readonly method: "savings"; readonly strategy: Strategy }
  /** What the model would be given for a result: see EmittedText. */
  | { readonly method: "emitted"; readonly row: number; readonly strategy: SpanStrategy }
  /** The lines that a hint stands for: see ReferencedLines. */
  | {
      readonly method: "lines";
      readonly row: number;
      readonly input: string | null;
      readonly from: number;
      readonly to: number;
    }
  /** Make the comparison over all sessions, or give it up; it comes with the state. */
  | { readonly method: "compareAll"; readonly on: boolean }
  | { readonly method: "setCapacity"; readonly capacity: number }
  | { readonly method: "setAxis"; readonly axis: "order" | "time" }
  | { readonly method: "openSettings" }
  | { readonly method: "turnLiveHints"; readonly on: boolean }
  | { readonly method: "openSample" }
  | { readonly method: "exportReport" };

/** Answer to `details`. Texts are cut to a few thousand characters. */
export interface CallDetails {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  readonly result: string;
  readonly cut: boolean;
  /** What the model would be given instead; null where the result stays as it is. */
  readonly hint: string | null;
}

/** Answer to `transcript`. */
export interface TranscriptPart {
  readonly calls: readonly (CallDetails & { readonly row: number })[];
}

/** Answer to `find`: the call, or where to go on looking; both null at the end. */
export interface FoundCall {
  readonly row: number | null;
  readonly next: number | null;
}

/** Answer to `emitted`. */
export interface EmittedText {
  readonly text: string;
  /** Only its beginning. */
  readonly cut: boolean;
  /** In the order of their lines. */
  readonly hints: readonly EmittedHint[];
}

export interface EmittedHint {
  /** Its line in the emitted text, from 0. */
  readonly line: number;
  /** The call that holds the lines; null where it is not in this conversation any more. */
  readonly row: number | null;
  /** The member of the call's input; null for its result. */
  readonly input: string | null;
  /** First and last line, from 1, of the text as the log has it. */
  readonly from: number;
  readonly to: number;
}

/** Answer to `lines`. */
export interface ReferencedLines {
  readonly text: string;
  readonly cut: boolean;
}

/** Answer to `compare` in a browser. */
export interface ComparedTexts {
  readonly left: { readonly title: string; readonly text: string };
  readonly right: { readonly title: string; readonly text: string };
}
