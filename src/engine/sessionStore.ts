/** What the engine knows about all sessions under its configuration, and the open sessions. */
import { statSync } from "node:fs";
import { LogCache } from "../cache/logCache.js";
import { type Picture, Pictures } from "../cache/pictures.js";
import { DEFAULT_SETTINGS } from "../dedup/settings.js";
import { followedSessions } from "../inspect/sessionList.js";
import type { Ratios } from "../log/calibration.js";
import type { SessionItem } from "../protocol/messages.js";
import { DEFAULT_FIGURES, WINDOW } from "../settings/table.js";
import { strings } from "../words/strings.js";
import type { EngineConfig, LiveStatus } from "./engineMessages.js";
import { LIVE_MS, Library } from "./library/library.js";
import { LiveChoice } from "./liveChoice.js";
import { SessionView } from "./sessionView.js";

/** This many of the last opened sessions are kept, even if no longer open. */
const KEPT_VIEWS = 4;

const NO_CONFIG: EngineConfig = {
  place: "browser",
  roots: [],
  workspace: [],
  settings: DEFAULT_SETTINGS,
  figures: DEFAULT_FIGURES,
  axis: WINDOW.axis.default,
  useCache: true,
};

export interface StoreEvents {
  /** The list of sessions, or their problems, have changed. */
  listChanged(): void;
  /** The keys of the sessions that pages and watches have open. */
  openSessions(): ReadonlySet<string>;
}

export class SessionStore {
  readonly #events: StoreEvents;
  readonly #views = new Map<string, SessionView>();
  readonly #problems = new Set<string>();
  /** Of the last search for logs. */
  #searchProblems: readonly string[] = [];
  /** By log: a problem is listed until the log can be read. */
  readonly #logProblems = new Map<string, string>();
  #config = NO_CONFIG;
  #library = new Library();
  #cache: LogCache | undefined;
  #pictures: Pictures | undefined;
  #sessions: SessionItem[] | undefined;
  #ratios: Ratios | undefined;
  /** What `live` returned last. */
  #liveSession: string | undefined;
  readonly #liveChoice = new LiveChoice();
  /** Fires when the next live session ends. */
  #endTimer: NodeJS.Timeout | undefined;

  constructor(events: StoreEvents) {
    this.#events = events;
  }

  get config(): EngineConfig {
    return this.#config;
  }

  get library(): Library {
    return this.#library;
  }

  get cache(): LogCache | undefined {
    return this.#cache;
  }

  /** One line for each problem. */
  get problems(): string[] {
    return [...this.#searchProblems, ...this.#problems, ...this.#logProblems.values()];
  }

  get views(): Iterable<SessionView> {
    return this.#views.values();
  }

  configure(config: EngineConfig): void {
    this.#config = config;
    this.#sessions = undefined;
    this.#cache = config.useCache ? LogCache.ofUser() : undefined;
    this.#pictures = this.#cache && new Pictures(this.#cache.folder);
  }

  /** Forgets all sessions: the roots have changed. */
  clear(): void {
    this.#library = new Library(this.#config.sample);
    this.#views.clear();
    this.#problems.clear();
    this.#searchProblems = [];
    this.#logProblems.clear();
  }

  stop(): void {
    clearTimeout(this.#endTimer);
  }

  listChanged(): void {
    this.#sessions = undefined;
    this.#events.listChanged();
  }

  addProblem(line: string): void {
    this.#problems.add(line);
    this.listChanged();
  }

  /** A problem is listed until the next search does not find it. */
  setSearchProblems(problems: readonly string[]): void {
    if (String(problems) === String(this.#searchProblems)) return;
    this.#searchProblems = problems;
    this.listChanged();
  }

  /** `problem` is undefined if the log could be read. */
  setLogProblem(path: string, problem: string | undefined): void {
    if (this.#logProblems.get(path) === problem) return;
    if (problem === undefined) this.#logProblems.delete(path);
    else this.#logProblems.set(path, problem);
    this.listChanged();
  }

  /** The log was deleted. Its session is opened again from the others, if there is still one. */
  removeLog(path: string): void {
    const view = this.viewOfLog(path);
    if (view !== undefined) this.#views.delete(view.key);
    this.#library.remove(path);
    this.#logProblems.delete(path);
    this.listChanged();
  }

  /** Newest first; unchanged items are the same objects as before. */
  sessions(): readonly SessionItem[] {
    if (this.#sessions !== undefined) return this.#sessions;
    this.#sessions = this.#library.items(this.ratios(), this.#config.workspace);
    // Nothing is written when a session ends, so no watcher reports it.
    clearTimeout(this.#endTimer);
    const { nextEnd } = this.#library;
    if (nextEnd !== undefined) {
      this.#endTimer = setTimeout(() => this.listChanged(), Math.min(LIVE_MS, Math.max(0, nextEnd - Date.now())));
    }
    return this.#sessions;
  }

  live(): LiveStatus {
    const chosen = this.#liveChoice.next(followedSessions(this.sessions()), this.#liveSession);
    this.#liveSession = chosen?.key;
    if (chosen === undefined) return null;
    const view = this.#views.get(chosen.key);
    const { key: session, title, tokens, savedTokens, realisedTokens } = chosen;
    return { session, title, tokens, savedTokens, realisedTokens, ...view?.live(this.ratios()) };
  }

  ratios(): Ratios {
    const { calibrations: everywhere } = this.#library;
    const set = this.#config.figures.charsPerToken;
    if (this.#ratios?.everywhere !== everywhere || this.#ratios.set !== set) this.#ratios = { everywhere, set };
    return this.#ratios;
  }

  /** Whether there is such a session. */
  has(key: string): boolean {
    return this.#views.has(key) || this.#library.filesOf(key).length > 0;
  }

  /** The session, opened if necessary and shared by everybody; undefined if it is not among the logs. */
  view(key: string): SessionView | undefined {
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const files = this.#library.filesOf(key);
    if (files.length === 0) return undefined;
    const view = new SessionView(key, files, this.#config.settings, this.#cache);
    this.#views.set(key, view);
    for (const file of files) this.setLogProblem(file, view.problem(file));
    const open = this.#events.openSessions();
    for (const old of [...this.#views.keys()].slice(0, -KEPT_VIEWS)) if (!open.has(old)) this.#views.delete(old);
    return view;
  }

  /** Keys are external input and may be stale or made up: no other file is ever read. */
  open(key: string): SessionView {
    const view = this.view(key);
    if (view === undefined) throw new Error(strings.failures.sessionGone);
    return view;
  }

  /** The open session that follows this log. */
  viewOfLog(path: string): SessionView | undefined {
    return [...this.#views.values()].find(view => view.has(path));
  }

  /** The last picture of a session that is not open; undefined if it has changed since. */
  recall(key: string, context: string): Picture | undefined {
    return this.#views.has(key) ? undefined : this.#pictures?.recall(key, context, this.#stateOf(key));
  }

  remember(key: string, context: string, picture: Picture): void {
    this.#pictures?.remember(key, context, this.#stateOf(key), picture);
  }

  /** Everything that a session's picture depends on. */
  #stateOf(key: string): string {
    const files = this.#library.filesOf(key).map(path => {
      const { size, mtimeMs, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return [path, size, mtimeMs, ino];
    });
    return JSON.stringify([this.#config.settings, this.#config.figures, files]);
  }
}
