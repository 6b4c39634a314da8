/**
 * Tells when a log may have changed. A signal only means "look again": watchers lose changes (a second append within
 * milliseconds of the first is never signalled), so each signal is followed by further looks until the file has come to
 * rest, and slow polls catch what no signal told. Only folders are watched, never single files: thousands of old logs
 * must not use up the system's watches.
 */
import { type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { isTranscript } from "../log/layout.js";
import { type FoundLog, findLogs } from "./discover.js";

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

/** What tells that a log has changed; another file may take its name with the same size and time. */
type Known = Omit<FoundLog, "path">;

export class LogWatcher {
  readonly #roots: readonly string[];
  readonly #events: WatcherEvents;
  readonly #known = new Map<string, Known>();
  readonly #live = new Set<string>();
  readonly #rests = new Map<string, NodeJS.Timeout[]>();
  readonly #timers: NodeJS.Timeout[] = [];
  #watchers: FSWatcher[] = [];
  #fullPoll: NodeJS.Timeout | undefined;
  #polling: boolean;

  constructor(roots: readonly string[], events: WatcherEvents, options: WatcherOptions = {}) {
    this.#roots = roots;
    this.#events = events;
    this.#polling = options.polling ?? false;
  }

  /** Starts; the logs that are there already are told as changed unless `quiet`. */
  start(quiet = false, logs: readonly FoundLog[] = findLogs(this.#roots).logs): void {
    for (const { path, ...known } of logs) {
      this.#known.set(path, known);
      if (Date.now() - known.modified < LIVE_MS) this.#live.add(path);
      if (!quiet) this.#events.changed(path);
    }
    this.#timers.push(setInterval(() => this.#pollLive(), LIVE_POLL_MS));
    if (!this.#polling) this.#watchFolders();
    this.#schedulePoll();
  }

  /** A log that was told as changed could not be read: it is told again until it can, or is gone. */
  retry(path: string): void {
    const known = this.#known.get(path);
    if (known !== undefined) this.#known.set(path, { ...known, bytes: -1 });
  }

  async stop(): Promise<void> {
    for (const timer of [...this.#timers, ...[...this.#rests.values()].flat()]) clearTimeout(timer);
    clearTimeout(this.#fullPoll);
    this.#rests.clear();
    await Promise.all(this.#watchers.map(watcher => watcher.close()));
  }

  #watchFolders(): void {
    const single = this.#roots.filter(root => statOf(root)?.isFile());
    this.#watchers = [
      this.#watch(this.#roots.filter(root => !single.includes(root))),
      // For a log named by itself only its own folder is watched.
      this.#watch([...new Set(single.map(dirname))], 0),
    ];
  }

  #watch(paths: readonly string[], depth?: number): FSWatcher {
    const folders = watch([...paths], {
      ...(depth !== undefined && { depth }),
      // Files are told apart by their names in the folders' signals.
      ignored: (_path, stats) => stats?.isFile() ?? false,
      ignoreInitial: true,
      followSymlinks: true,
      ignorePermissionErrors: true,
    });
    folders.on("raw", (_event, name, details) => this.#signal(name, details));
    // A folder may be filled before its own watch begins.
    folders.on("addDir", path => this.#lookInto(path));
    // What was written while the watches were being set up was not signalled.
    folders.on("ready", () => this.#pollAll());
    folders.on("error", error => this.#giveUpWatching(error as NodeJS.ErrnoException));
    return folders;
  }

  #isWanted(path: string): boolean {
    return isTranscript(path) && this.#roots.some(root => isWithin(root, path));
  }

  #signal(name: unknown, details: unknown): void {
    const folder = (details as { watchedPath?: unknown } | null)?.watchedPath;
    if (typeof folder !== "string") return;
    if (typeof name !== "string" || name === "") this.#lookInto(folder);
    else if (this.#isWanted(join(folder, name))) this.#lookSoon(join(folder, name));
  }

  #lookInto(folder: string): void {
    for (const { path } of findLogs([folder]).logs) {
      if (this.#isWanted(path) && !this.#known.has(path)) this.#lookSoon(path);
    }
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
    if (stats?.isFile()) return this.#see(path, knownOf(stats));
    if (this.#known.has(path)) this.#forget(path);
    return false;
  }

  #see(path: string, now: Known): boolean {
    const known = this.#known.get(path);
    if (known?.bytes === now.bytes && known.modified === now.modified && known.ino === now.ino) return false;
    this.#known.set(path, now);
    this.#live.add(path);
    this.#events.changed(path);
    return true;
  }

  #forget(path: string): void {
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
    const found = new Set<string>();
    for (const { path, ...known } of findLogs(this.#roots).logs) {
      found.add(path);
      this.#see(path, known);
    }
    for (const path of this.#known.keys()) if (!found.has(path)) this.#look(path);
  }

  /** Too many folders for this system, or no signals to be had: polling serves, a little later. */
  #giveUpWatching(error: NodeJS.ErrnoException): void {
    if (this.#polling) return;
    this.#polling = true;
    const reason =
      error.code === "ENOSPC"
        ? "the system's limit of watched folders is reached (fs.inotify.max_user_watches)"
        : error.message;
    this.#events.notice(
      `folders cannot be watched: ${reason}; logs are polled every ${FULL_POLL_UNWATCHED_MS / 1000} s instead`,
    );
    for (const watcher of this.#watchers) void watcher.close();
    this.#watchers = [];
    clearTimeout(this.#fullPoll);
    this.#schedulePoll();
  }
}

/** However the root is spelt: "." too holds "session.jsonl". */
function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way);
}

function knownOf({ size, mtimeMs, ino }: Stats): Known {
  return { bytes: size, modified: Math.floor(mtimeMs), ino };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
