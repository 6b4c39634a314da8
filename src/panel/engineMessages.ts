/** What the engine's thread and the program around it (the extension, the server) say to each other. */
import type { DedupSettings } from "../dedup/settings.js";
import type { Ask, ToHost, ToPage } from "../protocol/messages.js";

/** Everything the engine is told from outside; a new one takes effect at once. */
export interface EngineConfig {
  readonly place: "vscode" | "browser";
  /** Log files and folders to look in. */
  readonly roots: readonly string[];
  /** Folders of the workspace: their sessions are read first. */
  readonly workspace: readonly string[];
  readonly settings: DedupSettings;
  readonly axis: "order" | "time";
  readonly useCache: boolean;
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

export type ToEngine =
  | { readonly type: "configure"; readonly config: EngineConfig }
  | { readonly type: "page"; readonly panel: number; readonly message: ToHost }
  | { readonly type: "closed"; readonly panel: number }
  /** Ask for something outside any page, answered by `answer`. */
  | { readonly type: "query"; readonly id: number; readonly query: Query }
  | { readonly type: "stop" };

export type FromEngine =
  | { readonly type: "page"; readonly panel: number; readonly message: ToPage }
  | { readonly type: "errand"; readonly errand: Errand }
  | { readonly type: "live"; readonly status: LiveStatus }
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
  /** A result beside the one it refers to: ComparedTexts. */
  | { readonly name: "compare"; readonly session: string; readonly context: string; readonly row: number }
  /** One log line, pretty-printed: LogLineText. */
  | { readonly name: "logLine"; readonly session: string; readonly context: string; readonly row: number };

/** Answer to `logLine`. */
export interface LogLineText {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}
