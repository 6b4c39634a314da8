import { HashTable } from "../../log/hashTable.js";
import { ANCHOR, enlarged, type ScannedLines } from "./lines.js";

/** A text that the model has: a result, or a string of a call's input. */
export interface SpanSource {
  readonly id: string;
  readonly input: string | undefined;
  /** Its line in the log: a rewind to before this line removes the text. */
  readonly logLine: number;
  /** The place of its call on the chain of parents; 0 if that is not known. */
  readonly callLine: number;
}

/** A text with its lines in slots [first, end). A class, because spreading objects costs more than all their lines. */
export class HeldSource implements SpanSource {
  readonly id: string;
  readonly input: string | undefined;
  readonly logLine: number;
  readonly callLine: number;
  /** Empty once the text has left the context, or if no hint can name it. */
  text: string;
  readonly first: number;
  readonly end: number;
  /** Per variant, the lines that were not emitted: each range [start, end) became one hint line. */
  readonly hidden: (readonly LineRange[])[];

  constructor(
    { id, input, logLine, callLine }: SpanSource,
    text: string,
    first: number,
    end: number,
    hidden: HeldSource["hidden"],
  ) {
    this.id = id;
    this.input = input;
    this.logLine = logLine;
    this.callLine = callLine;
    this.text = text;
    this.first = first;
    this.end = end;
    this.hidden = hidden;
  }
}

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The limits of one context. No model's context is larger, so anything older has left it, even if the log does not say
 * so. With 37 bytes per line and the texts themselves, a context takes at most about 40 MB, and usually far less.
 */
export const MAX_CHARS = 8 << 20;
const MAX_LINES = 1 << 19;

/** The number code of a line that looks like a hint: nothing may refer to it. Real codes are never negative. */
const NEVER = -1;

/**
 * All lines that hints may refer to. Each line has a slot, counted across all sources; slots of equal lines are linked.
 * Several variants of a replay share the index: they differ only in which lines are hidden.
 */
export class SpanIndex {
  #sources: HeldSource[] = [];
  #chars = 0;
  /** The last id that was found to be one that a hint can name. */
  #plainId: string | undefined;
  #used = 0;
  #hashes = new Int32Array(256);
  #numbers = new Int32Array(256);
  /** Where each line begins in its source's text. */
  #begins = new Int32Array(256);
  #sourceOf = new Int32Array(256);
  /** The next older slot of an equal line, -1 at the end. */
  #older = new Int32Array(256);
  /** Whether the line is an anchor, and one bit for each variant in which it was not emitted. */
  #flags = new Uint8Array(256);
  /** For each hash, the newest slot with it, plus 1. */
  readonly #newest = new HashTable(1, 1);

  /** Adds a text with all its lines; undefined if it is too large for any context. */
  add(source: SpanSource, lines: ScannedLines): HeldSource | undefined {
    const { text, count } = lines;
    if (text.length > MAX_CHARS / 2 || count > MAX_LINES / 2) return undefined;
    if (this.#chars + text.length > MAX_CHARS || this.#used + count > MAX_LINES) this.#dropOldest();
    const first = this.#used;
    if (first + count > this.#hashes.length) this.#grow(first + count);
    // Most texts have few lines: one loop is faster than four calls.
    const [hashes, numbers, begins, flags] = [this.#hashes, this.#numbers, this.#begins, this.#flags];
    for (let line = 0, slot = first; line < count; line++, slot++) {
      hashes[slot] = lines.hashes[line] as number;
      numbers[slot] = lines.numbers[line] as number;
      begins[slot] = lines.begins[line] as number;
      flags[slot] = lines.anchors[line] as number;
    }
    this.#place(first, count);
    if (lines.hinted) {
      for (let line = 0; line < count; line++) if (lines.looksLikeHint(line)) this.#numbers[first + line] = NEVER;
    }
    const held = new HeldSource(source, this.#isNameable(source) ? text : "", first, this.#used, []);
    this.#sources.push(held);
    this.#chars += held.text.length;
    return held;
  }

  /** These lines of a source were not emitted in this variant: nothing may refer to them. */
  hide(source: HeldSource, variant: number, ranges: readonly LineRange[]): void {
    source.hidden[variant] = ranges;
    for (const { start, end } of ranges) {
      for (let slot = source.first + start; slot < source.first + end; slot++) {
        this.#flags[slot] = (this.#flags[slot] as number) | (1 << variant);
      }
    }
  }

  /** Whether any of its lines occurred before. */
  repeats({ first, end }: HeldSource): boolean {
    for (let slot = first; slot < end; slot++) if ((this.#older[slot] as number) >= 0) return true;
    return false;
  }

  isHidden(slot: number, variant: number): boolean {
    return ((this.#flags[slot] as number) & (1 << variant)) !== 0;
  }

  /** Whether both of the first two variants emitted the line, or neither. */
  isHiddenAlike(slot: number): boolean {
    const flags = this.#flags[slot] as number;
    return ((flags ^ (flags >> 1)) & 1) === 0;
  }

  older(slot: number): number {
    return this.#older[slot] as number;
  }

  source(slot: number): HeldSource {
    return this.#sources[this.#sourceOf[slot] as number] as HeldSource;
  }

  hash(slot: number): number {
    return this.#hashes[slot] as number;
  }

  number(slot: number): number {
    return this.#numbers[slot] as number;
  }

  /** The positions at which a line begins and ends in its source's text. */
  begin(slot: number): number {
    return this.#begins[slot] as number;
  }

  end(slot: number, { end, text }: HeldSource): number {
    return slot + 1 < end ? (this.#begins[slot + 1] as number) - 1 : text.length;
  }

  /** Nothing can be referred to any longer. */
  clear(): void {
    this.#sources = [];
    this.#chars = this.#used = 0;
    this.#newest.clear();
  }

  /** Some texts have left the context. Their slots stay until the index is cleared or rebuilt. */
  drop(leaves: (source: SpanSource) => boolean): void {
    for (const source of this.#sources) {
      if (source.text === "" || !leaves(source)) continue;
      this.#chars -= source.text.length;
      source.text = "";
    }
  }

  /** Links the lines of the next source, which are in their slots already, to equal ones. */
  #place(first: number, count: number): void {
    const end = first + count;
    this.#used = end;
    this.#sourceOf.fill(this.#sources.length, first, end);
    const [hashes, flags, older, newest] = [this.#hashes, this.#flags, this.#older, this.#newest];
    for (let slot = first; slot < end; slot++) {
      if ((flags[slot] as number) < ANCHOR) {
        older[slot] = -1;
        continue;
      }
      const entry = newest.place(hashes[slot] as number);
      older[slot] = newest.value(entry) - 1;
      newest.setValue(entry, slot + 1);
    }
  }

  /** A hint is one line that ends with a bracket: the names in it must not contain its syntax. */
  #isNameable({ id, input }: SpanSource): boolean {
    // A call's inputs and its result follow one another.
    if (id !== this.#plainId && isPlain(id)) this.#plainId = id;
    return id === this.#plainId && (input === undefined || isPlain(input));
  }

  /** Keeps the newest texts, up to half of the limits. */
  #dropOldest(): void {
    const held = this.#sources.filter(({ text }) => text !== "");
    let [kept, chars, lines] = [0, 0, 0];
    for (const { text, first, end } of held.toReversed()) {
      chars += text.length;
      lines += end - first;
      if (chars > MAX_CHARS / 2 || lines > MAX_LINES / 2) break;
      kept++;
    }
    this.clear();
    // Slots only move to the front, so none is overwritten before it is read.
    for (const source of held.slice(held.length - kept)) {
      const first = this.#used;
      for (const column of [this.#hashes, this.#numbers, this.#begins, this.#flags]) {
        column.copyWithin(first, source.first, source.end);
      }
      this.#place(first, source.end - source.first);
      this.#sources.push(new HeldSource(source, source.text, first, this.#used, source.hidden));
      this.#chars += source.text.length;
    }
  }

  #grow(min: number): void {
    let length = this.#hashes.length;
    while (length < min) length *= 2;
    this.#hashes = enlarged(this.#hashes, length);
    this.#numbers = enlarged(this.#numbers, length);
    this.#begins = enlarged(this.#begins, length);
    this.#sourceOf = enlarged(this.#sourceOf, length);
    this.#older = enlarged(this.#older, length);
    this.#flags = enlarged(this.#flags, length);
  }
}

/** Letters, digits, "_", "-", "." and ":". */
function isPlain(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    if (!(isLetter || (code >= 0x30 && code <= 0x3a) || code === 0x5f || code === 0x2d || code === 0x2e)) return false;
  }
  return name !== "";
}
