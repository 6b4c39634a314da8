import { type Bytes, copyBytes, joinBytes, NEWLINE } from "./bytes.js";
import { PictureFilter } from "./pictureFilter.js";

/**
 * Longer lines are delivered without their pictures; if that is not enough, they count as bad and are never buffered.
 * A line takes memory several times over (bytes, text, parsed object) in every thread, and memory must stay bounded.
 */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Finds line ends: a parser can do so while it parses. */
export interface LineEnds {
  /** The offset of the newline that ends the line starting here; -1 if the bytes end first. */
  endOf(bytes: Bytes, start: number): number;
}

export const PLAIN_ENDS: LineEnds = { endOf: (bytes, start) => bytes.indexOf(NEWLINE, start) };

export interface LineSink {
  /** One whole line: bytes[start, end), without its newline. The bytes are only valid during the call. */
  line(bytes: Bytes, start: number, end: number, offset: number): void;
  /** A line over the limit, which was dropped. */
  overlong(offset: number): void;
  /** `line` threw an error; later lines are delivered as usual. */
  failed(error: unknown): void;
}

/** Splits a stream of chunks of any size into lines. A last line without a newline waits for the rest. */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  readonly #ends: LineEnds;
  #held: Bytes[] = [];
  #heldBytes = 0;
  /** Holds the unfinished line instead, once it is over the limit. */
  #filter: PictureFilter | undefined;
  /** The file offset of the unfinished line: all bytes before it have been delivered. */
  #lineStart: number;

  constructor(sink: LineSink, options: { offset?: number; maxLineBytes?: number; ends?: LineEnds } = {}) {
    this.#sink = sink;
    this.#lineStart = options.offset ?? 0;
    this.#maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
    this.#ends = options.ends ?? PLAIN_ENDS;
  }

  /** The offset after the last finished line. */
  get consumed(): number {
    return this.#lineStart;
  }

  /** Discards the unfinished line: its bytes are gone, or will be pushed again. */
  dropUnfinished(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#filter = undefined;
  }

  push(chunk: Bytes): void {
    let start = 0;
    for (;;) {
      // The rest of a line cannot be parsed as a line.
      const end = (this.#heldBytes > 0 ? PLAIN_ENDS : this.#ends).endOf(chunk, start);
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
    if (end - start > this.#maxLineBytes) return this.#deliverFiltered(bytes, start, end);
    try {
      this.#sink.line(bytes, start, end, this.#lineStart);
    } catch (error) {
      this.#sink.failed(error);
    }
  }

  #finishHeld(chunk: Bytes, start: number, end: number): void {
    const length = this.#heldBytes + end - start;
    if (length > this.#maxLineBytes) return this.#deliverFiltered(chunk, start, end);
    const held = this.#held;
    this.#held = [];
    held.push(chunk.subarray(start, end));
    this.#deliver(joinBytes(held), 0, length);
  }

  /** `bytes`: the rest of a line over the limit. */
  #deliverFiltered(bytes: Bytes, start: number, end: number): void {
    const filter = this.#filtered(bytes, start, end);
    this.#filter = undefined;
    if (filter.length > this.#maxLineBytes) this.#sink.overlong(this.#lineStart);
    else this.#deliver(filter.bytes(), 0, filter.length);
  }

  #hold(chunk: Bytes, start: number): void {
    if (start >= chunk.length) return;
    this.#heldBytes += chunk.length - start;
    if (this.#heldBytes > this.#maxLineBytes) this.#filtered(chunk, start, chunk.length);
    else this.#held.push(copyBytes(chunk, start, chunk.length));
  }

  /** The unfinished line without its pictures, up to the point where it is known to be too long anyway. */
  #filtered(bytes: Bytes, start: number, end: number): PictureFilter {
    const filter = this.#filter ?? new PictureFilter();
    this.#filter = filter;
    for (const held of this.#held) filter.push(held, 0, held.length);
    this.#held = [];
    if (filter.length <= this.#maxLineBytes) filter.push(bytes, start, end);
    return filter;
  }
}
