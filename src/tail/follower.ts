import { fstatSync, type Stats } from "node:fs";
import { crc32 } from "node:zlib";
import { continues, endsOf, identify, type LogIdentity } from "../files/identity.js";
import { problemOf, readBytes, withOpenFile } from "../files/openFile.js";
import type { Bytes } from "../log/bytes.js";

/** Where a follower sends a log's bytes: in order, in pieces of any size. */
export interface ByteSink<Saved> {
  push(bytes: Bytes): void;
  /** All bytes before this offset belong to lines that were processed. */
  readonly consumed: number;
  /** Discards the bytes after `consumed`: the file was truncated to its last whole line, or they have changed. */
  dropUnfinished(): void;
  /** Enough for another sink to continue from `consumed`; undefined if this one cannot be continued. */
  save(): Saved | undefined;
}

/** What an update found. */
export type FollowResult =
  /** Nothing new. */
  | "same"
  /** Bytes were added and processed. */
  | "grown"
  /** It is a different file now, or its past has changed: it was read again from the start, into a new sink. */
  | "restarted"
  /** The file is gone. */
  | "absent"
  /** The file cannot be read right now; `problem` says why. */
  | "unreadable"
  /** The sink failed, and would fail again; `problem` says why. */
  | "failed";

/** Error codes for a file that does not exist. */
const ABSENT = new Set<string | undefined>(["ENOENT", "ENOTDIR"]);

export interface SavedFollower<Saved> {
  readonly log: Saved;
  readonly identity: LogIdentity;
}

/**
 * Follows one log as it is written: each update reads what was added, and detects whether the past has changed. It
 * knows nothing about the contents: those are up to the sinks that `open` creates.
 */
export class LogFollower<Saved, Sink extends ByteSink<Saved>> {
  readonly path: string;
  readonly #open: (saved?: Saved) => Sink;
  #sink: Sink;
  /** The file's identity up to the last whole line processed. */
  #known: LogIdentity | undefined;
  /** How far the bytes were read; an unfinished line is between `consumed` and here. */
  #read: number;
  /** Fingerprint of that unfinished line, which another one may replace. */
  #unfinished = "";
  /** Of all bytes up to `#read`; undefined if some of them were read by somebody else, until `settle`. */
  #checksum: number | undefined;
  #mtimeMs = 0;
  #problem: string | undefined;

  /** `open` creates a sink, empty or from a saved one; `saved`: from an earlier follower of the same file. */
  constructor(path: string, open: (saved?: Saved) => Sink, saved?: SavedFollower<Saved>) {
    this.path = path;
    this.#open = open;
    this.#sink = open(saved?.log);
    this.#known = saved?.identity;
    this.#read = this.#sink.consumed;
    this.#checksum = saved === undefined ? 0 : undefined;
    this.#mtimeMs = saved?.identity.mtimeMs ?? 0;
  }

  /** One line for the user about what went wrong in the last update. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The current sink: a restart replaces it. */
  get sink(): Sink {
    return this.#sink;
  }

  /** Enough for another follower to continue from here; undefined if the sink cannot be continued. */
  get saved(): SavedFollower<Saved> | undefined {
    const log = this.#sink.save();
    return log && this.#known && { log, identity: this.#known };
  }

  /**
   * When nobody is waiting: checks the bytes that somebody else has read, so that a later edit can be distinguished
   * from a mere change of mtime.
   */
  settle(): void {
    if (this.#checksum !== undefined) return;
    const isAsRead = (file: number) => {
      const { size, mtimeMs } = fstatSync(file);
      return size === this.#read && mtimeMs === this.#mtimeMs;
    };
    try {
      withOpenFile(this.path, file => {
        const checksum = isAsRead(file) ? checksumOf(file, this.#read) : undefined;
        if (isAsRead(file)) this.#checksum = checksum;
      });
    } catch {
      // The next update reports what is wrong.
    }
  }

  /** `until`: do not read beyond this offset. `restarting` gets the new sink before a changed file is read into it. */
  update(restarting?: (fresh: Sink) => void, until = Number.POSITIVE_INFINITY): FollowResult {
    this.#problem = undefined;
    try {
      return withOpenFile(this.path, file => this.#update(file, restarting, until));
    } catch (error) {
      if (error instanceof SinkFailure) {
        this.#problem = `could not be read (${error.cause}): ${this.path}`;
        return "failed";
      }
      if (ABSENT.has((error as NodeJS.ErrnoException).code)) return "absent";
      this.#problem = `${problemOf(error)}: ${this.path}`;
      return "unreadable";
    }
  }

  #update(file: number, restarting: ((fresh: Sink) => void) | undefined, until: number): FollowResult {
    const stats = fstatSync(file);
    const size = Math.min(stats.size, until);
    const found = identify(file, size);
    const restarts = !this.#isContinued(file, size) || this.#isEdited(file, stats);
    this.#mtimeMs = stats.mtimeMs;
    if (restarts) {
      this.#read = 0;
      this.#checksum = 0;
      inSink(() => {
        this.#sink = this.#open();
        restarting?.(this.#sink);
      });
    } else if (size < this.#read || endsOf(file, this.#sink.consumed, this.#read) !== this.#unfinished) {
      // Only an unfinished line was removed.
      inSink(() => this.#sink.dropUnfinished());
      this.#read = this.#sink.consumed;
      if (this.#checksum !== undefined) this.#checksum = checksumOf(file, this.#read);
    }
    const before = this.#read;
    // Counted before it is pushed: if the sink fails halfway, the next update starts over from what it has consumed.
    readBytes(file, before, size, bytes => {
      this.#read += bytes.length;
      if (this.#checksum !== undefined) this.#checksum = crc32(bytes, this.#checksum);
      inSink(() => this.#sink.push(bytes));
    });
    if (restarts || this.#read > before) {
      this.#known = identify(file, this.#sink.consumed);
      this.#unfinished = endsOf(file, this.#sink.consumed, this.#read);
      // Rewritten while it was read: the bytes read are in no file, so the next update must start over.
      if (!continues(identify(file, size), found)) this.#known = { ...this.#known, head: "" };
    }
    return restarts ? "restarted" : this.#read > before ? "grown" : "same";
  }

  /** Whether everything processed so far is still in place. */
  #isContinued(file: number, size: number): boolean {
    if (this.#known === undefined) return true;
    // The file was truncated just after it was read: the processed bytes are gone.
    if (this.#known.size < this.#sink.consumed) return false;
    return size >= this.#known.size && continues(identify(file, this.#known.size), this.#known);
  }

  /** Whether bytes in the middle may have been replaced by as many others: only the time, then all of the bytes, can show it. */
  #isEdited(file: number, { size, mtimeMs }: Stats): boolean {
    if (size !== this.#read || mtimeMs === this.#mtimeMs) return false;
    return this.#checksum === undefined || checksumOf(file, size) !== this.#checksum;
  }
}

/** Any error thrown by the sink: never mistaken for an error of the file being followed. */
class SinkFailure extends Error {
  constructor(cause: unknown) {
    super("the sink failed", { cause });
  }
}

function inSink(act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new SinkFailure(error);
  }
}

function checksumOf(file: number, end: number): number {
  let checksum = 0;
  readBytes(file, 0, end, bytes => {
    checksum = crc32(bytes, checksum);
  });
  return checksum;
}
