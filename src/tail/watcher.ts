/**
 * Tells when a log may have changed. A signal only means "look again": watchers lose changes (a second append within
 * milliseconds of the first is never signalled), so each signal is followed by further looks until the file has come to
 * rest, and slow polls catch what no signal told. Only folders are watched, never single files: thousands of old logs
 * must not use up the system's watches.
 */
import { type BigIntStats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFolder } from "../files/folders.js";
import { isTranscript } from "../log/layout.js";
import { type Discovery, type FoundFolder, findLogs, isWithin, type LogState, stateOf } from "./discover.js";
import { FolderSignals } from "./folderSignals.js";
import { placeOf } from "./seenPlaces.js";

export interface WatcherEvents {
  /** A log may be new or may have changed. */
  changed(path: string): void;
  /** A log is gone. */
  gone(path: string): void;
  /** One clear line that a user should read once. */
  notice(line: string): void;
}

export interface WatcherOptions {
  /** Never watch, only poll: for file systems that give no signals. */
  readonly polling?: boolean;
}

/** Looks after a signal, in milliseconds: the last two see the size at rest. */
const LOOK_AGAIN_MS = [30, 80, 160];
/** A log written to within this time is looked at every second. */
const LIVE_MS = 5 * 60_000;
const LIVE_POLL_MS = 1000;
/** Every log and folder: rarely where signals come, more often where none do. */
const FULL_POLL_MS = 60_000;
const FULL_POLL_UNWATCHED_MS = 10_000;

export class LogWatcher {
  readonly #roots: readonly string[];
  readonly #events: WatcherEvents;
  readonly #known = new Map<string, LogState>();
  /** The name of each known log, by the number of its file. */
  readonly #nameOf = new Map<number, string>();
  readonly #live = new Set<string>();
  readonly #rests = new Map<string, NodeJS.Timeout[]>();
  readonly #signals: FolderSignals;
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

  /** Starts; the logs that are there already are told as changed unless `quiet`. */
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

  /** A log that was told as changed could not be read: it is told again until it can, or is gone. */
  retry(path: string): void {
    const known = this.#known.get(path);
    if (known !== undefined) this.#known.set(path, { ...known, bytes: -1 });
  }

  stop(): void {
    const timers = [this.#livePoll, this.#fullPoll, ...[...this.#rests.values()].flat()];
    for (const timer of timers) clearTimeout(timer);
    this.#rests.clear();
    this.#signals.stop();
  }

  /** Watches the folders that were found, and no others. */
  #watchAll({ folders }: Discovery): void {
    if (!this.#polling) this.#signals.set([...folders, ...this.#aboveRoots()]);
  }

  /** For a log named by itself, or a root that is not there yet, the folder that holds it is watched. */
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
    else if (isTranscript(path)) this.#lookSoon(path);
    else if (this.#signals.lose(path)) this.#lookWithin(path);
  }

  /** A folder may be new, or another one of the same name, with anything in it. */
  #enter(folder: string): void {
    const { logs, folders } = findLogs([folder], found => this.#signals.isOtherName(found));
    for (const { path, ...known } of logs) if (this.#see(path, known)) this.#lookSoon(path);
    if (!this.#polling) this.#signals.add(folders);
  }

  /** Looks at what was known of a folder that is gone. */
  #lookWithin(folder: string): void {
    for (const path of [...this.#known.keys()]) if (isWithin(folder, path)) this.#look(path);
  }

  /** Looks now and again until the file has come to rest. */
  #lookSoon(path: string): void {
    this.#look(path);
    if (this.#rests.has(path)) return;
    const looks = LOOK_AGAIN_MS.map((delay, index) =>
      setTimeout(() => {
        const moved = this.#look(path);
        if (index < LOOK_AGAIN_MS.length - 1) return;
        this.#rests.delete(path);
        if (moved) this.#lookSoon(path);
      }, delay),
    );
    this.#rests.set(path, looks);
  }

  /** Whether the file has changed since the last look. */
  #look(path: string): boolean {
    const stats = statOf(path);
    if (stats?.isFile()) return this.#see(path, stateOf(stats));
    if (this.#known.has(path)) this.#forget(path);
    return false;
  }

  #see(path: string, now: LogState): boolean {
    const known = this.#known.get(path);
    if (known?.bytes === now.bytes && known.modified === now.modified && known.ino === now.ino) return false;
    if (known === undefined && this.#isOtherName(path, now)) return false;
    this.#unname(path);
    this.#remember(path, now);
    this.#live.add(path);
    this.#events.changed(path);
    return true;
  }

  #remember(path: string, known: LogState): void {
    this.#known.set(path, known);
    this.#nameOf.set(known.ino, path);
  }

  #unname(path: string): void {
    const ino = this.#known.get(path)?.ino ?? -1;
    if (this.#nameOf.get(ino) === path) this.#nameOf.delete(ino);
  }

  /** A link to a log, or a second name of it: it is told under the name that it has already. */
  #isOtherName(path: string, { ino }: LogState): boolean {
    const name = this.#nameOf.get(ino);
    return name !== undefined && name !== path && fileAt(path) === fileAt(name);
  }

  #forget(path: string): void {
    this.#unname(path);
    this.#known.delete(path);
    this.#live.delete(path);
    this.#events.gone(path);
  }

  #pollLive(): void {
    for (const path of this.#live) {
      this.#look(path);
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
    for (const { path, ...known } of found.logs) this.#see(path, known);
    const paths = new Set(found.logs.map(({ path }) => path));
    for (const path of [...this.#known.keys()]) if (!paths.has(path)) this.#look(path);
    this.#watchAll(found);
  }

  /** Too many folders for this system, or no signals to be had: polling serves, a little later. */
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

/** What tells the file behind a name from all others; undefined where there is none. */
function fileAt(path: string): string | undefined {
  const stats = statOf(path);
  return stats && placeOf(path, stats);
}
