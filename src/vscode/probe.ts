/** What tests in a real VS Code look at; nobody else gets it. */
import { CancellationTokenSource, type LogOutputChannel, type Uri } from "vscode";
import type { SpanStrategy } from "../inspect/strategies.js";
import type { SessionItem } from "../protocol/messages.js";
import type { Actions } from "./actions.js";
import type { EngineHost } from "./engineHost.js";
import { writeReport } from "./exportReport.js";
import type { Pages } from "./pages.js";
import type { CallPlace, Looked } from "./place.js";
import type { SelectedCall } from "./selection.js";
import type { StatusBar } from "./statusBar.js";

export interface ProbedPage {
  readonly kind: "view" | "editor";
  readonly looksAt: Looked | undefined;
  readonly snapshots: number;
  readonly deltas: number;
}

export interface Probe {
  readonly activationMs: number;
  readonly isEngineRunning: boolean;
  readonly pages: readonly ProbedPage[];
  readonly statusText: string | undefined;
  /** The main logs of all sessions that the engine has found. */
  sessions(): Promise<readonly string[]>;
  select(place: CallPlace | undefined): void;
  openCall(place: CallPlace): Promise<void>;
  compare(place: CallPlace, strategy: SpanStrategy): Promise<void>;
  /** Ends the engine's thread as a fault in it would. */
  crashEngine(): void;
  /** Export Report… after its dialog. */
  writeReport(file: Uri): Promise<boolean>;
}

export interface ProbedParts {
  readonly activationMs: number;
  readonly actions: Actions;
  readonly engine: EngineHost;
  readonly log: LogOutputChannel;
  readonly pages: Pages;
  readonly selection: SelectedCall;
  readonly statusBar: StatusBar;
}

export function probe({ activationMs, actions, engine, log, pages, selection, statusBar }: ProbedParts): Probe {
  return {
    activationMs,
    get isEngineRunning() {
      return engine.isRunning;
    },
    get pages() {
      return pages.all.map(({ kind, looksAt, told }) => ({ kind, looksAt, ...told }));
    },
    get statusText() {
      return statusBar.text;
    },
    sessions: async () => ((await engine.ask({ name: "sessions" })) as readonly SessionItem[]).map(({ key }) => key),
    select: place => selection.set(place),
    openCall: place => actions.openCall(place),
    compare: (place, strategy) => actions.compare(place, strategy),
    crashEngine: () => engine.crash(),
    writeReport: file => writeReport(actions.reportJob, file, log, new CancellationTokenSource().token),
  };
}
