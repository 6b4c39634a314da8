/**
 * Everything behind the panels: the library of sessions, the followed ones, the watch on the logs. It runs on a thread
 * of its own, so that nothing it does can hold up the program around it.
 */
import { statSync } from "node:fs";
import { LogCache } from "../cache/logCache.js";
import { Pictures } from "../cache/pictures.js";
import { DEFAULT_SETTINGS } from "../dedup/settings.js";
import type { Ratios } from "../log/calibration.js";
import type { SessionItem } from "../protocol/messages.js";
import { DEFAULT_FIGURES, WINDOW } from "../settings/table.js";
import { findLogs } from "../tail/discover.js";
import { LogWatcher } from "../tail/watcher.js";
import { Answers } from "./answers.js";
import { Comparisons, type ComparisonWorld } from "./compare/comparisons.js";
import type { EngineConfig, FromEngine, LiveStatus, ToEngine } from "./engineMessages.js";
import { Gathered } from "./gathered.js";
import { LibraryReading, type ReadingWorld } from "./library/firstReading.js";
import { LIVE_MS, Library, summaryOptions } from "./library/library.js";
import { LiveLogs, type LiveLogsWorld } from "./library/liveLogs.js";
import { Panel, type PanelWorld } from "./panel.js";
import { SessionView } from "./sessionView.js";

/** Several changes within this time are told as one. */
const GATHER_MS = 15;
const LIST_GATHER_MS = 250;
/** Sessions that nobody looks at are forgotten down to this many. */
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

export class Engine {
  readonly #post: (message: FromEngine) => void;
  readonly #panels = new Map<number, Panel>();
  readonly #views = new Map<string, SessionView>();
  /** Sessions that somebody wants to hear of, without a page. */
  readonly #watches = new Map<number, string>();
  #config = NO_CONFIG;
  #library = new Library();
  #watcher: LogWatcher | undefined;
  #cache: LogCache | undefined;
  #pictures: Pictures | undefined;
  /** One line for each thing that went wrong; a log has one for as long as something is wrong with it. */
  readonly #problems = new Set<string>();
  readonly #logProblems = new Map<string, string>();
  #items: SessionItem[] | undefined;
  #ratios: Ratios | undefined;
  #grown = new Set<string>();
  #growTimer: NodeJS.Timeout | undefined;
  /** Until the next session is no longer live. */
  #endTimer: NodeJS.Timeout | undefined;
  readonly #list = new Gathered(() => {
    for (const panel of this.#panels.values()) panel.refresh();
    this.#post({ type: "live", status: this.#live() });
  }, LIST_GATHER_MS);
  readonly #reading: LibraryReading;
  readonly #liveLogs: LiveLogs;
  readonly #comparisons: Comparisons;
  readonly #answers: Answers;

  constructor(post: (message: FromEngine) => void) {
    this.#post = post;
    this.#reading = new LibraryReading(this.#worldOfReading());
    this.#liveLogs = new LiveLogs(this.#worldOfLiveLogs());
    this.#comparisons = new Comparisons(this.#worldOfComparisons());
    const world = {
      sessions: () => this.#sessions(),
      ratios: () => this.#ratiosNow(),
      open: (key: string) => this.#open(key),
    };
    this.#answers = new Answers(world, this.#comparisons, post);
  }

  take(message: ToEngine): void {
    if (message.type === "configure") this.#configure(message.config);
    else if (message.type === "page") this.#panel(message.panel).take(message.message);
    else if (message.type === "closed") this.#close(message.panel);
    else if (message.type === "watch") this.#watch(message.id, message.session);
    else if (message.type === "unwatch") this.#watches.delete(message.id);
    else if (message.type === "query") void this.#answers.toProgram(message);
    else void this.stop();
  }

  async stop(): Promise<void> {
    this.#reading.stop();
    clearTimeout(this.#growTimer);
    clearTimeout(this.#endTimer);
    this.#list.stop();
    this.#liveLogs.forgetAll();
    this.#comparisons.stop();
    this.#watcher?.stop();
  }

  #configure(config: EngineConfig): void {
    const before = this.#config;
    this.#config = config;
    this.#items = undefined;
    if (!isEqual(replayed(before), replayed(config))) this.#comparisons.forget();
    this.#cache = config.useCache ? LogCache.ofUser() : undefined;
    this.#pictures = this.#cache && new Pictures(this.#cache.folder);
    if (!isEqual(before.roots, config.roots)) {
      this.#startOver();
    } else if (!isEqual(before.settings, config.settings)) {
      for (const view of this.#views.values()) view.change(config.settings);
      this.#resetAll();
      this.#reading.soon();
    } else {
      this.#resetAll();
      if (!isEqual(before.figures, config.figures)) this.#listChanged();
    }
  }

  #close(panel: number): void {
    this.#panels.get(panel)?.close();
    this.#panels.delete(panel);
  }

  #resetAll(): void {
    for (const panel of this.#panels.values()) panel.reset();
    // Roots may have changed, and with them what is followed.
    for (const [id, session] of this.#watches) {
      this.#post({ type: "changed", id, change: this.#view(session) === undefined ? "gone" : "anew" });
    }
  }

  #watch(id: number, session: string): void {
    this.#watches.set(id, session);
    this.#view(session);
  }

  /** Other roots: from here on nothing is told of a log that lies outside of them. */
  #startOver(): void {
    this.#library = new Library(this.#config.sample);
    this.#views.clear();
    this.#grown.clear();
    this.#liveLogs.forgetAll();
    this.#comparisons.stop("other logs are open now");
    this.#problems.clear();
    this.#logProblems.clear();
    const found = findLogs(this.#config.roots);
    for (const problem of found.problems) this.#problems.add(problem);
    for (const log of found.logs) this.#library.find(log);
    this.#listChanged();
    this.#watcher?.stop();
    this.#watcher = new LogWatcher(this.#config.roots, {
      changed: path => this.#changed(path),
      gone: path => {
        this.#library.remove(path);
        this.#logProblems.delete(path);
        this.#listChanged();
      },
      notice: line => this.#notice(line),
    });
    this.#watcher.start(true, found);
    this.#resetAll();
    this.#reading.soon();
  }

  #changed(path: string): void {
    const isNew = this.#library.modified(path) === 0;
    this.#library.touch(path);
    // Whoever follows is waiting for a new session.
    if (isNew) this.#list.hurry();
    this.#grown.add(path);
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      const paths = this.#grown;
      this.#grown = new Set();
      for (const grown of paths) {
        this.#grow(grown);
        this.#liveLogs.changed(grown);
      }
      this.#listChanged();
    }, GATHER_MS);
  }

  #grow(path: string): void {
    for (const view of this.#views.values()) {
      const isNew = !view.has(path) && this.#library.filesOf(view.key).includes(path);
      if (!isNew && !view.has(path)) continue;
      const { results } = view;
      if (isNew) view.follow(path);
      const look = isNew ? "grown" : view.look(path);
      for (const panel of this.#panels.values()) {
        if (panel.session !== view.key) continue;
        if (look === "restarted") panel.reset();
        else if (look === "grown") panel.grow();
      }
      if (look === "absent" || look === "unreadable") this.#watcher?.retry(path);
      this.#looked(path, view.problem(path));
      const change = look === "restarted" ? "anew" : "grown";
      if (look !== "restarted" && view.results === results) continue;
      for (const [id, session] of this.#watches) {
        if (session === view.key) this.#post({ type: "changed", id, change });
      }
    }
  }

  #looked(path: string, problem: string | undefined): void {
    if (this.#logProblems.get(path) === problem) return;
    if (problem === undefined) this.#logProblems.delete(path);
    else this.#logProblems.set(path, problem);
    this.#listChanged();
  }

  /** Gathers what has changed in the list; the picture of a session never waits for it. */
  #listChanged(): void {
    this.#items = undefined;
    this.#list.soon();
  }

  #live(): LiveStatus {
    const newest = this.#sessions().find(item => item.live && !item.sample);
    if (newest === undefined) return null;
    const view = this.#views.get(newest.key);
    const savedTokens = view?.savedTokens(this.#ratiosNow()) ?? newest.savedTokens;
    return { session: newest.key, title: newest.title, savedTokens };
  }

  #sessions(): SessionItem[] {
    if (this.#items !== undefined) return this.#items;
    this.#items = this.#library.items(this.#ratiosNow());
    // Nothing is written when a session ends, so nothing else would tell.
    clearTimeout(this.#endTimer);
    const { nextEnd } = this.#library;
    if (nextEnd !== undefined) {
      this.#endTimer = setTimeout(() => this.#listChanged(), Math.min(LIVE_MS, Math.max(0, nextEnd - Date.now())));
    }
    return this.#items;
  }

  #ratiosNow(): Ratios {
    const { calibrations: everywhere } = this.#library;
    const set = this.#config.figures.charsPerToken;
    if (this.#ratios?.everywhere !== everywhere || this.#ratios.set !== set) this.#ratios = { everywhere, set };
    return this.#ratios;
  }

  /** The session as somebody follows it; undefined where it is not among the logs that were found. */
  #view(key: string): SessionView | undefined {
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const files = this.#library.filesOf(key);
    if (files.length === 0) return undefined;
    const view = new SessionView(key, files, this.#config.settings, this.#cache);
    this.#views.set(key, view);
    for (const file of files) this.#looked(file, view.problem(file));
    const watched = new Set([...this.#watches.values(), ...[...this.#panels.values()].map(({ session }) => session)]);
    for (const old of [...this.#views.keys()].slice(0, -KEPT_VIEWS)) if (!watched.has(old)) this.#views.delete(old);
    return view;
  }

  /** Names of sessions come from outside, and may be old or made up: no other file is ever read. */
  #open(key: string): SessionView {
    const view = this.#view(key);
    if (view === undefined) throw new Error("this session is not among the open logs");
    return view;
  }

  /** What a session's picture is made from. */
  #stateOf(key: string): string {
    const files = this.#library.filesOf(key).map(path => {
      const { size, mtimeMs, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return [path, size, mtimeMs, ino];
    });
    return JSON.stringify([this.#config.settings, this.#config.figures, files]);
  }

  #panel(id: number): Panel {
    const known = this.#panels.get(id);
    if (known !== undefined) return known;
    const panel = new Panel(id, this.#worldOf(id));
    this.#panels.set(id, panel);
    return panel;
  }

  #worldOfReading(): ReadingWorld {
    const engine = this;
    return {
      get config() {
        return engine.#config;
      },
      get library() {
        return engine.#library;
      },
      get cache() {
        return engine.#cache;
      },
      followed: path => [...engine.#views.values()].find(view => view.has(path))?.keep(path),
      begins: () => engine.#liveLogs.forgetAll(),
      advanced: () => engine.#listChanged(),
      failed: (path, problem) => engine.#looked(path, problem),
      read: path => engine.#looked(path, undefined),
    };
  }

  #worldOfLiveLogs(): LiveLogsWorld {
    const engine = this;
    return {
      get options() {
        return summaryOptions(engine.#config.settings);
      },
      get cache() {
        return engine.#cache;
      },
      followed: path => [...engine.#views.values()].find(view => view.has(path))?.data(path),
      learned: logs => {
        for (const log of logs) engine.#library.add(log);
        engine.#listChanged();
      },
      looked: (path, problem) => engine.#looked(path, problem),
    };
  }

  #worldOfComparisons(): ComparisonWorld {
    const engine = this;
    return {
      get config() {
        return engine.#config;
      },
      filesOf: session => engine.#library.filesOf(session),
      ratios: () => engine.#ratiosNow(),
      open: session => engine.#open(session),
      allChanged: () => {
        for (const panel of engine.#panels.values()) panel.tellAll();
      },
    };
  }

  #worldOf(id: number): PanelWorld {
    const engine = this;
    return {
      get config() {
        return engine.#config;
      },
      get progress() {
        return engine.#reading.progress;
      },
      get problems() {
        return [...engine.#problems, ...engine.#logProblems.values()];
      },
      get all() {
        return engine.#comparisons.all;
      },
      sessions: () => engine.#sessions(),
      ratios: () => engine.#ratiosNow(),
      open: key => engine.#view(key),
      has: key => engine.#views.has(key) || engine.#library.filesOf(key).length > 0,
      recall: (key, context) =>
        engine.#views.has(key) ? undefined : engine.#pictures?.recall(key, context, engine.#stateOf(key)),
      remember: (key, context, picture) => engine.#pictures?.remember(key, context, engine.#stateOf(key), picture),
      post: message => engine.#post({ type: "page", panel: id, message }),
      request: (panel, message) => void engine.#answers.toPage(panel, message),
    };
  }

  #notice(line: string): void {
    this.#problems.add(line);
    this.#post({ type: "notice", line });
    this.#listChanged();
  }
}

/** What the comparison over all sessions depends on. */
function replayed({ roots, settings, figures }: EngineConfig): unknown {
  return [roots, settings, figures];
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
