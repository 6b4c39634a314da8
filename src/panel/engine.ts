/**
 * Everything behind the panels: the library of sessions, the followed ones, the watch on the logs. It runs on a thread
 * of its own, so that nothing it does can hold up the program around it.
 */
import { availableParallelism } from "node:os";
import { DEFAULT_SETTINGS } from "../dedup/settings.js";
import type { Calibrations } from "../log/calibration.js";
import type { Progress, SessionItem, ToHost } from "../protocol/messages.js";
import { findLogs } from "../tail/discover.js";
import { LogCache } from "../tail/logCache.js";
import { replayAll } from "../tail/replayPool.js";
import { LogWatcher } from "../tail/watcher.js";
import type { EngineConfig, FromEngine, LiveStatus, ToEngine } from "./engineMessages.js";
import { Library, summaryOptions } from "./library.js";
import { Panel, type PanelWorld } from "./panel.js";
import { answer } from "./queries.js";
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
  axis: "order",
  useCache: true,
};

export class Engine {
  readonly #post: (message: FromEngine) => void;
  readonly #panels = new Map<number, Panel>();
  readonly #views = new Map<string, SessionView>();
  #config = NO_CONFIG;
  #library = new Library();
  #watcher: LogWatcher | undefined;
  #cache: LogCache | undefined;
  #progress: Progress | null = null;
  #problems: string[] = [];
  #items: SessionItem[] | undefined;
  #calibrations: Calibrations | undefined;
  #grown = new Set<string>();
  #growTimer: NodeJS.Timeout | undefined;
  #listTimer: NodeJS.Timeout | undefined;
  /** The reading of the library that is going on: another one takes its place. */
  #reading = new AbortController();

  constructor(post: (message: FromEngine) => void) {
    this.#post = post;
  }

  take(message: ToEngine): void {
    if (message.type === "configure") void this.#configure(message.config);
    else if (message.type === "page") this.#panel(message.panel).take(message.message);
    else if (message.type === "closed") this.#panels.delete(message.panel);
    else if (message.type === "query") this.#query(message);
    else void this.stop();
  }

  async stop(): Promise<void> {
    this.#reading.abort();
    clearTimeout(this.#growTimer);
    clearTimeout(this.#listTimer);
    await this.#watcher?.stop();
  }

  async #configure(config: EngineConfig): Promise<void> {
    const before = this.#config;
    this.#config = config;
    this.#cache = config.useCache ? new LogCache() : undefined;
    if (!isEqual(before.roots, config.roots)) {
      const watcher = this.#watcher;
      this.#watcher = undefined;
      await watcher?.stop();
      // Other roots may have come meanwhile: they have started over already.
      if (isEqual(this.#config.roots, config.roots)) this.#startOver();
    } else if (!isEqual(before.settings, config.settings)) {
      for (const view of this.#views.values()) view.change(config.settings);
      for (const panel of this.#panels.values()) panel.reset();
      void this.#read();
    } else {
      for (const panel of this.#panels.values()) panel.reset();
    }
  }

  #startOver(): void {
    this.#library = new Library();
    this.#views.clear();
    this.#problems = [];
    const found = findLogs(this.#config.roots);
    this.#problems.push(...found.problems);
    for (const log of found.logs) this.#library.find(log);
    this.#listChanged();
    this.#watcher = new LogWatcher(this.#config.roots, {
      changed: path => this.#changed(path),
      gone: path => {
        this.#library.remove(path);
        this.#listChanged();
      },
      notice: line => this.#notice(line),
    });
    this.#watcher.start(true);
    for (const panel of this.#panels.values()) panel.reset();
    void this.#read();
  }

  /** Replays the whole library for its figures: the workspace's sessions first, then the newest. */
  async #read(): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const { logs } = findLogs(this.#config.roots);
    const bytes = logs.reduce((sum, log) => sum + log.bytes, 0);
    const startedAt = Date.now();
    let [filesDone, bytesDone] = [0, 0];
    const cacheFolder = this.#cache?.folder;
    const options = summaryOptions(this.#config.settings);
    await replayAll(
      { logs: this.#inOrder(logs), options, cacheFolder },
      {
        advance: length => {
          bytesDone += length;
        },
        done: ({ data, problem }) => {
          if (signal.aborted) return;
          filesDone++;
          if (data !== undefined) this.#library.add(data);
          if (problem !== undefined) this.#problems.push(problem);
          const share = bytes === 0 ? 1 : bytesDone / bytes;
          const secondsLeft = share > 0.02 ? ((Date.now() - startedAt) / 1000) * (1 / share - 1) : null;
          this.#progress = { filesDone, files: logs.length, bytesDone, bytes, secondsLeft };
          this.#listChanged();
        },
      },
      { threads: Math.max(1, availableParallelism() - 1), callerWorks: false, inGivenOrder: true, signal },
    );
    if (signal.aborted) return;
    this.#progress = null;
    this.#cache?.tidy();
    this.#listChanged();
  }

  #inOrder<L extends { path: string }>(logs: readonly L[]): L[] {
    const slugs = this.#config.workspace.map(folder => folder.replace(/[^A-Za-z0-9]/g, "-"));
    const isOwn = (path: string) => slugs.some(slug => path.includes(slug));
    const modified = new Map(logs.map(log => [log.path, this.#library.modified(log.path)]));
    return [...logs].sort(
      (left, right) =>
        Number(isOwn(right.path)) - Number(isOwn(left.path)) ||
        (modified.get(right.path) ?? 0) - (modified.get(left.path) ?? 0),
    );
  }

  #changed(path: string): void {
    this.#library.touch(path);
    this.#grown.add(path);
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      const paths = this.#grown;
      this.#grown = new Set();
      for (const grown of paths) this.#grow(grown);
      this.#listChanged();
    }, GATHER_MS);
  }

  #grow(path: string): void {
    for (const view of this.#views.values()) {
      const isNew = !view.has(path) && this.#library.filesOf(view.key).includes(path);
      if (isNew) view.follow(path);
      else if (!view.has(path)) continue;
      const look = isNew ? "grown" : view.look(path);
      for (const panel of this.#panels.values()) {
        if (panel.session !== view.key) continue;
        if (look === "restarted") panel.reset();
        else if (look === "grown") panel.grow();
      }
    }
  }

  /** Gathers what has changed in the list; the picture of a session never waits for it. */
  #listChanged(): void {
    this.#items = undefined;
    this.#calibrations = undefined;
    this.#listTimer ??= setTimeout(() => {
      this.#listTimer = undefined;
      for (const panel of this.#panels.values()) panel.refresh();
      this.#post({ type: "live", status: this.#live() });
    }, LIST_GATHER_MS);
  }

  #live(): LiveStatus {
    const newest = this.#sessions()[0];
    if (newest === undefined || !newest.live) return null;
    const view = this.#views.get(newest.key);
    const savedTokens = view?.savedTokens(this.#calibrationsNow()) ?? newest.savedTokens;
    return { session: newest.key, title: newest.title, savedTokens };
  }

  #sessions(): SessionItem[] {
    this.#items ??= this.#library.items();
    return this.#items;
  }

  #calibrationsNow(): Calibrations {
    this.#calibrations ??= this.#library.calibrations;
    return this.#calibrations;
  }

  #view(key: string): SessionView {
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const view = new SessionView(key, this.#library.filesOf(key), this.#config.settings, this.#cache);
    this.#views.set(key, view);
    const watched = new Set([...this.#panels.values()].map(panel => panel.session));
    for (const old of [...this.#views.keys()].slice(0, -KEPT_VIEWS)) if (!watched.has(old)) this.#views.delete(old);
    return view;
  }

  #panel(id: number): Panel {
    const known = this.#panels.get(id);
    if (known !== undefined) return known;
    const panel = new Panel(id, this.#worldOf(id));
    this.#panels.set(id, panel);
    return panel;
  }

  #worldOf(id: number): PanelWorld {
    const engine = this;
    return {
      get config() {
        return engine.#config;
      },
      get progress() {
        return engine.#progress;
      },
      get problems() {
        return engine.#problems;
      },
      sessions: () => engine.#sessions(),
      calibrations: () => engine.#calibrationsNow(),
      open: key => engine.#view(key),
      post: message => engine.#post({ type: "page", panel: id, message }),
      request: (panel, message) => engine.#request(panel, message),
    };
  }

  #request(panel: Panel, { id, ask }: Extract<ToHost, { type: "request" }>): void {
    const { session, context } = panel;
    if (session === undefined && "row" in ask) {
      const message = "no session is selected";
      return this.#post({ type: "page", panel: panel.id, message: { type: "failure", id, message } });
    }
    if (ask.method === "details") {
      const result = this.#view(session ?? "").details(context, ask.row, DETAIL_CHARS);
      this.#post({ type: "page", panel: panel.id, message: { type: "reply", id, result } });
    } else if (ask.method === "transcript") {
      const query = {
        name: "transcript",
        session: session ?? "",
        context,
        fromRow: ask.fromRow,
        count: ask.count,
      } as const;
      const result = answer(query, this.#queryWorld(), DETAIL_CHARS);
      this.#post({ type: "page", panel: panel.id, message: { type: "reply", id, result } });
    } else {
      this.#post({ type: "errand", errand: { panel: panel.id, id, ask, session: session ?? "", context } });
    }
  }

  #query({ id, query }: Extract<ToEngine, { type: "query" }>): void {
    try {
      this.#post({ type: "answer", id, result: answer(query, this.#queryWorld()) });
    } catch (error) {
      this.#post({ type: "answer", id, problem: (error as Error).message });
    }
  }

  #queryWorld() {
    return { sessions: () => this.#sessions(), open: (key: string) => this.#view(key) };
  }

  #notice(line: string): void {
    this.#problems.push(line);
    this.#post({ type: "notice", line });
    this.#listChanged();
  }
}

/** A card shows the beginning of a text; the transcript has all of it. */
const DETAIL_CHARS = 4000;

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
