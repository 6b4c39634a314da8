import type { Progress } from "../../protocol/messages.js";
import type { FoundLog } from "../../tail/discover.js";

/** Below this share, an estimate of the remaining time would be meaningless. */
const MIN_SHARE = 0.02;

/** The progress of reading many logs. */
export class ReadingProgress {
  readonly #files: number;
  readonly #bytes: number;
  readonly #startedAt = Date.now();
  #filesDone = 0;
  #bytesDone = 0;

  constructor(logs: readonly FoundLog[]) {
    this.#files = logs.length;
    this.#bytes = logs.reduce((sum, log) => sum + log.bytes, 0);
  }

  advance(bytes: number): void {
    this.#bytesDone += bytes;
  }

  fileDone(): void {
    this.#filesDone++;
  }

  get now(): Progress {
    const [files, bytes, filesDone, bytesDone] = [this.#files, this.#bytes, this.#filesDone, this.#bytesDone];
    const share = bytes === 0 ? 1 : bytesDone / bytes;
    const secondsLeft = share > MIN_SHARE ? ((Date.now() - this.#startedAt) / 1000) * (1 / share - 1) : null;
    return { filesDone, files, bytesDone, bytes, secondsLeft };
  }
}
