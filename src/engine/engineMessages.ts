/** What the engine's thread and the program around it (the extension, the server) say to each other. */
import type { DedupSettings } from "../dedup/settings.js";
import type { Mark } from "../inspect/logData.js";
import type { SpanStrategy } from "../inspect/strategies.js";
import type { Ask, ToHost, ToPage } from "../protocol/messages.js";
import type { FigureSettings, WindowSettings } from "../settings/table.js";

/** Everything the engine is told from outside; a new one takes effect at once. */
export interface EngineConfig {
  readonly place: "vscode" | "browser";
  /** Log files and folders to look in. */
  readonly roots: readonly string[];
  /** The bundled sample's log, where it is in one of the roots: it is shown, but counts for nothing. */
  readonly sample?: string | undefined;
  /** Folders of the workspace: their sessions are read first. */
  readonly workspace: readonly string[];
  readonly settings: DedupSettings;
  readonly figures: FigureSettings;
  readonly axis: WindowSettings["axis"];
  readonly useCache: boolean;
  /** Live hints are on for the workspace; undefined where the program around cannot turn them on. */
  readonly liveHints?: boolean;
}

/** What the program around must do, with what the engine knows about it. `id` is the page's request. */
export interface Errand {
  readonly panel: number;
  readonly id: number;
  readonly ask: Ask;
  /** The session and context that the panel looks at. */
  readonly session: string;
  readonly context: string;
}

/** The live session's figure for the status bar; null where no session is going on. */
export type LiveStatus = { readonly session: string; readonly title: string; readonly savedTokens: number } | null;

/**
 * A watched session has more results; or whatever was made of it before is void; or it is not among the logs that are
 * looked at any more, and whatever shows it must close.
 */
export type SessionChange = "grown" | "anew" | "gone";

export type ToEngine =
  | { readonly type: "configure"; readonly config: EngineConfig }
  | { readonly type: "page"; readonly panel: number; readonly message: ToHost }
  | { readonly type: "closed"; readonly panel: number }
  /** Follow a session and tell of its changes, by `changed`. */
  | { readonly type: "watch"; readonly id: number; readonly session: string }
  | { readonly type: "unwatch"; readonly id: number }
  /** Ask for something outside any page, answered by `answer`. */
  | { readonly type: "query"; readonly id: number; readonly query: Query }
  | { readonly type: "stop" };

export type FromEngine =
  | { readonly type: "page"; readonly panel: number; readonly message: ToPage }
  | { readonly type: "errand"; readonly errand: Errand }
  | { readonly type: "live"; readonly status: LiveStatus }
  | { readonly type: "changed"; readonly id: number; readonly change: SessionChange }
  | { readonly type: "notice"; readonly line: string }
  | { readonly type: "answer"; readonly id: number; readonly result?: unknown; readonly problem?: string };

export type Query =
  /** All sessions, newest first: SessionItem[]. */
  | { readonly name: "sessions" }
  /** Calls of a context with their whole texts: TranscriptPart. */
  | {
      readonly name: "transcript";
      readonly session: string;
      readonly context: string;
      readonly fromRow: number;
      readonly count: number;
    }
  /** What one document of a transcript is about, the one with this row: ContextStretch; null without such a context. */
  | { readonly name: "stretch"; readonly session: string; readonly context: string; readonly row: number }
  /** A result beside the one it refers to, or beside what a strategy would make of it: ComparedTexts. */
  | {
      readonly name: "compare";
      readonly session: string;
      readonly context: string;
      readonly row: number;
      readonly strategy?: SpanStrategy | undefined;
    }
  /** One log line, pretty-printed: LogLineText. */
  | { readonly name: "logLine"; readonly session: string; readonly context: string; readonly row: number };

/** Answer to `logLine`. */
export interface LogLineText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Rows from `from` up to before `to`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Answer to `stretch`. */
export interface ContextStretch extends Stretch {
  readonly earlier: Stretch | null;
  readonly later: Stretch | null;
  /** The log that the context is in. */
  readonly file: string;
  /** The session's title; "" where it has none. */
  readonly title: string;
  /** "main" or the subagent's id. */
  readonly contextId: string;
  readonly capacity: number;
  readonly charsPerToken: number;
  /** How many results the whole context has. */
  readonly results: number;
  /** Packed rows of the stretch, and of the one before it where there is one. */
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly tools: readonly string[];
  /** Per row of the stretch. */
  readonly targets: readonly string[];
  /** What happened in it. */
  readonly marks: readonly Mark[];
}
