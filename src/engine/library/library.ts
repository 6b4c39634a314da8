/** All sessions, one item each, for the session picker and the status bar. */
import { statSync } from "node:fs";
import { repeats } from "../../inspect/figures.js";
import type { LogSummary } from "../../inspect/logSummary.js";
import {
  type Calibrations,
  calibrate,
  calibrationsOfAll,
  type Ratios,
  type SampleRatios,
} from "../../log/calibration.js";
import { isSessionOfFolder } from "../../log/projectFolder.js";
import { agentOfFile, groupSessions, isOfSession } from "../../log/sessionFiles.js";
import type { PipelineOptions } from "../../pipeline/logPipeline.js";
import type { SessionItem } from "../../protocol/messages.js";
import { byNewest } from "../../protocol/sessions.js";
import type { FoundLog } from "../../tail/discover.js";

/** A session is live if one of its logs was written to within this time. */
export const LIVE_MS = 5 * 60_000;

/** The ratios over all sessions may be this old, or this many times as old as it takes to compute them. */
const FRESH_MS = 5000;
const FRESH_FACTOR = 50;

export class Library {
  readonly #sample: string | undefined;
  readonly #logs = new Map<string, LogSummary>();
  readonly #found = new Map<string, FoundLog>();
  #nextEnd: number | undefined;
  #everywhere: { readonly all: Calibrations; readonly logs: number; readonly until: number } | undefined;
  /** The number of additions so far, and of each log's last one. */
  #added = 0;
  readonly #additions = new Map<string, number>();
  /** The files of each session, by its main log. */
  #sessions: ReadonlyMap<string, readonly string[]> | undefined;
  /** The last item of each session, with everything it depends on. */
  readonly #items = new Map<string, KnownItem>();

  /** `sample` is the log of the bundled sample, which is not one of the user's own. */
  constructor(sample?: string) {
    this.#sample = sample;
  }

  /** Adds a replayed log. */
  add(summary: LogSummary): void {
    const { path, sessionId } = summary;
    const isOther = this.#logs.get(path)?.sessionId !== sessionId;
    if (isOther && agentOfFile(path) !== undefined) this.#sessions = undefined;
    this.#logs.set(path, summary);
    this.#additions.set(path, ++this.#added);
  }

  /** Later additions have a larger number. */
  get newest(): number {
    return this.#added;
  }

  /** Whether a log is no longer known, or was added after that addition. */
  isOutdated(path: string, addition: number): boolean {
    return !this.#found.has(path) || (this.#additions.get(path) ?? 0) > addition;
  }

  /** Everything has been read: recomputes the ratios. */
  settle(): void {
    this.#everywhere = undefined;
  }

  /** A log exists; its figures may be added later. */
  find(log: FoundLog): void {
    if (!this.#found.has(log.path)) this.#sessions = undefined;
    // A time ahead of our clock comes from another machine: without a limit, its session would stay live.
    this.#found.set(log.path, { ...log, modified: Math.min(log.modified, Date.now()) });
  }

  touch(path: string): void {
    const { size = 0, mtimeMs = 0, ino = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    this.find({ path, bytes: size, modified: mtimeMs, ino });
  }

  /** When the log was last written to, in milliseconds since 1970. */
  modified(path: string): number {
    return this.#found.get(path)?.modified ?? 0;
  }

  remove(path: string): void {
    this.#logs.delete(path);
    this.#additions.delete(path);
    this.#found.delete(path);
    this.#items.delete(path);
    this.#sessions = undefined;
  }

  get logs(): FoundLog[] {
    return [...this.#found.values()];
  }

  /**
   * The ratios over all sessions, for those that cannot be calibrated on their own. While thousands of logs are read,
   * they are recomputed only now and then.
   */
  get calibrations(): Calibrations {
    const known = this.#everywhere;
    const startedAt = performance.now();
    if (known !== undefined && (known.logs === this.#added || startedAt < known.until)) return known.all;
    const sample = this.#sample;
    const own = [...this.#logs.values()].filter(({ path }) => sample === undefined || !isOfSession(sample, path));
    const all = calibrationsOfAll(own.map(log => log.ratios));
    const now = performance.now();
    this.#everywhere = { all, logs: this.#added, until: now + Math.max(FRESH_MS, FRESH_FACTOR * (now - startedAt)) };
    return all;
  }

  /** The files of the session with this main log: that log first, then its subagents'. Empty if there is none. */
  filesOf(key: string): readonly string[] {
    return this.#filesBySession().get(key) ?? [];
  }

  /** When the first of the live sessions in the last list will end; undefined if none is live. */
  get nextEnd(): number | undefined {
    return this.#nextEnd;
  }

  /** Newest first. Unchanged items are the same objects as before. */
  items(ratios: Ratios, workspace: readonly string[], now: number = Date.now()): SessionItem[] {
    this.#nextEnd = undefined;
    const under = { ratios, workspace, now };
    return [...this.#filesBySession()].map(([key, files]) => this.#item(key, files, under)).sort(byNewest);
  }

  #filesBySession(): ReadonlyMap<string, readonly string[]> {
    if (this.#sessions !== undefined) return this.#sessions;
    const files = [...this.#found.keys()].map(path => ({ path, sessionId: this.#logs.get(path)?.sessionId }));
    const pathsOf = ({ main, agents }: ReturnType<typeof groupSessions>[number]) =>
      [main, ...agents].map(({ path }) => path);
    this.#sessions = new Map(groupSessions(files).map(session => [session.main.path, pathsOf(session)]));
    return this.#sessions;
  }

  #item(key: string, files: readonly string[], { ratios, workspace, now }: ListedUnder): SessionItem {
    const modified = files.reduce((latest, path) => Math.max(latest, this.modified(path)), 0);
    const live = now - modified < LIVE_MS;
    if (live) this.#nextEnd = Math.min(this.#nextEnd ?? Number.POSITIVE_INFINITY, modified + LIVE_MS);
    const known = this.#items.get(key);
    const isSame = known !== undefined && this.#areLogsOf(files, known.logs);
    const isListed = isSame && known.ratios === ratios && known.workspace === workspace;
    if (isListed && known.modified === modified && known.item.live === live) return known.item;
    const logs = isSame ? known.logs : files.map(path => this.#logs.get(path));
    const own = isSame ? known.own : calibrationsOfAll(logs.map(log => log?.ratios ?? NO_RATIOS));
    const sums = summed(logs, own, ratios, modified);
    const isHere = workspace.some(folder => isSessionOfFolder(key, sums.project, folder));
    const origin = key === this.#sample ? { sample: true as const } : isHere ? { here: true as const } : {};
    const made = { key, live, ...sums, ...origin };
    const item = known !== undefined && isSameItem(known.item, made) ? known.item : made;
    const under = { logs, own, ratios, workspace, modified, item };
    // With ten thousand sessions, a new object for each would leave megabytes of garbage every time.
    if (known === undefined) this.#items.set(key, under);
    else Object.assign(known, under);
    return item;
  }

  #areLogsOf(files: readonly string[], logs: readonly (LogSummary | undefined)[]): boolean {
    return files.length === logs.length && files.every((path, at) => this.#logs.get(path) === logs[at]);
  }
}

const NO_RATIOS: SampleRatios = new Map();

interface ListedUnder {
  readonly ratios: Ratios;
  /** The folders that are open in the window. */
  readonly workspace: readonly string[];
  readonly now: number;
}

interface KnownItem {
  ratios: Ratios;
  workspace: readonly string[];
  logs: readonly (LogSummary | undefined)[];
  own: Calibrations;
  modified: number;
  item: SessionItem;
}

function isSameItem(left: SessionItem, right: SessionItem): boolean {
  return (
    left.here === right.here && (Object.keys(left) as (keyof SessionItem)[]).every(name => left[name] === right[name])
  );
}

/** The main log comes first; logs that have not been read yet are undefined. */
function summed(
  logs: readonly (LogSummary | undefined)[],
  own: Calibrations,
  ratios: Ratios,
  modified: number,
): Omit<SessionItem, "key" | "live"> {
  let [results, repeating, tokens, savedTokens, wholeTokens, realisedTokens, lastAt] = [0, 0, 0, 0, 0, 0, ""];
  for (const log of logs) {
    if (log !== undefined && log.lastAt > lastAt) lastAt = log.lastAt;
    for (const [model, figures] of log?.byModel ?? []) {
      const { charsPerToken } = calibrate(model, own, ratios);
      results += figures.results;
      repeating += repeats(figures);
      tokens += figures.tokens / charsPerToken;
      savedTokens += figures.savedTokens / charsPerToken;
      wholeTokens += (figures.saved.whole.tokens + figures.saved.near.tokens) / charsPerToken;
      realisedTokens += figures.realisedTokens / charsPerToken;
    }
  }
  return {
    project: logs[0]?.project ?? "",
    title: logs[0]?.title ?? "",
    lastAt: lastAt || new Date(modified).toISOString(),
    results,
    repeats: repeating,
    tokens: Math.round(tokens),
    savedTokens: Math.round(savedTokens),
    wholeTokens: Math.round(wholeTokens),
    realisedTokens: Math.round(realisedTokens),
  };
}

/** How the library's logs are replayed: for figures only, and cached. */
export function summaryOptions(settings: PipelineOptions["settings"]): PipelineOptions {
  return { settings, keepEvents: false, keepDetails: false, keepFacts: false, withoutHooks: true };
}
