import { type FSWatcher, watch } from "node:fs";
import { type FoundFolder, isWithin } from "./discover.js";
import { isFolder } from "./folders.js";

export interface SignalEvents {
  /** Something has happened to `name` in the folder; where the system does not say to what, the name is "". */
  signal(folder: string, name: string): void;
  /** No further folder can be watched. */
  failed(error: NodeJS.ErrnoException): void;
}

interface Watch {
  readonly place: string;
  readonly watcher: FSWatcher;
}

/** The system's signals from folders. Each folder is watched by itself and once, whatever names lead to it. */
export class FolderSignals {
  readonly #events: SignalEvents;
  readonly #watches = new Map<string, Watch>();
  /** The name under which each place is watched. */
  readonly #names = new Map<string, string>();
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

  /** Watches these folders too; whether any of them was not watched before. */
  add(folders: readonly FoundFolder[]): boolean {
    let isAnyNew = false;
    for (const folder of folders) if (this.#watch(folder)) isAnyNew = true;
    return isAnyNew;
  }

  /** Watches these folders and no others; whether any of them was not watched before. */
  set(folders: readonly FoundFolder[]): boolean {
    const wanted = new Set(folders.map(({ path }) => path));
    for (const path of [...this.#watches.keys()]) if (!wanted.has(path)) this.#drop(path);
    return this.add(folders);
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
    known.watcher.close();
    this.#watches.delete(folder);
    this.#names.delete(known.place);
  }

  #watch({ path, place }: FoundFolder): boolean {
    // Another folder may have taken the name.
    if (this.#watches.get(path)?.place !== place) this.#drop(path);
    if (this.#isStopped || this.#names.has(place)) return false;
    try {
      const watcher = watch(path, (_event, name) => this.#events.signal(path, name ?? ""));
      watcher.on("error", error => this.#fail(path, error));
      this.#watches.set(path, { place, watcher });
      this.#names.set(place, path);
      return true;
    } catch (error) {
      this.#fail(path, error as NodeJS.ErrnoException);
      return false;
    }
  }

  /** A folder that is gone, or may not be read, is no failure: Windows reports the deletion of a watched one as an error. */
  #fail(folder: string, error: NodeJS.ErrnoException): void {
    this.#drop(folder);
    if (!HARMLESS.has(error.code ?? "") && isFolder(folder)) this.#events.failed(error);
  }
}

const HARMLESS = new Set(["ENOENT", "ENOTDIR", "EACCES"]);
