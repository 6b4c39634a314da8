import { fstatSync, type Stats } from "node:fs";
import { crc32 } from "node:zlib";
import { continues, endsOf, identify, type LogIdentity } from "../files/identity.js";
import { readBytes, withOpenFile } from "../files/readLog.js";
import { LogModel, type ReplayOptions, type SavedLog } from "../pipeline/logModel.js";
import { problemOf } from "./discover.js";

/** What a look at the file found. */
export type Look =
  /** Nothing new. */
  | "same"
  /** Bytes were added and taken in. */
  | "grown"
  /** The file is another one now, or its past has changed: it was taken in anew from its start. */
  | "restarted"
  /** The file is gone. */
  | "absent"
  /** The file cannot be read for now: see `problem`. */
  | "unreadable"
  /** Taking it in has failed, and would fail again: see `problem`. */
  | "failed";

/** What the file system says of a file that is not there. */
const ABSENT = new Set<string | undefined>(["ENOENT", "ENOTDIR"]);

export interface SavedFollower {
  readonly log: SavedLog;
  readonly identity: LogIdentity;
}

/** Follows one log as it is written: each look takes in what was added, and notices when the past has changed. */
export class LogFollower {
  readonly path: string;
  #options: ReplayOptions;
  #model: LogModel;
  /** How the file looked up to the last whole line taken in. */
  #known: LogIdentity | undefined;
  /** How far the bytes were read: an unfinished line stands between `consumed` and here. */
  #read = 0;
  /** What that unfinished line looked like: another one may take its place. */
  #unfinished = "";
  /** Of all bytes up to `read`; undefined where an earlier reading took some of them in. */
  #checksum: number | undefined = 0;
  #mtimeMs = 0;
  #problem: string | undefined;

  /** `saved`: what an earlier reading of the same file left. */
  constructor(path: string, options: ReplayOptions, saved?: SavedFollower) {
    this.path = path;
    this.#options = options;
    this.#model = new LogModel(path, options, saved?.log);
    this.#known = saved?.identity;
    this.#read = this.#model.consumed;
    if (saved !== undefined) this.#checksum = undefined;
  }

  /** One clear line about what went wrong at the last look; undefined where nothing did. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get model(): LogModel {
    return this.#model;
  }

  /** Enough for another follower to go on from here; undefined unless facts are kept. */
  get saved(): SavedFollower | undefined {
    const log = this.#model.save();
    return log && this.#known && { log, identity: this.#known };
  }

  /** See `LogModel.compareUnder`. */
  compareUnder(settings: ReplayOptions["settings"]): void {
    this.#options = { ...this.#options, settings };
    this.#model.compareUnder(settings);
  }

  /** `until`: do not read further than this; `restarting` is told before a changed file is read anew. */
  look(restarting?: (fresh: LogModel) => void, until = Number.POSITIVE_INFINITY): Look {
    this.#problem = undefined;
    try {
      return withOpenFile(this.path, file => this.#look(file, restarting, until));
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (ABSENT.has(code)) return "absent";
      const isOfFile = syscall !== undefined;
      this.#problem = `${isOfFile ? problemOf(error) : `could not be read (${error})`}: ${this.path}`;
      return isOfFile ? "unreadable" : "failed";
    }
  }

  #look(file: number, restarting: ((fresh: LogModel) => void) | undefined, until: number): Look {
    const stats = fstatSync(file);
    const size = Math.min(stats.size, until);
    const found = identify(file, size);
    const restarts = !this.#isContinued(file, size) || this.#isEdited(file, stats);
    this.#mtimeMs = stats.mtimeMs;
    if (restarts) {
      this.#model = new LogModel(this.path, this.#options);
      this.#read = 0;
      this.#checksum = 0;
      restarting?.(this.#model);
    } else if (size < this.#read || endsOf(file, this.#model.consumed, this.#read) !== this.#unfinished) {
      // Only an unfinished line was taken back.
      this.#model.dropUnfinished();
      this.#read = this.#model.consumed;
      if (this.#checksum !== undefined) this.#checksum = checksumOf(file, this.#read);
    }
    const before = this.#read;
    // Counted before it is pushed: where reading fails half-way, nothing is taken in twice.
    readBytes(file, before, size, bytes => {
      this.#read += bytes.length;
      if (this.#checksum !== undefined) this.#checksum = crc32(bytes, this.#checksum);
      this.#model.push(bytes);
    });
    if (restarts || this.#read > before) {
      this.#known = identify(file, this.#model.consumed);
      this.#unfinished = endsOf(file, this.#model.consumed, this.#read);
      // Rewritten while it was read: what was taken in stands nowhere, and the next look begins anew.
      if (!continues(identify(file, size), found)) this.#known = { ...this.#known, head: "" };
    }
    return restarts ? "restarted" : this.#read > before ? "grown" : "same";
  }

  /** Whether everything taken in so far still stands where it stood. */
  #isContinued(file: number, size: number): boolean {
    if (this.#known === undefined) return true;
    // The file was cut back just after it was read: what was taken in stands there no longer.
    if (this.#known.size < this.#model.consumed) return false;
    return size >= this.#known.size && continues(identify(file, this.#known.size), this.#known);
  }

  /** Whether something in the middle was changed for as many other bytes: only the time and all of the bytes tell. */
  #isEdited(file: number, { size, mtimeMs }: Stats): boolean {
    if (size !== this.#read || mtimeMs === this.#mtimeMs || this.#checksum === undefined) return false;
    return checksumOf(file, size) !== this.#checksum;
  }
}

function checksumOf(file: number, end: number): number {
  let checksum = 0;
  readBytes(file, 0, end, bytes => {
    checksum = crc32(bytes, checksum);
  });
  return checksum;
}
