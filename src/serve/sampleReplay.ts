/** The bundled sample session, written to a folder of its own as if it were going on right now. */
import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../tail/folders.js";
import { removeIfEmpty } from "../tail/ownFiles.js";
import { removeIfPossible, writeWholeSync } from "../tail/wholeFile.js";

export interface ReplayPace {
  /** There from the beginning: enough for a picture. */
  readonly shareAtOnce: number;
  readonly pauseMs: number;
}

const PACE: ReplayPace = { shareAtOnce: 0.6, pauseMs: 250 };

export class SampleReplay {
  readonly folder: string;
  /** The log that grows. */
  readonly log: string;
  readonly #rest: string[];
  readonly #timer: NodeJS.Timeout;
  readonly #remove = () => {
    removeIfPossible(this.log);
    removeIfEmpty(this.folder);
  };

  constructor(sample: string, pace: ReplayPace = PACE) {
    const lines = readFileSync(sample, "utf8").split(/(?<=\n)/);
    const first = lines.splice(0, Math.ceil(lines.length * pace.shareAtOnce));
    this.#rest = lines.reverse();
    this.folder = mkdtempSync(join(temporaryFolder(), "dedup-inspector-sample-"));
    this.log = join(this.folder, "sample.jsonl");
    // Also where the program ends in a way that nobody planned.
    process.on("exit", this.#remove);
    writeWholeSync(this.log, first.join(""));
    this.#timer = setInterval(() => this.#next(), pace.pauseMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    process.off("exit", this.#remove);
    this.#remove();
  }

  #next(): void {
    const line = this.#rest.pop();
    try {
      if (line === undefined) clearInterval(this.#timer);
      else appendFileSync(this.log, line);
    } catch {
      // The folder is gone or full: the sample stays as it is.
      clearInterval(this.#timer);
    }
  }
}
