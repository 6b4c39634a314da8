/**
 * Reports when a log may have changed. A signal only means "check again": watchers miss changes (a second append within
 * milliseconds of the first is never signaled), so the file is checked again after each signal until it has stopped
 * changing, and slow polls catch changes without a signal. Only folders are watched, never single files: thousands of
 * old logs must not exhaust the system's watches.
 */
import { type BigIntStats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFolder } from "../files/folders.js";
import { isTranscript } from "../log/sessionFiles.js";
import { type Discovery, type FoundFolder, findLogs, isWithin, type LogState, placeOf, stateOf } from "./discover.js";
import { FolderSignals } from "./folderSignals.js";

export interface WatcherEvents {
  /** A log may be new or may have changed. */
  changed(path: string): void;
  /** A log is gone. */
  gone(path: string): void;
  /** One line that the user should see once. */
  notice(line: string): void;
  /** Everything was searched again: one line about each path that could not be read. */
  searched?(problems: readonly string[]): void;
}

export interface WatcherOptions {
  /** Only poll: for file systems without change signals. */
  readonly polling?: boolean;
}

/** When to check again after a signal: the last two see a file that has stopped changing. */
const CHECK_AGAIN_MS = [30, 80, 160];
/** A log that was written to within this time is checked every second. */
const LIVE_MS = 5 * 60_000;
const LIVE_POLL_MS = 1000;
/** Every log and folder: rarely if folders are watched, more often if they are not. */
const FULL_POLL_MS = 60_000;
const FULL_POLL_UNWATCHED_MS = 10_000;

export class LogWatcher {
  readonly #roots: readonly string[];
  readonly #events: WatcherEvents;
  readonly #known = new Map<string, LogState>();
  /** The path of each known log, by its file number. */
  readonly #pathOf = new Map<number, string>();
  readonly #live = new Set<string>();
  /** The checks scheduled after a signal. */
  readonly #checks = new Map<string, NodeJS.Timeout[]>();
  readonly #signals: FolderSignals;
  /** The roots that did not exist when they were last searched. */
  #missing: readonly string[] = [];
  #livePoll: NodeJS.Timeout | undefined;
  #fullPoll: NodeJS.Timeout | undefined;
  #polling: boolean;

  constructor(roots: readonly string[], events: WatcherEvents, options: WatcherOptions = {}) {
    this.#roots = roots;
    this.#events = events;
    this.#polling = options.polling ?? false;
    this.#signals = new FolderSignals({
      signal: (folder, name) => this.#signal(folder, name),
      ready: () => this.#pollAll(),
      failed: error => this.#giveUpWatching(error),
    });
  }

  /** How many folders are watched. */
  get watched(): number {
    return this.#signals.count;
  }

  /** Starts; existing logs are reported as changed unless `quiet`. */
  start(quiet = false, found: Discovery = findLogs(this.#roots)): void {
    for (const { path, ...known } of found.logs) {
      this.#remember(path, known);
      if (Date.now() - known.modified < LIVE_MS) this.#live.add(path);
      if (!quiet) this.#events.changed(path);
    }
    this.#livePoll = setInterval(() => this.#pollLive(), LIVE_POLL_MS);
    this.#watchAll(found);
    this.#schedulePoll();
  }

  /** Call this if a reported log could not be read: it is reported again until it can be, or is gone. */
  retry(path: string): void {
    const known = this.#known.get(path);
    if (known !== undefined) this.#known.set(path, { ...known, bytes: -1 });
  }

  stop(): void {
    const timers = [this.#livePoll, this.#fullPoll, ...[...this.#checks.values()].flat()];
    for (const timer of timers) clearTimeout(timer);
    this.#checks.clear();
    this.#signals.stop();
  }

  #watchAll({ folders }: Discovery): void {
    this.#missing = this.#roots.filter(root => statOf(root) === undefined);
    if (!this.#polling) this.#signals.set([...folders, ...this.#aboveRoots()]);
  }

  /** If a root is a single log, or does not exist yet, its parent folder is watched. */
  #aboveRoots(): FoundFolder[] {
    const above = this.#roots.filter(root => !isFolder(root)).map(dirname);
    return above.flatMap(path => {
      const stats = statOf(path);
      return stats?.isDirectory() ? [{ path, place: placeOf(path, stats) }] : [];
    });
  }

  #isWithinRoots(path: string): boolean {
    return this.#roots.some(root => isWithin(root, path));
  }

  #signal(folder: string, name: string): void {
    const path = name === "" ? folder : join(folder, name);
    if (!this.#isWithinRoots(path)) return;
    if (isFolder(path)) this.#enter(path);
    else if (isTranscript(path)) this.#checkUntilQuiet(path);
    else if (this.#signals.lose(path)) this.#checkWithin(path);
  }

  /** The folder may be new, or another one with the same name, with anything in it. */
  #enter(folder: string): void {
    const { logs, folders } = findLogs([folder], { skips: found => this.#signals.isOtherName(found) });
    for (const { path, ...known } of logs) if (this.#update(path, known)) this.#checkUntilQuiet(path);
    if (!this.#polling) this.#signals.add(folders);
  }

  /** Checks the known logs of a folder that is gone. */
  #checkWithin(folder: string): void {
    for (const path of [...this.#known.keys()]) if (isWithin(folder, path)) this.#check(path);
  }

  /** Checks now, and again until the file has stopped changing. */
  #checkUntilQuiet(path: string): void {
    this.#check(path);
    if (this.#checks.has(path)) return;
    const timers = CHECK_AGAIN_MS.map((delay, index) =>
      setTimeout(() => {
        const hasChanged = this.#check(path);
        if (index < CHECK_AGAIN_MS.length - 1) return;
        this.#checks.delete(path);
        if (hasChanged) this.#checkUntilQuiet(path);
      }, delay),
    );
    this.#checks.set(path, timers);
  }

  /** Returns whether the file has changed since the last check. */
  #check(path: string): boolean {
    const stats = statOf(path);
    if (stats?.isFile()) return this.#update(path, stateOf(stats));
    if (this.#known.has(path)) this.#forget(path);
    return false;
  }

  #update(path: string, now: LogState): boolean {
    const known = this.#known.get(path);
    if (known?.bytes === now.bytes && known.modified === now.modified && known.ino === now.ino) return false;
    if (known === undefined && this.#isOtherName(path, now)) return false;
    this.#dropPath(path);
    this.#remember(path, now);
    this.#live.add(path);
    this.#events.changed(path);
    return true;
  }

  #remember(path: string, known: LogState): void {
    this.#known.set(path, known);
    this.#pathOf.set(known.ino, path);
  }

  #dropPath(path: string): void {
    const ino = this.#known.get(path)?.ino ?? -1;
    if (this.#pathOf.get(ino) === path) this.#pathOf.delete(ino);
  }

  /** A link to a known log, or a second name for it: it is reported under the known path. */
  #isOtherName(path: string, { ino }: LogState): boolean {
    const known = this.#pathOf.get(ino);
    return known !== undefined && known !== path && fileAt(path) === fileAt(known);
  }

  #forget(path: string): void {
    this.#dropPath(path);
    this.#known.delete(path);
    this.#live.delete(path);
    this.#events.gone(path);
  }

  #pollLive(): void {
    // Nothing signals a root whose parent folder does not exist either.
    if (this.#missing.some(root => statOf(root) !== undefined)) this.#pollAll();
    for (const path of this.#live) {
      this.#check(path);
      if (Date.now() - (this.#known.get(path)?.modified ?? 0) > LIVE_MS) this.#live.delete(path);
    }
  }

  #schedulePoll(): void {
    const delay = this.#polling ? FULL_POLL_UNWATCHED_MS : FULL_POLL_MS;
    this.#fullPoll = setTimeout(() => {
      this.#pollAll();
      this.#schedulePoll();
    }, delay);
  }

  #pollAll(): void {
    const found = findLogs(this.#roots);
    for (const { path, ...known } of found.logs) this.#update(path, known);
    const paths = new Set(found.logs.map(({ path }) => path));
    for (const path of [...this.#known.keys()]) if (!paths.has(path)) this.#check(path);
    this.#watchAll(found);
    this.#events.searched?.(found.problems);
  }

  /** Too many folders for this system, or no signals available: polling works too, with some delay. */
  #giveUpWatching(error: NodeJS.ErrnoException): void {
    if (this.#polling) return;
    this.#polling = true;
    const reason =
      error.code === "ENOSPC"
        ? "the system limit on watched folders has been reached (fs.inotify.max_user_watches)"
        : error.message;
    this.#events.notice(
      `cannot watch folders: ${reason}; polling logs every ${FULL_POLL_UNWATCHED_MS / 1000} s instead`,
    );
    this.#signals.stop();
    clearTimeout(this.#fullPoll);
    this.#schedulePoll();
  }
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Identifies the file behind a path; undefined if there is none. */
function fileAt(path: string): string | undefined {
  const stats = statOf(path);
  return stats && placeOf(path, stats);
}
