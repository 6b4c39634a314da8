/** The reading of all logs for what the list says of them: the workspace's sessions first, then the newest. */
import { availableParallelism } from "node:os";
import { replayAll } from "../../batch/replayPool.js";
import type { LogCache } from "../../cache/logCache.js";
import type { LogData } from "../../inspect/logData.js";
import { isLogOfFolder } from "../../log/projectFolder.js";
import type { Progress } from "../../protocol/messages.js";
import type { FoundLog } from "../../tail/discover.js";
import type { EngineConfig } from "../engineMessages.js";
import { type Library, summaryOptions } from "./library.js";
import { ReadingProgress } from "./readingProgress.js";

/** Longer than it takes the list to come out and somebody to ask for the live session in it. */
const READ_AFTER_MS = 400;

export interface ReadingWorld {
  readonly config: EngineConfig;
  readonly library: Library;
  readonly cache: LogCache | undefined;
  /** The log as somebody follows it already. */
  followed(path: string): LogData | undefined;
  /** It begins: what is known of logs that are being written is read anew. */
  begins(): void;
  /** The library or the progress has changed. */
  advanced(): void;
  failed(path: string, problem: string): void;
  read(path: string): void;
}

export class LibraryReading {
  readonly #world: ReadingWorld;
  #progress: Progress | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** The reading that is going on: another one takes its place. */
  #current = new AbortController();

  constructor(world: ReadingWorld) {
    this.#world = world;
  }

  /** Null when nothing is being read. */
  get progress(): Progress | null {
    return this.#progress;
  }

  /** Whoever looks at a session is served first; what is read for them need not be read again for the list. */
  soon(): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#read(), READ_AFTER_MS);
  }

  stop(): void {
    this.#current.abort();
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    const { config, library, cache } = this.#world;
    this.#world.begins();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const logs = inOrder(library.logs, config.workspace).filter(({ path }) => !this.#takeFollowed(path));
    const progress = new ReadingProgress(logs);
    await replayAll(
      { logs, options: summaryOptions(config.settings), cacheFolder: cache?.folder },
      {
        advance: bytes => progress.advance(bytes),
        done: ({ index, data, problem }) => {
          if (signal.aborted) return;
          const { path } = logs[index] as FoundLog;
          progress.fileDone();
          if (data !== undefined) library.add(data);
          if (problem === undefined) this.#world.read(path);
          else this.#world.failed(path, problem);
          this.#progress = progress.now;
          this.#world.advanced();
        },
      },
      { threads: Math.max(1, availableParallelism() - 1), callerWorks: false, inGivenOrder: true, signal },
    );
    if (signal.aborted) return;
    this.#progress = null;
    library.settle();
    cache?.tidy();
    this.#world.advanced();
  }

  /** True where the log is followed already, and the list has it from there. */
  #takeFollowed(path: string): boolean {
    const data = this.#world.followed(path);
    if (data !== undefined) this.#world.library.add(data);
    return data !== undefined;
  }
}

function inOrder(logs: readonly FoundLog[], workspace: readonly string[]): FoundLog[] {
  const own = new Set(logs.filter(({ path }) => workspace.some(folder => isLogOfFolder(path, folder))));
  return [...logs].sort(
    (left, right) => Number(own.has(right)) - Number(own.has(left)) || right.modified - left.modified,
  );
}
