import type { Fingerprint } from "./fingerprint.js";

/** Lines of a call's result, or of a member of its input, that a hint replaced. */
export interface QuotedLines {
  readonly id: string;
  readonly input?: string | undefined;
  readonly from: number;
  readonly to: number;
}

/** All lines of a result. */
export function wholeOf(id: string): QuotedLines {
  return { id, from: 1, to: Number.POSITIVE_INFINITY };
}

/** As plain data, without the texts that were asked for again. */
export interface SavedReasks {
  readonly quoted: readonly QuotedLines[];
  readonly request: number;
  readonly before: readonly QuotedLines[];
}

/**
 * When the model asks again for what a hint replaced, it gets the text: right after the hint, and from then on every
 * time. The caller counts requests.
 */
export class Reasks {
  #quoted: readonly QuotedLines[];
  /** The request whose calls were answered with them. */
  #request: number;
  /** What was quoted in the previous request. */
  #before: readonly QuotedLines[];
  readonly #asked: Set<Fingerprint>;

  /** `asked`: texts that were asked for again. */
  constructor(saved?: SavedReasks, asked: Iterable<Fingerprint> = []) {
    this.#quoted = saved?.quoted ?? [];
    this.#request = saved?.request ?? -1;
    this.#before = saved?.before ?? [];
    this.#asked = new Set(asked);
  }

  get state(): SavedReasks {
    return { quoted: this.#quoted, request: this.#request, before: this.#before };
  }

  /** Hints replaced these lines in the answer to a call of this request. */
  quote(lines: readonly QuotedLines[], request: number): void {
    this.#turnTo(request);
    this.#quoted = [...this.#quoted, ...lines];
  }

  /** Whether a text that would be replaced by these hints is being asked for again. */
  isAskedAgain(text: Fingerprint, lines: readonly QuotedLines[], request: number): boolean {
    this.#turnTo(request);
    if (this.#asked.has(text)) return true;
    const isAsked = lines.some(one => this.#before.some(other => covers(one, other) || covers(other, one)));
    if (isAsked) this.#asked.add(text);
    return isAsked;
  }

  /** The conversation was compacted: earlier requests no longer count. */
  clear(): void {
    this.#quoted = this.#before = [];
    this.#asked.clear();
  }

  #turnTo(request: number): void {
    if (request === this.#request) return;
    this.#before = request - this.#request === 1 ? this.#quoted : [];
    this.#quoted = [];
    this.#request = request;
  }
}

function covers(one: QuotedLines, other: QuotedLines): boolean {
  return one.id === other.id && one.input === other.input && one.from <= other.from && one.to >= other.to;
}
