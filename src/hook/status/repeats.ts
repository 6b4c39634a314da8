/**
 * How much of the tools' output repeats lines that the model has: an estimate of what hints would save, which a fresh
 * process can continue in a millisecond. It keeps one number for each pair of adjacent lines, and for each line that is
 * long enough to be a run of its own, but no text: docs/rules.md, "The status line".
 */
import { type Bytes, NEWLINE, textOf } from "../../log/bytes.js";
import { changesOf, contextIdOf } from "../../log/contextRules.js";
import { type LineSink, LineSplitter } from "../../log/lineSplitter.js";
import { blocksOf, bodyOf, type LogRecord, type Members, membersOf, recordOf } from "../../log/record.js";

/** Same as the default for hints. */
const MIN_RUN_CHARS = 512;
/** The average length of a hint with the call, its lines and its file. */
const HINT_CHARS = 130;
/** Most lines are neither results nor long calls, nor remove any, and parsing takes most of the time. */
const OF_INTEREST =
  /"tool_(?:result"|use".{512})|"(?:micro)?compact_boundary"|"content-replacement"|"tool_results_cut"|"clear_tool_uses/;
/** As many lines as a context of a million tokens can hold. Later ones are compared, but not remembered. */
const MAX_LINES = 1 << 16;

export interface SavedRepeats {
  /** All bytes before this offset have been counted. */
  readonly offset: number;
  readonly chars: number;
  readonly repeated: number;
  readonly seen: SavedNumbers;
  readonly printed: SavedNumbers;
}

export class Repeats implements LineSink {
  readonly #splitter: LineSplitter;
  /** From results that are not shell output. */
  #seen: NumberSet;
  /** From shell output since the last edit: output after an edit is meant to be read. */
  #printed: NumberSet;
  #chars: number;
  #repeated: number;

  /** `from`: where to begin in a log without saved state. */
  constructor(from: number, saved?: SavedRepeats) {
    this.#splitter = new LineSplitter(this, { offset: saved?.offset ?? from });
    this.#seen = new NumberSet(saved?.seen);
    this.#printed = new NumberSet(saved?.printed);
    this.#chars = saved?.chars ?? 0;
    this.#repeated = saved?.repeated ?? 0;
  }

  push(bytes: Bytes): void {
    this.#splitter.push(bytes);
  }

  get consumed(): number {
    return this.#splitter.consumed;
  }

  get state(): SavedRepeats {
    const [chars, repeated] = [this.#chars, this.#repeated];
    return { offset: this.consumed, chars, repeated, seen: this.#seen.state, printed: this.#printed.state };
  }

  /** Of everything that the tools have returned. */
  get chars(): number {
    return this.#chars;
  }

  get repeated(): number {
    return this.#repeated;
  }

  line(bytes: Bytes, start: number, end: number): void {
    const line = textOf(bytes, start, end);
    if (!OF_INTEREST.test(line)) return;
    const record = recordOf(line);
    if (record !== undefined && contextIdOf(record, undefined) === "main") this.#take(record);
  }

  overlong(): void {}

  failed(): void {}

  #take(record: LogRecord): void {
    if (changesOf(record).some(({ change }) => change !== "continue"))
      [this.#seen, this.#printed] = [new NumberSet(), new NumberSet()];
    const { structuredPatch, stdout } = membersOf(record["toolUseResult"]);
    const isEdit = structuredPatch !== undefined;
    if (isEdit) this.#printed = new NumberSet();
    const known = stdout === undefined ? this.#seen : this.#printed;
    for (const { type, content, input, is_error: isError } of blocksOf(record)) {
      if (type === "tool_use") this.#learn(membersOf(input));
      const body = type === "tool_result" ? bodyOf(content) : null;
      if (body === null) continue;
      this.#chars += body.length;
      // Hints never replace these.
      if (!isEdit && isError !== true) this.#count(body, known);
    }
  }

  /** The model also has whatever it wrote itself. */
  #learn(input: Members): void {
    for (const text of Object.values(input)) {
      if (typeof text === "string" && text.length > MIN_RUN_CHARS) remember(linesOf(text), this.#seen);
    }
  }

  /** `known`: the set that the lines belong to. */
  #count(body: string, known: NumberSet): void {
    const lines = linesOf(body);
    const { hashes, begins } = lines;
    const isSeen = (hash: number) => this.#seen.has(hash) || this.#printed.has(hash);
    const seen = hashes.map((hash, line) => isSeen(pairHash(hash, hashes[line + 1])));
    for (let line = 0; line < hashes.length; ) {
      // A run continues as long as its lines were also adjacent before.
      let end = line;
      while (end < hashes.length - 1 && seen[end]) end++;
      if (end > line || (isLong(begins, line) && isSeen(hashes[line] as number))) end++;
      const length = (begins[end] as number) - (begins[line] as number);
      const chars = Math.min(length, body.length - (begins[line] as number));
      if (length > MIN_RUN_CHARS) this.#repeated += chars - HINT_CHARS;
      line = Math.max(end, line + 1);
    }
    remember(lines, known);
  }
}

interface Lines {
  /** Of each line without Read's line number. */
  readonly hashes: number[];
  /** The offset of each line; after the last one, where the next would begin. */
  readonly begins: number[];
}

function remember({ hashes, begins }: Lines, known: NumberSet): void {
  for (const [line, hash] of hashes.entries()) {
    if (line < hashes.length - 1) known.add(pairHash(hash, hashes[line + 1]));
    if (isLong(begins, line)) known.add(hash);
  }
}

/** Long enough for a run of its own. */
function isLong(begins: readonly number[], line: number): boolean {
  return (begins[line + 1] as number) - (begins[line] as number) > MIN_RUN_CHARS;
}

function linesOf(text: string): Lines {
  const hashes: number[] = [];
  const begins: number[] = [];
  for (let begin = 0; begin <= text.length; ) {
    begins.push(begin);
    let hash = 0;
    let at = begin + numberLength(text, begin);
    for (let code = 0; at < text.length; at++) {
      code = text.charCodeAt(at);
      if (code === NEWLINE) break;
      hash = Math.imul(hash ^ code, 0x01000193) ^ (hash >>> 15);
    }
    hashes.push(hash >>> 0);
    begin = at + 1;
  }
  begins.push(text.length + 1);
  return { hashes, begins };
}

/** The length of `     7→` or `7<TAB>` at an offset; 0 if there is neither. */
function numberLength(text: string, begin: number): number {
  let at = begin;
  while (text[at] === " ") at++;
  const digits = at;
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++;
  return at > digits && (text[at] === "→" || text[at] === "\t") ? at + 1 - begin : 0;
}

function pairHash(one: number, other: number | undefined): number {
  return (Math.imul(one, 0x9e3779b1) ^ (other ?? 0) ^ (one >>> 13)) >>> 0;
}

interface SavedNumbers {
  readonly slots: Uint32Array<ArrayBuffer>;
  readonly size: number;
}

/** A set of 32-bit numbers that is saved as is, so that a new process need not build it. */
class NumberSet {
  #slots: Uint32Array<ArrayBuffer>;
  #size: number;

  constructor(saved: SavedNumbers = { slots: new Uint32Array(256), size: 0 }) {
    this.#slots = saved.slots;
    this.#size = saved.size;
  }

  get state(): SavedNumbers {
    return { slots: this.#slots, size: this.#size };
  }

  has(number: number): boolean {
    return this.#slots[this.#find(number)] === (number || 1);
  }

  add(number: number): void {
    if (this.#size >= MAX_LINES || this.has(number)) return;
    this.#slots[this.#find(number)] = number || 1;
    this.#size++;
    if (this.#size * 2 > this.#slots.length) this.#grow();
  }

  /** The slot of a number, or the free one where it would be. 0 marks a free slot, so it counts as 1. */
  #find(number: number): number {
    const wanted = number || 1;
    const { length } = this.#slots;
    let at = (Math.imul(wanted, 0x85ebca6b) >>> 0) % length;
    // There is always a free one, unless the saved data was not ours.
    for (let tries = 0; tries < length; tries++) {
      const slot = this.#slots[at];
      if (slot === 0 || slot === wanted) break;
      at = at + 1 === length ? 0 : at + 1;
    }
    return at;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (const number of before) if (number !== 0) this.#slots[this.#find(number)] = number;
  }
}
