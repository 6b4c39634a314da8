import { percent } from "../words/numbers.js";
import { bytesText } from "../words/text.js";
import type { Terminal } from "./terminal.js";

/** The progress of a long run, on standard error if that is a terminal; `tell` is always called. */
export class Progress {
  readonly #bytes: number;
  readonly #files: number;
  readonly #shows = process.stderr.isTTY === true;
  readonly #tell: Terminal["progress"];
  readonly #words: { readonly doing: string; readonly items: string };
  #doneBytes = 0;
  #doneFiles = 0;
  #lastShown = 0;
  #drawn = false;

  /** `total`: no bytes if only files are counted. */
  constructor(
    total: { bytes: number; files: number },
    tell?: Terminal["progress"],
    words = { doing: "reading", items: "logs" },
  ) {
    this.#words = words;
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

  /** Clears the line, so that further output starts at the left. */
  end(): void {
    if (this.#drawn) process.stderr.write("\r\x1b[2K");
    this.#drawn = false;
  }

  #shareText(): string {
    const share = Math.min(1, this.#doneBytes / this.#bytes);
    return ` · ${bytesText(this.#doneBytes)} of ${bytesText(this.#bytes)} · ${percent(share, 1)}`;
  }

  #draw(): void {
    if (Date.now() - this.#lastShown < 200) return;
    this.#lastShown = Date.now();
    this.#tell?.({ bytesDone: this.#doneBytes, bytes: this.#bytes });
    if (!this.#shows) return;
    this.#drawn = true;
    const { doing, items } = this.#words;
    const text = `${doing} ${this.#doneFiles} of ${this.#files} ${items}`;
    process.stderr.write(`\r\x1b[2K${text}${this.#bytes === 0 ? "" : this.#shareText()}`);
  }
}
