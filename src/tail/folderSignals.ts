import { type FSWatcher, watch } from "chokidar";
import { isFolder } from "../files/folders.js";
import { type FoundFolder, isWithin } from "./discover.js";

export interface SignalEvents {
  /** Something has happened to `name` in the folder; where the system does not say to what, the name is "". */
  signal(folder: string, name: string): void;
  /** Folders that were added are watched from now on; what happened in them until now was not signalled. */
  ready(): void;
  /** No further folder can be watched. */
  failed(error: NodeJS.ErrnoException): void;
}

interface Watch {
  readonly place: string;
  readonly watcher: FSWatcher;
}

/** The system's signals from folders. Each folder is watched on its own and once, whatever names lead to it. */
export class FolderSignals {
  readonly #events: SignalEvents;
  readonly #watches = new Map<string, Watch>();
  /** The name under which each place is watched. */
  readonly #names = new Map<string, string>();
  /** Those whose watch has not begun yet. */
  readonly #pending = new Set<FSWatcher>();
  #isStopped = false;

  constructor(events: SignalEvents) {
    this.#events = events;
  }

  /** How many folders are watched. */
  get count(): number {
    return this.#watches.size;
  }

  /** Whether the folder is watched under another name. */
  isOtherName({ path, place }: FoundFolder): boolean {
    return (this.#names.get(place) ?? path) !== path;
  }

  /** Watches these folders too. */
  add(folders: readonly FoundFolder[]): void {
    for (const folder of folders) this.#watch(folder);
  }

  /** Watches these folders and no others. */
  set(folders: readonly FoundFolder[]): void {
    const wanted = new Set(folders.map(({ path }) => path));
    for (const path of [...this.#watches.keys()]) if (!wanted.has(path)) this.#drop(path);
    this.add(folders);
  }

  /** A folder is gone, or elsewhere, with all that are in it; whether it was watched. */
  lose(folder: string): boolean {
    if (!this.#watches.has(folder)) return false;
    for (const path of [...this.#watches.keys()]) if (isWithin(folder, path)) this.#drop(path);
    return true;
  }

  /** For good: nothing is watched from now on. */
  stop(): void {
    this.#isStopped = true;
    for (const folder of [...this.#watches.keys()]) this.#drop(folder);
  }

  #drop(folder: string): void {
    const known = this.#watches.get(folder);
    if (known === undefined) return;
    void known.watcher.close();
    this.#pending.delete(known.watcher);
    this.#watches.delete(folder);
    this.#names.delete(known.place);
  }

  #watch({ path, place }: FoundFolder): void {
    // Another folder may have taken the name.
    if (this.#watches.get(path)?.place !== place) this.#drop(path);
    if (this.#isStopped || this.#names.has(place)) return;
    const watcher = watch(path, {
      // What is in it is told apart by name in the folder's own signals.
      depth: 0,
      ignored: (_path, stats) => stats?.isFile() ?? false,
      ignoreInitial: true,
      ignorePermissionErrors: true,
    });
    watcher.on("raw", (_event, name) => this.#events.signal(path, typeof name === "string" ? name : ""));
    watcher.on("ready", () => this.#begun(watcher));
    watcher.on("error", error => this.#fail(path, error as NodeJS.ErrnoException));
    this.#watches.set(path, { place, watcher });
    this.#names.set(place, path);
    this.#pending.add(watcher);
  }

  /** Told once for all folders that were added together. */
  #begun(watcher: FSWatcher): void {
    if (this.#pending.delete(watcher) && this.#pending.size === 0) this.#events.ready();
  }

  /** A folder that is gone, or may not be read, is no failure: Windows reports the deletion of a watched one as an error. */
  #fail(folder: string, error: NodeJS.ErrnoException): void {
    this.#drop(folder);
    if (!HARMLESS.has(error.code ?? "") && isFolder(folder)) this.#events.failed(error);
  }
}

const HARMLESS = new Set(["ENOENT", "ENOTDIR", "EACCES"]);
