/** The extension's API for tests in a real VS Code; not available otherwise. */
import { CancellationTokenSource, type LogOutputChannel, type Uri } from "vscode";
import type { RunStrategy } from "../inspect/strategies.js";
import type { ContextRef } from "../protocol/requests.js";
import type { Actions } from "./actions.js";
import type { EngineHost } from "./engineHost.js";
import { writeReport } from "./exportReport.js";
import type { Pages } from "./pages.js";
import type { CallRef, SelectedCall } from "./selectedCall.js";
import type { StatusBar } from "./statusBar.js";

export interface ProbedPage {
  readonly kind: "view" | "editor";
  readonly shownContext: ContextRef | undefined;
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
  readonly selected: CallRef | undefined;
  select(call: CallRef | undefined): void;
  openCall(call: CallRef): Promise<void>;
  compare(call: CallRef, strategy: RunStrategy): Promise<void>;
  /** Ends the engine's thread as an error would. */
  crashEngine(): void;
  /** Export Report… without its dialog. */
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
      return pages.all.map(({ kind, shownContext, sent }) => ({ kind, shownContext, ...sent }));
    },
    get statusText() {
      return statusBar.text;
    },
    sessions: async () => (await engine.ask({ method: "sessions" })).map(({ key }) => key),
    get selected() {
      return selection.call;
    },
    select: call => selection.set(call),
    openCall: call => actions.openCall(call),
    compare: (call, strategy) => actions.compare(call, strategy),
    crashEngine: () => engine.crash(),
    writeReport: file => writeReport(actions.reportJob, file, log, { token: new CancellationTokenSource().token }),
  };
}
