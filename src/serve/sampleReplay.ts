/** The bundled sample session, written to a folder of its own as if it were running right now. */
import { appendFileSync, readFileSync } from "node:fs";
import { temporaryFolder } from "../files/folders.js";
import { PrivateFolder } from "./privateFolder.js";

export interface ReplayPace {
  /** Written at the start: enough for a picture. */
  readonly shareAtOnce: number;
  readonly pauseMs: number;
}

const PACE: ReplayPace = { shareAtOnce: 0.6, pauseMs: 250 };

export class SampleReplay {
  /** The growing log. */
  readonly log: string;
  readonly #folder: PrivateFolder;
  readonly #rest: string[];
  readonly #timer: NodeJS.Timeout;

  constructor(sample: string, pace: ReplayPace = PACE) {
    const lines = readFileSync(sample, "utf8").split(/(?<=\n)/);
    const first = lines.splice(0, Math.ceil(lines.length * pace.shareAtOnce));
    this.#rest = lines.reverse();
    this.#folder = new PrivateFolder(temporaryFolder(), "dedup-inspector-sample");
    this.log = this.#folder.write("sample.jsonl", first.join(""));
    this.#timer = setInterval(() => this.#next(), pace.pauseMs);
    this.#timer.unref();
  }

  get folder(): string {
    return this.#folder.path;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#folder.remove();
  }

  #next(): void {
    const line = this.#rest.pop();
    try {
      if (line === undefined) clearInterval(this.#timer);
      else appendFileSync(this.log, line);
    } catch {
      // The folder is gone or the disk is full: the sample stays as it is.
      clearInterval(this.#timer);
    }
  }
}
