/** The bundled sample session, written to a folder of its own as if it were running right now. */
import { appendFileSync } from "node:fs";
import { temporaryFolder } from "../files/folders.js";
import { linesInOrder, type SampleLine, sampleFiles, sessionFile } from "../files/sampleFiles.js";
import { PrivateFolder } from "./privateFolder.js";

export interface ReplayPace {
  /** Written at the start: enough to look at. */
  readonly shareAtOnce: number;
  readonly pauseMs: number;
}

const PACE: ReplayPace = { shareAtOnce: 0.6, pauseMs: 250 };
const LOG = "sample.jsonl";

export class SampleReplay {
  /** The growing log. */
  readonly log: string;
  readonly #folder: PrivateFolder;
  readonly #rest: SampleLine[];
  /** The existing files, by name. */
  readonly #files = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;

  constructor(sample: string, pace: ReplayPace = PACE) {
    const lines = linesInOrder(sampleFiles(sample));
    const first = lines.splice(0, Math.ceil(lines.length * pace.shareAtOnce));
    this.#rest = lines.reverse();
    this.#folder = new PrivateFolder(temporaryFolder(), "dedup-inspector-sample");
    const texts = new Map([[LOG, ""]]);
    for (const { file, text } of first) {
      const name = sessionFile(LOG, file.below);
      texts.set(name, (texts.get(name) ?? "") + text);
    }
    for (const [name, text] of texts) this.#write(name, text);
    this.log = this.#files.get(LOG) ?? "";
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

  #write(name: string, text: string): void {
    const file = this.#files.get(name);
    if (file === undefined) this.#files.set(name, this.#folder.write(name, text));
    else appendFileSync(file, text);
  }

  #next(): void {
    const line = this.#rest.pop();
    try {
      if (line === undefined) clearInterval(this.#timer);
      else this.#write(sessionFile(LOG, line.file.below), line.text);
    } catch {
      // The folder is gone or the disk is full: the sample stays as it is.
      clearInterval(this.#timer);
    }
  }
}
