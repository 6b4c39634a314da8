import { fstatSync } from "node:fs";
import { LogModel, type ReplayOptions, type SavedLog } from "../inspect/logModel.js";
import { continues, endsOf, identify, type LogIdentity } from "./identity.js";
import { readBytes, withOpenFile } from "./readLog.js";

/** What a look at the file found. */
export type Look =
  /** Nothing new. */
  | "same"
  /** Bytes were added and taken in. */
  | "grown"
  /** The file is another one now, or its past has changed: it was taken in anew from its start. */
  | "restarted"
  /** The file is gone, or cannot be read for now. */
  | "absent";

export interface SavedFollower {
  readonly log: SavedLog;
  readonly identity: LogIdentity;
}

/** Follows one log as it is written: each look takes in what was added, and notices when the past has changed. */
export class LogFollower {
  readonly path: string;
  readonly #options: ReplayOptions;
  #model: LogModel;
  /** How the file looked up to the last whole line taken in. */
  #known: LogIdentity | undefined;
  /** How far the bytes were read: an unfinished line stands between `consumed` and here. */
  #read = 0;
  /** What that unfinished line looked like: another one may take its place. */
  #unfinished = "";

  /** `saved`: what an earlier reading of the same file left. */
  constructor(path: string, options: ReplayOptions, saved?: SavedFollower) {
    this.path = path;
    this.#options = options;
    this.#model = new LogModel(path, options, saved?.log);
    this.#known = saved?.identity;
    this.#read = this.#model.consumed;
  }

  get model(): LogModel {
    return this.#model;
  }

  /** Enough for another follower to go on from here; undefined unless facts are kept. */
  get saved(): SavedFollower | undefined {
    const log = this.#model.save();
    return log && this.#known && { log, identity: this.#known };
  }

  /** `until`: do not read further than this; `restarting` is told before a changed file is read anew. */
  look(restarting?: (fresh: LogModel) => void, until = Number.POSITIVE_INFINITY): Look {
    try {
      return withOpenFile(this.path, file => this.#look(file, restarting, until));
    } catch {
      return "absent";
    }
  }

  #look(file: number, restarting: ((fresh: LogModel) => void) | undefined, until: number): Look {
    const size = Math.min(fstatSync(file).size, until);
    const restarts = !this.#isContinued(file, size);
    if (restarts) {
      this.#model = new LogModel(this.path, this.#options);
      this.#read = 0;
      restarting?.(this.#model);
    } else if (size < this.#read || endsOf(file, this.#model.consumed, this.#read) !== this.#unfinished) {
      // Only an unfinished line was taken back.
      this.#model.dropUnfinished();
      this.#read = this.#model.consumed;
    }
    const before = this.#read;
    // Counted before it is pushed: where reading fails half-way, nothing is taken in twice.
    readBytes(file, before, size, bytes => {
      this.#read += bytes.length;
      this.#model.push(bytes);
    });
    if (restarts || this.#read > before) {
      this.#known = identify(file, this.#model.consumed);
      this.#unfinished = endsOf(file, this.#model.consumed, this.#read);
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
}
