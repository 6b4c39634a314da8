/** Reads all logs for the list of sessions: the workspace's sessions first, then the newest. */
import { availableParallelism } from "node:os";
import { replayAll } from "../../batch/replayPool.js";
import { isLogOfFolder } from "../../log/projectFolder.js";
import type { Progress } from "../../protocol/messages.js";
import type { FoundLog } from "../../tail/discover.js";
import type { SessionStore } from "../sessionStore.js";
import { summaryOptions } from "./library.js";
import { ReadingProgress } from "./readingProgress.js";

/** Longer than it takes for the list to be shown and the live session in it to be opened. */
const READ_AFTER_MS = 400;

type Sessions = Pick<SessionStore, "config" | "library" | "cache" | "viewOfLog" | "setLogProblem" | "listChanged">;

export class LibraryReader {
  readonly #store: Sessions;
  readonly #starting: () => void;
  #progress: Progress | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Ends the current reading: another one takes its place. */
  #current = new AbortController();

  /** `starting` is called before all logs are read again. */
  constructor(store: Sessions, starting: () => void) {
    this.#store = store;
    this.#starting = starting;
  }

  /** Null when nothing is being read. */
  get progress(): Progress | null {
    return this.#progress;
  }

  /** Open sessions come first, and what is read for them need not be read again for the list. */
  schedule(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#read(), READ_AFTER_MS);
  }

  stop(): void {
    this.#current.abort();
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    const { config, library, cache } = this.#store;
    this.#starting();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const logs = inOrder(library.logs, config.workspace).filter(({ path }) => !this.#addFollowed(path));
    const progress = new ReadingProgress(logs);
    await replayAll(
      { logs, options: summaryOptions(config.settings), cacheFolder: cache?.folder, keepFigures: true },
      {
        advance: bytes => progress.advance(bytes),
        done: ({ index, data, problem }) => {
          const log = logs[index];
          if (signal.aborted || log === undefined) return;
          progress.fileDone();
          if (data !== undefined) library.add(data);
          this.#store.setLogProblem(log.path, problem);
          this.#progress = progress.now;
          this.#store.listChanged();
        },
      },
      { threads: Math.max(1, availableParallelism() - 1), callerWorks: false, inGivenOrder: true, signal },
    );
    if (signal.aborted) return;
    this.#progress = null;
    library.settle();
    cache?.tidy();
    this.#store.listChanged();
  }

  /** A log that an open session follows is taken from there. */
  #addFollowed(path: string): boolean {
    const data = this.#store.viewOfLog(path)?.keep(path);
    if (data !== undefined) this.#store.library.add(data);
    return data !== undefined;
  }
}

function inOrder(logs: readonly FoundLog[], workspace: readonly string[]): FoundLog[] {
  const own = new Set(logs.filter(({ path }) => workspace.some(folder => isLogOfFolder(path, folder))));
  return [...logs].sort(
    (left, right) => Number(own.has(right)) - Number(own.has(left)) || right.modified - left.modified,
  );
}
