/**
 * Reads all logs for the list of sessions: the workspace's sessions first, then the newest. Until the list is wanted,
 * only open sessions have figures in it. Several windows do not read the same logs at the same time: one does, and the
 * others find them in the cache.
 */
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { canGiveWay } from "../../batch/giveWay.js";
import { replayAll } from "../../batch/replayPool.js";
import { takeLock } from "../../files/lock.js";
import { summaryOf } from "../../inspect/logSummary.js";
import { isLogOfFolder } from "../../log/projectFolder.js";
import type { Progress } from "../../protocol/messages.js";
import type { FoundLog } from "../../tail/discover.js";
import type { SessionStore } from "../sessionStore.js";
import { summaryOptions } from "./library.js";
import { ReadingProgress } from "./readingProgress.js";

/** Longer than it takes to show the list and open the live session in it. */
const READ_AFTER_MS = 400;
/** Nobody is waiting for this, and other programs need the processor, too. */
const MAX_THREADS = 4;

/** It only saves work: if it cannot be created, everybody reads. */
function lockReading(folder: string, signal: AbortSignal): Promise<(() => void) | undefined> {
  return takeLock({ folder, name: "reading.lock", purpose: "reads" }, signal);
}

type Sessions = Pick<SessionStore, "config" | "library" | "cache" | "viewOfLog" | "setLogProblem" | "listChanged">;

export class LibraryReader {
  readonly #store: Sessions;
  readonly #starting: () => void;
  #progress: Progress | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isWanted = false;
  #release: (() => void) | undefined;
  /** Resolves when everything has been read. */
  #done: Promise<void> | undefined;
  /** Ends the current reading when another one replaces it. */
  #current = new AbortController();

  /** `starting` is called before all logs are read again. */
  constructor(store: Sessions, starting: () => void) {
    this.#store = store;
    this.#starting = starting;
  }

  /** Null if nothing is being read. */
  get progress(): Progress | null {
    return this.#progress;
  }

  /** Whether the list is kept up to date, because it was wanted. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** The list of all sessions is wanted. Resolves when everything has been read, or after `maxMs`. */
  async want(maxMs = 0): Promise<void> {
    if (!this.#isWanted) {
      this.#isWanted = true;
      this.schedule();
    }
    if (maxMs > 0) await Promise.race([this.#done, wait(maxMs, undefined, { ref: false })]);
  }

  /** Open sessions come first, and what is read for them need not be read again for the list. */
  schedule(): void {
    this.stop();
    if (!this.#isWanted) return this.addOpen();
    this.#done = new Promise(resolve => {
      this.#timer = setTimeout(() => void this.#read().then(resolve), READ_AFTER_MS);
    });
  }

  /** Adds open sessions to the list, and a moment later to the cache. */
  addOpen(): void {
    const { library } = this.#store;
    for (const { path } of library.logs) {
      const data = this.#store.viewOfLog(path)?.data(path);
      if (data !== undefined) library.add(summaryOf(data));
    }
    this.#store.listChanged();
    if (this.#isWanted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const { path } of library.logs) this.#addFollowed(path);
    }, READ_AFTER_MS);
  }

  stop(): void {
    this.#current.abort();
    clearTimeout(this.#timer);
    // Not only when the threads have noticed: this one may end first.
    this.#release?.();
  }

  async #read(): Promise<void> {
    const { config, library, cache } = this.#store;
    this.#starting();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const logs = inOrder(library.logs, config.workspace).filter(({ path }) => !this.#addFollowed(path));
    const { newest } = library;
    const progress = new ReadingProgress(logs);
    // One core stays free, unless the threads give way to everything else on it.
    const threads = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - (canGiveWay ? 0 : 1)));
    this.#progress = logs.length > 0 ? progress.now : null;
    const release = cache && (await lockReading(cache.folder, signal));
    if (signal.aborted) return release?.();
    this.#release = release;
    await replayAll(
      {
        logs,
        options: summaryOptions(config.settings),
        cacheFolder: cache?.folder,
        keepFigures: true,
        summariesOnly: true,
      },
      {
        advance: bytes => progress.advance(bytes),
        done: ({ index, summary, problem }) => {
          const log = logs[index];
          if (signal.aborted || log === undefined) return;
          progress.fileDone();
          this.#progress = progress.now;
          // It may have grown while a thread was reading it, and may already be listed in its current state.
          if (!library.isOutdated(log.path, newest)) {
            if (summary !== undefined) library.add(summary);
            this.#store.setLogProblem(log.path, problem);
          }
          this.#store.listChanged();
        },
      },
      { threads, callerWorks: false, inGivenOrder: true, isUrgent: false, signal },
    ).finally(release);
    if (signal.aborted) return;
    this.#progress = null;
    library.settle();
    cache?.tidy();
    this.#store.listChanged();
  }

  /** Takes the data of a log from the open session that follows it. */
  #addFollowed(path: string): boolean {
    const data = this.#store.viewOfLog(path)?.keep(path);
    if (data !== undefined) this.#store.library.add(summaryOf(data));
    return data !== undefined;
  }
}

function inOrder(logs: readonly FoundLog[], workspace: readonly string[]): FoundLog[] {
  const own = new Set(logs.filter(({ path }) => workspace.some(folder => isLogOfFolder(path, folder))));
  return [...logs].sort(
    (left, right) => Number(own.has(right)) - Number(own.has(left)) || right.modified - left.modified,
  );
}
