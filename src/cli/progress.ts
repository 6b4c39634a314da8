import { bytesText, percent } from "../words/numbers.js";
import type { Terminal } from "./terminal.js";

/** How far a long run has come, on standard error where that is a terminal; `tell` is told in any case. */
export class Progress {
  readonly #bytes: number;
  readonly #files: number;
  readonly #shows = process.stderr.isTTY === true;
  readonly #tell: Terminal["progress"];
  #doneBytes = 0;
  #doneFiles = 0;
  #lastShown = 0;
  #drawn = false;

  constructor(total: { bytes: number; files: number }, tell?: Terminal["progress"]) {
    this.#bytes = total.bytes;
    this.#files = total.files;
    this.#tell = tell;
    this.#lastShown = Date.now();
  }

  advance(bytes: number): void {
    this.#doneBytes += bytes;
    this.#draw();
  }

  fileDone(): void {
    this.#doneFiles++;
    this.#draw();
  }

  /** Wipes the line: what follows starts at the left. */
  end(): void {
    if (this.#drawn) process.stderr.write("\r\x1b[2K");
    this.#drawn = false;
  }

  #draw(): void {
    if (Date.now() - this.#lastShown < 200) return;
    this.#lastShown = Date.now();
    this.#tell?.({ bytesDone: this.#doneBytes, bytes: this.#bytes });
    if (!this.#shows) return;
    this.#drawn = true;
    const share = this.#bytes === 0 ? 1 : Math.min(1, this.#doneBytes / this.#bytes);
    const text = `reading ${this.#doneFiles} of ${this.#files} logs · ${bytesText(this.#doneBytes)} of ${bytesText(this.#bytes)}`;
    process.stderr.write(`\r\x1b[2K${text} · ${percent(share, 1)}`);
  }
}
