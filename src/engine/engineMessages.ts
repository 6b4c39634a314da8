/** Messages between the engine's thread and its host: the VS Code extension or the server. */

import type { DedupSettings } from "../dedup/settings.js";
import type { LiveFigures } from "../inspect/contextUse.js";
import type { Reply } from "../protocol/channel.js";
import type { PanelMessage, PanelUpdate } from "../protocol/messages.js";
import type { Ask, ContextRef, EngineRequests } from "../protocol/requests.js";
import type { LiveHintsState } from "../settings/liveSettings.js";
import type { FigureSettings, WindowSettings } from "../settings/table.js";

/** The engine's configuration; a change takes effect immediately. */
export interface EngineConfig {
  readonly place: "vscode" | "browser";
  /** Log files and folders to search. */
  readonly roots: readonly string[];
  /** The bundled sample's log, if it is below one of the roots: it is shown, but excluded from all totals. */
  readonly sample?: string | undefined;
  /** The workspace's folders: their sessions are read first. */
  readonly workspace: readonly string[];
  readonly settings: DedupSettings;
  readonly figures: FigureSettings;
  readonly axis: WindowSettings["axis"];
  readonly useCache: boolean;
  /** For the workspace; undefined if the host cannot turn them on. */
  readonly liveHints?: LiveHintsState;
}

/** The live session's figures for the status bar; null while no session is live. */
export type LiveStatus = (LiveFigures & { readonly session: string; readonly title: string }) | null;

/**
 * What happened to a watched session: it has more results; everything derived from it is stale; or it is no longer among
 * the logs, and whatever shows it must close.
 */
export type SessionChange = "grown" | "reset" | "gone";

/** The context that a request is about: the one that a page shows, or one that the host names. */
export type RequestTarget = { readonly panel: number } | ContextRef;

export type ToEngine =
  | { readonly type: "configure"; readonly config: EngineConfig }
  | { readonly type: "page"; readonly panel: number; readonly message: PanelMessage }
  | { readonly type: "closed"; readonly panel: number }
  /** Follow a session and report its changes, as `changed`. */
  | { readonly type: "watch"; readonly id: number; readonly session: string }
  | { readonly type: "unwatch"; readonly id: number }
  /** Answered by a Reply with the same id; without a target if it is not about a context. */
  | {
      readonly type: "request";
      readonly id: number;
      readonly ask: Ask<EngineRequests>;
      readonly target?: RequestTarget | undefined;
    }
  | { readonly type: "stop" };

export type FromEngine =
  | { readonly type: "page"; readonly panel: number; readonly message: PanelUpdate }
  | { readonly type: "live"; readonly status: LiveStatus }
  | { readonly type: "changed"; readonly id: number; readonly change: SessionChange }
  | { readonly type: "notice"; readonly line: string }
  | Reply;
