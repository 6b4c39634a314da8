/** All sessions there are, as one line each: what the session picker, the status bar and the report's totals need. */
import { statSync } from "node:fs";
import { addRow, emptyFigures, type Figures } from "../inspect/figures.js";
import type { LogData, ReplayOptions } from "../inspect/logModel.js";
import { ResultRows, ROW_WIDTH } from "../inspect/rows.js";
import { type Calibrations, calibrate, calibrationsOf, type Ratios, type Sample } from "../log/calibration.js";
import { groupSessions, type LogFile } from "../log/layout.js";
import type { SessionItem } from "../protocol/messages.js";
import type { FoundLog } from "../tail/discover.js";

/** A log written to within this time belongs to a session that is going on. */
const LIVE_MS = 5 * 60_000;

/** For so long the ratios over all sessions may lag behind. */
const FRESH_MS = 5000;

/** What is kept of a log that nobody looks at: its figures in characters, by model. */
interface LogSummary extends LogFile {
  readonly project: string;
  readonly title: string;
  readonly lastAt: string;
  readonly samples: readonly Sample[];
  readonly byModel: ReadonlyMap<string, Figures>;
}

export class Library {
  readonly #logs = new Map<string, LogSummary>();
  readonly #found = new Map<string, number>();
  #everywhere: { readonly all: Calibrations; readonly logs: number; readonly at: number } | undefined;
  /** How many logs were taken in so far. */
  #added = 0;
  readonly #ownCalibrations = new Map<string, { readonly logs: readonly LogSummary[]; readonly own: Calibrations }>();

  /** Takes in what a replay of a log gave. */
  add(data: LogData): void {
    this.#logs.set(data.path, summaryOf(data));
    this.#added++;
  }

  /** Everything has been read: what was put off is made up for. */
  settle(): void {
    this.#everywhere = undefined;
  }

  /** A log is there, with this much in it; its figures may come later. */
  find(log: FoundLog): void {
    this.#found.set(log.path, modifiedAt(log.path));
  }

  touch(path: string): void {
    this.#found.set(path, modifiedAt(path));
  }

  /** When the log was last written to, in milliseconds since 1970. */
  modified(path: string): number {
    return this.#found.get(path) ?? 0;
  }

  remove(path: string): void {
    this.#logs.delete(path);
    this.#ownCalibrations.delete(path);
    this.#found.delete(path);
  }

  get paths(): string[] {
    return [...this.#found.keys()];
  }

  /**
   * The ratios over all sessions, for those that cannot be calibrated by themselves. While thousands of logs come in
   * they are made anew now and then, not for each.
   */
  get calibrations(): Calibrations {
    const known = this.#everywhere;
    if (known?.logs === this.#added || (known !== undefined && Date.now() - known.at < FRESH_MS)) return known.all;
    const all = calibrationsOf([...this.#logs.values()].flatMap(log => log.samples));
    this.#everywhere = { all, logs: this.#added, at: Date.now() };
    return all;
  }

  /** The files of the session whose main log this is: that log first, then its subagents'. */
  filesOf(key: string): string[] {
    const session = this.#sessions().find(({ main }) => main.path === key);
    return session === undefined ? [key] : [session.main.path, ...session.agents.map(agent => agent.path)];
  }

  /** Newest first. */
  items(ratios: Ratios, now: number = Date.now()): SessionItem[] {
    return this.#sessions()
      .map(({ main, agents }) => this.#item([main, ...agents], ratios, now))
      .sort((left, right) => (left.lastAt < right.lastAt ? 1 : left.lastAt > right.lastAt ? -1 : 0));
  }

  #sessions() {
    const empty = { sessionId: undefined, project: "", title: "", lastAt: "", samples: [], byModel: new Map() };
    return groupSessions([...this.#found.keys()].map(path => this.#logs.get(path) ?? { path, ...empty }));
  }

  /** Only made anew for a session whose logs have changed. */
  #calibrationsOf(logs: readonly LogSummary[]): Calibrations {
    const key = logs[0]?.path ?? "";
    const known = this.#ownCalibrations.get(key);
    if (known?.logs.length === logs.length && known.logs.every((log, at) => log === logs[at])) return known.own;
    const own = calibrationsOf(logs.flatMap(log => log.samples));
    this.#ownCalibrations.set(key, { logs, own });
    return own;
  }

  #item(logs: readonly LogSummary[], ratios: Ratios, now: number): SessionItem {
    const main = logs[0] as LogSummary;
    const own = this.#calibrationsOf(logs);
    let [results, hits, savedTokens] = [0, 0, 0];
    for (const { byModel } of logs) {
      for (const [model, figures] of byModel) {
        results += figures.results;
        hits += figures.hits + figures.nearHits;
        savedTokens += figures.savedTokens / calibrate(model, own, ratios).charsPerToken;
      }
    }
    const modified = Math.max(...logs.map(log => this.#found.get(log.path) ?? 0));
    return {
      key: main.path,
      project: main.project,
      title: main.title,
      lastAt:
        logs
          .map(log => log.lastAt)
          .sort()
          .at(-1) || new Date(modified).toISOString(),
      live: now - modified < LIVE_MS,
      results,
      hits,
      savedTokens: Math.round(savedTokens),
    };
  }
}

/** How the library's logs are replayed: for figures only, and remembered. */
export function summaryOptions(settings: ReplayOptions["settings"]): ReplayOptions {
  return { settings, keepEvents: false, keepDetails: false, keepFacts: false };
}

function summaryOf(data: LogData): LogSummary {
  const byModel = new Map<string, Figures>();
  for (const context of data.contexts) {
    const figures = byModel.get(context.model) ?? emptyFigures();
    byModel.set(context.model, figures);
    const rows = new ResultRows(context.rows, context.rows.length / ROW_WIDTH);
    // A ratio of 1: the figures stay in characters until the session's calibration is known.
    for (let row = 0; row < rows.length; row++) addRow(figures, rows, row, 1, 0);
  }
  return {
    path: data.path,
    sessionId: data.sessionId,
    project: data.project ?? "",
    title: data.title ?? "",
    lastAt: data.lastAt ?? "",
    samples: data.samples,
    byModel,
  };
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
