import { resolve } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { isFolder } from "../files/folders.js";
import { type FoundFolder, isWithin } from "./discover.js";

export interface SignalEvents {
  /** Something happened to `name` in the folder; the name is "" if the system does not provide it. */
  signal(folder: string, name: string): void;
  /** Added folders are watched from now on; anything that happened in them before was not signaled. */
  ready(): void;
  /** No more folders can be watched. */
  failed(error: NodeJS.ErrnoException): void;
}

interface Watch {
  readonly place: string;
  readonly watcher: FSWatcher;
}

/** Change signals from folders. Each folder is watched separately, and once, whatever names lead to it. */
export class FolderSignals {
  readonly #events: SignalEvents;
  readonly #watches = new Map<string, Watch>();
  /** The path under which each place is watched. */
  readonly #names = new Map<string, string>();
  /** Watchers that are not ready yet. */
  readonly #pending = new Set<FSWatcher>();
  #isStopped = false;

  constructor(events: SignalEvents) {
    this.#events = events;
  }

  /** How many folders are watched. */
  get count(): number {
    return this.#watches.size;
  }

  /** Whether the folder is already watched under another path. */
  isOtherName({ path, place }: FoundFolder): boolean {
    return (this.#names.get(place) ?? path) !== path;
  }

  /** Watches these folders too. */
  add(folders: readonly FoundFolder[]): void {
    for (const folder of folders) this.#watch(folder);
  }

  /** Watches exactly these folders. */
  set(folders: readonly FoundFolder[]): void {
    const wanted = new Set(folders.map(({ path }) => path));
    for (const path of [...this.#watches.keys()]) if (!wanted.has(path)) this.#drop(path);
    this.add(folders);
  }

  /** Call this when a folder was deleted or moved, with everything in it. Returns whether it was watched. */
  lose(folder: string): boolean {
    if (!this.#watches.has(folder)) return false;
    for (const path of [...this.#watches.keys()]) if (isWithin(folder, path)) this.#drop(path);
    return true;
  }

  /** Permanently: nothing can be watched after this. */
  stop(): void {
    this.#isStopped = true;
    for (const folder of [...this.#watches.keys()]) this.#drop(folder);
  }

  #drop(folder: string): void {
    const known = this.#watches.get(folder);
    if (known === undefined) return;
    void known.watcher.close();
    // It has no listeners any more: an error that is still under way would end the program.
    known.watcher.on("error", () => {});
    this.#pending.delete(known.watcher);
    this.#watches.delete(folder);
    this.#names.delete(known.place);
  }

  #watch({ path, place }: FoundFolder): void {
    // Another folder may have taken its path.
    if (this.#watches.get(path)?.place !== place) this.#drop(path);
    if (this.#isStopped || this.#names.has(place)) return;
    const own = resolve(path);
    const watcher = watch(path, {
      // The folder's own signals name the entry that changed. A link among them that leads to itself would be a failure.
      ignored: entry => resolve(entry) !== own,
      ignoreInitial: true,
      ignorePermissionErrors: true,
    });
    watcher.on("raw", (_event, name) => this.#events.signal(path, typeof name === "string" ? name : ""));
    watcher.on("ready", () => this.#ready(watcher));
    watcher.on("error", error => this.#fail(path, error as NodeJS.ErrnoException));
    this.#watches.set(path, { place, watcher });
    this.#names.set(place, path);
    this.#pending.add(watcher);
  }

  /** Reported once for all folders that were added together. */
  #ready(watcher: FSWatcher): void {
    if (this.#pending.delete(watcher) && this.#pending.size === 0) this.#events.ready();
  }

  /** A folder that is gone or unreadable is no failure: Windows reports the deletion of a watched folder as an error. */
  #fail(folder: string, error: NodeJS.ErrnoException): void {
    this.#drop(folder);
    if (!HARMLESS.has(error.code ?? "") && isFolder(folder)) this.#events.failed(error);
  }
}

const HARMLESS = new Set(["ENOENT", "ENOTDIR", "EACCES"]);
