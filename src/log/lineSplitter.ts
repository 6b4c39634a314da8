import { type Bytes, copyBytes, joinBytes, NEWLINE } from "./bytes.js";

/**
 * Longer lines are counted as bad and never buffered. Genuine lines reach a few megabytes; a line takes memory several
 * times over (bytes, text, parsed object) in every thread, and memory must stay bounded.
 */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface LineSink {
  /** One whole line: bytes[start, end), without its newline. The bytes are only valid during the call. */
  line(bytes: Bytes, start: number, end: number, offset: number): void;
  /** A line over the limit, which was dropped. */
  overlong(offset: number): void;
  /** `line` threw an error; the lines after it are delivered as usual. */
  failed(error: unknown): void;
}

/** Splits a stream of chunks of any size into lines. A last line without a newline waits for the rest. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  #held: Bytes[] = [];
  #heldBytes = 0;
  /** Where the unfinished line starts in the file: all bytes before it have been delivered. */
  #lineStart: number;

  constructor(sink: LineSink, options: { offset?: number; maxLineBytes?: number } = {}) {
    this.#sink = sink;
    this.#lineStart = options.offset ?? 0;
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  }

  /** The position after the last finished line. */
  get consumed(): number {
    return this.#lineStart;
  }

  /** Forgets the unfinished line: its bytes are gone, or will be pushed again. */
  dropUnfinished(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }

  push(chunk: Bytes): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      if (this.#heldBytes > 0) this.#finishHeld(chunk, start, end);
      else this.#deliver(chunk, start, end);
      this.#lineStart += this.#heldBytes + end - start + 1;
      this.#heldBytes = 0;
      start = end + 1;
    }
    this.#hold(chunk, start);
  }

  #deliver(bytes: Bytes, start: number, end: number): void {
    if (end - start > this.#maxLineBytes) return this.#sink.overlong(this.#lineStart);
    try {
      this.#sink.line(bytes, start, end, this.#lineStart);
    } catch (error) {
      this.#sink.failed(error);
    }
  }

  #finishHeld(chunk: Bytes, start: number, end: number): void {
    const length = this.#heldBytes + end - start;
    const held = this.#held;
    this.#held = [];
    if (length > this.#maxLineBytes) return this.#sink.overlong(this.#lineStart);
    held.push(chunk.subarray(start, end));
    this.#deliver(joinBytes(held), 0, length);
  }

  #hold(chunk: Bytes, start: number): void {
    if (start >= chunk.length) return;
    this.#heldBytes += chunk.length - start;
    if (this.#heldBytes > this.#maxLineBytes) this.#held = [];
    else this.#held.push(copyBytes(chunk, start, chunk.length));
  }
}
