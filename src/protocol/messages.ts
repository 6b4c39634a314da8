/**
 * What host and page say to each other: two unions, one per direction. The page asks first (`ready`) and gets a full
 * snapshot; then deltas follow while it is visible, numbered so that it can tell a gap and ask again. Rows stay packed:
 * the page computes its figures from them with the same code as the report.
 */
import type { DedupSettings } from "../dedup/settings.js";
import type { Mark } from "../inspect/contextModel.js";
import type { SweepRow } from "../inspect/rows.js";
import type { Calibration } from "../log/calibration.js";

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
  readonly rows: readonly number[];
  readonly tools: readonly string[];
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
}

/** What has been added to the selected context: the lists of rows and marks hold only what is new, the others all. */
export interface ContextDelta extends Omit<ContextState, "model"> {
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
  readonly sessions: readonly SessionItem[];
  readonly selected: { readonly session: string; readonly context: string } | null;
  /** The newest live session is selected by itself. */
  readonly following: boolean;
  readonly contexts: readonly ContextItem[];
  /** Null while nothing is selected or the selected session is still being read. */
  readonly context: ContextState | null;
  readonly settings: DedupSettings & { readonly axis: "order" | "time" };
  /** Null when nothing is being read. */
  readonly progress: Progress | null;
  /** Where logs were looked for: for the empty state. */
  readonly roots: readonly string[];
  /** One clear line for each thing that went wrong. */
  readonly problems: readonly string[];
}

/** The members of the state that have changed; `context` grows by its own delta. */
export type PanelDelta = Partial<Omit<PanelState, "context" | "place">> & { readonly grown?: ContextDelta };

export type ToPage =
  | { readonly type: "snapshot"; readonly seq: number; readonly state: PanelState }
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
  /** The result beside the one it refers to. VS Code: opens its diff; browser: answers with both texts. */
  | { readonly method: "compare"; readonly row: number }
  /** The raw log line, pretty-printed. VS Code: opens it; browser: answers with its text. */
  | { readonly method: "openLogLine"; readonly row: number }
  | { readonly method: "setCapacity"; readonly capacity: number }
  | { readonly method: "setAxis"; readonly axis: "order" | "time" }
  | { readonly method: "openSettings" }
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

/** Answer to `compare` in a browser. */
export interface ComparedTexts {
  readonly left: { readonly title: string; readonly text: string };
  readonly right: { readonly title: string; readonly text: string };
}
