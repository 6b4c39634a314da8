/**
 * Everything behind the panels: the library of sessions, the open ones, and the watch on the logs. It runs on its own
 * thread, so that nothing it does can block its host.
 */
import { handle, replyTo, unknownMessage } from "../protocol/channel.js";
import { findLogs } from "../tail/discover.js";
import { LogWatcher } from "../tail/watcher.js";
import { strings } from "../words/strings.js";
import { Comparisons } from "./compare/comparisons.js";
import type { EngineConfig, FromEngine, RequestTarget, SessionChange, ToEngine } from "./engineMessages.js";
import { LibraryReader } from "./library/libraryReader.js";
import { LiveLogs } from "./library/liveLogs.js";
import { Panel } from "./panel.js";
import { RequestScope, requestHandlers } from "./requestHandlers.js";
import { SessionStore } from "./sessionStore.js";
import type { SessionView } from "./sessionView.js";
import { Throttle } from "./throttle.js";

/** Changes to logs within this time are handled together. */
const GROW_MS = 15;
const LIST_MS = 250;
/** A page shows the start of a text; the log line has all of it. */
const MAX_PAGE_CHARS = 4000;

export class Engine {
  readonly #post: (message: FromEngine) => void;
  readonly #panels = new Map<number, Panel>();
  /** Sessions that are followed without a page, by the id of the watch. */
  readonly #watches = new Map<number, string>();
  readonly #store: SessionStore;
  readonly #liveLogs: LiveLogs;
  readonly #reader: LibraryReader;
  readonly #comparisons: Comparisons;
  readonly #handlers;
  #watcher: LogWatcher | undefined;
  #grown = new Set<string>();
  #growTimer: NodeJS.Timeout | undefined;
  /** Pictures of open sessions never wait for the list. */
  readonly #list = new Throttle(() => {
    for (const panel of this.#panels.values()) panel.refresh();
    this.#post({ type: "live", status: this.#store.live() });
  }, LIST_MS);

  constructor(post: (message: FromEngine) => void) {
    this.#post = post;
    this.#store = new SessionStore({
      listChanged: () => this.#list.schedule(),
      openSessions: () => this.#openSessions(),
    });
    this.#liveLogs = new LiveLogs(this.#store);
    this.#reader = new LibraryReader(this.#store, () => this.#liveLogs.clear());
    this.#comparisons = new Comparisons(this.#store, () => {
      for (const panel of this.#panels.values()) panel.sendAllSessions();
    });
    this.#handlers = requestHandlers(this.#store, this.#reader, this.#comparisons);
  }

  take(message: Exclude<ToEngine, { type: "stop" }>): void {
    switch (message.type) {
      case "configure":
        return this.#configure(message.config);
      case "page":
        // The list is on every page.
        if (message.message.type === "ready") void this.#reader.want();
        return this.#panel(message.panel).take(message.message);
      case "closed":
        return this.#close(message.panel);
      case "watch":
        return this.#watch(message.id, message.session);
      case "unwatch":
        return void this.#watches.delete(message.id);
      case "request":
        return void this.#answer(message);
      default:
        this.#post({ type: "notice", line: `to the engine: ${unknownMessage(message)}` });
    }
  }

  stop(): void {
    this.#reader.stop();
    clearTimeout(this.#growTimer);
    this.#store.stop();
    this.#list.stop();
    this.#liveLogs.clear();
    this.#comparisons.stop();
    this.#watcher?.stop();
  }

  async #answer({ id, ask, target }: Extract<ToEngine, { type: "request" }>): Promise<void> {
    this.#post(await replyTo(id, () => handle(this.#handlers, ask, this.#scopeOf(target))));
  }

  #scopeOf(target: RequestTarget | undefined): RequestScope {
    if (target === undefined || !("panel" in target))
      return new RequestScope(this.#store, target, Number.POSITIVE_INFINITY);
    return new RequestScope(this.#store, this.#panels.get(target.panel)?.selected, MAX_PAGE_CHARS);
  }

  #configure(config: EngineConfig): void {
    const before = this.#store.config;
    this.#store.configure(config);
    if (!isEqual(comparedUnder(before), comparedUnder(config))) this.#comparisons.forget();
    if (!isEqual(before.roots, config.roots)) {
      this.#startOver();
    } else if (!isEqual(before.settings, config.settings)) {
      for (const view of this.#store.views) view.change(config.settings);
      this.#resetAll();
      this.#reader.schedule();
    } else {
      this.#resetAll();
      if (!isEqual(before.figures, config.figures)) this.#store.listChanged();
    }
  }

  /** After a change of the roots: from here on, nothing about a log outside of them is reported. */
  #startOver(): void {
    const { roots } = this.#store.config;
    this.#store.clear();
    this.#grown.clear();
    this.#liveLogs.clear();
    this.#comparisons.stop(strings.failures.otherLogs);
    const found = findLogs(roots);
    this.#store.setSearchProblems(found.problems);
    for (const log of found.logs) this.#store.library.find(log);
    this.#store.listChanged();
    this.#watcher?.stop();
    this.#watcher = new LogWatcher(roots, {
      changed: path => this.#changed(path),
      gone: path => this.#gone(path),
      notice: line => {
        this.#store.addProblem(line);
        this.#post({ type: "notice", line });
      },
      searched: problems => this.#store.setSearchProblems(problems),
    });
    this.#watcher.start(true, found);
    this.#resetAll();
    this.#reader.schedule();
  }

  #resetAll(): void {
    for (const panel of this.#panels.values()) panel.reset();
    for (const session of new Set(this.#watches.values())) this.#resetWatches(session);
  }

  /** A log was deleted: a session without its main log closes, one without a subagent's log is shown without it. */
  #gone(path: string): void {
    const { library } = this.#store;
    const changed = new Set([...this.#openSessions()].filter(key => library.filesOf(key).includes(path)));
    this.#store.removeLog(path);
    for (const panel of this.#panels.values()) if (changed.has(panel.session ?? "")) panel.reset();
    for (const session of changed) this.#resetWatches(session);
  }

  /** Those that pages and watches have open. */
  #openSessions(): Set<string> {
    const shown = [...this.#panels.values()].flatMap(({ session }) => session ?? []);
    return new Set([...this.#watches.values(), ...shown]);
  }

  #resetWatches(session: string): void {
    this.#tellWatches(session, this.#store.view(session) === undefined ? "gone" : "reset");
  }

  #changed(path: string): void {
    const { library } = this.#store;
    const isNew = library.modified(path) === 0;
    library.touch(path);
    // Pages that follow the live session are waiting for a new one.
    if (isNew) this.#list.skipBackOff();
    this.#grown.add(path);
    this.#growTimer ??= setTimeout(() => {
      this.#growTimer = undefined;
      const paths = this.#grown;
      this.#grown = new Set();
      for (const grown of paths) {
        for (const view of this.#store.views) this.#grow(view, grown);
        // A log that nobody is viewing is not even opened until the list is wanted.
        if (this.#reader.isWanted || this.#store.viewOfLog(grown) !== undefined) this.#liveLogs.changed(grown);
      }
      this.#store.listChanged();
    }, GROW_MS);
  }

  #grow(view: SessionView, path: string): void {
    const isNew = !view.has(path) && this.#store.library.filesOf(view.key).includes(path);
    if (!isNew && !view.has(path)) return;
    const { results } = view;
    if (isNew) view.follow(path);
    const result = isNew ? "grown" : view.update(path);
    for (const panel of this.#panels.values()) {
      if (panel.session !== view.key) continue;
      if (result === "restarted") panel.reset();
      else if (result === "grown") panel.grow();
    }
    if (result === "absent" || result === "unreadable") this.#watcher?.retry(path);
    this.#store.setLogProblem(path, view.problem(path));
    if (result === "restarted") this.#tellWatches(view.key, "reset");
    else if (view.results !== results) this.#tellWatches(view.key, "grown");
  }

  #tellWatches(session: string, change: SessionChange): void {
    for (const [id, watched] of this.#watches) if (watched === session) this.#post({ type: "changed", id, change });
  }

  #watch(id: number, session: string): void {
    this.#watches.set(id, session);
    if (this.#store.view(session) !== undefined) this.#reader.addOpen();
  }

  #panel(id: number): Panel {
    const known = this.#panels.get(id);
    if (known !== undefined) return known;
    const sources = { store: this.#store, reader: this.#reader, comparisons: this.#comparisons };
    const panel = new Panel(sources, message => this.#post({ type: "page", panel: id, message }));
    this.#panels.set(id, panel);
    return panel;
  }

  #close(panel: number): void {
    this.#panels.get(panel)?.close();
    this.#panels.delete(panel);
  }
}

/** What invalidates a comparison over all sessions. Not the capacity, which the comparison names itself. */
function comparedUnder({ roots, settings, figures }: EngineConfig): unknown {
  return [roots, { ...settings, capacity: 0 }, figures];
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
