import { CHARS, HASH, HASH_HIGH, LINE_WIDTH, type LineTable, lineCount, NEVER, NUMBER } from "./lines.js";
import { prefixLength } from "./numbered.js";

/** A text that the model has: a result, or a string of a call's input. */
export interface RunSource {
  readonly id: string;
  /** The member of the call's input; undefined for its result. */
  readonly input: string | undefined;
  /** The call's tool and its subject, for hints that name them. */
  readonly tool: string;
  readonly target: string;
  /** The line of the log, to tell what a rewind takes away and what belongs to the message being answered. */
  readonly logLine: number;
  /** The place of its call on the chain of parents; 0 where that is not known. */
  readonly callLine: number;
  /** How many results of the context came before it. */
  readonly order: number;
  /** People count or compare its lines: see `isWholeOrNothing`. */
  readonly isListing: boolean;
}

/** A source whose lines are in the slots [first, end). */
export class HeldSource {
  readonly source: RunSource;
  readonly first: number;
  readonly end: number;
  readonly chars: number;
  /** False once the text has left the context, or where no hint could name it. */
  isThere: boolean;
  /** Per way of replacing, the lines that were not emitted: each stretch became one hint line. */
  readonly hidden: (readonly Stretch[])[];

  constructor(
    source: RunSource,
    first: number,
    end: number,
    chars: number,
    isThere: boolean,
    hidden: HeldSource["hidden"],
  ) {
    this.source = source;
    this.first = first;
    this.end = end;
    this.chars = chars;
    this.isThere = isThere;
    this.hidden = hidden;
  }
}

/** Lines [start, end) of a text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * What a context holds at most. No model's context is larger, so older text has left it, whether or not the log says
 * so. A line takes 22 bytes.
 */
export const MAX_CHARS = 8 << 20;
const MAX_LINES = 1 << 19;

/** The shortest line, in characters, that can begin a run. Blank lines and lone brackets are found from their neighbours. */
const MIN_ANCHOR_CHARS = 8;
/** The bit of a slot whose line can begin a run; the bits below it belong to the ways of replacing. */
const ANCHOR = 1 << 15;

/**
 * All lines of a context that may be referred to. A line is a slot, counted through all sources, and slots of equal
 * lines are chained. Several ways of replacing share the index: they differ only in which lines they hide.
 */
export class RunIndex {
  #sources: HeldSource[] = [];
  #chars = 0;
  #used = 0;
  /** The last id that was found fit for a hint: a call's strings and its result come one after another. */
  #plainId: string | undefined;
  #hashes = new Int32Array(256);
  #highs = new Int32Array(256);
  #numbers = new Uint32Array(256);
  #sourceOf = new Int32Array(256);
  /** The next older slot of an equal line, -1 at the end. */
  #older = new Int32Array(256);
  #flags = new Uint16Array(256);
  /** A hash table in pairs: a hash, and the newest slot with it plus 1. Side by side, so that a look costs one fetch. */
  #newest = new Int32Array(1024);

  /** Takes in a text of so many characters; undefined where it is too large for any context. */
  add(source: RunSource, lines: LineTable, chars: number): HeldSource | undefined {
    const count = lineCount(lines);
    if (chars > MAX_CHARS / 2 || count > MAX_LINES / 2) return undefined;
    if (this.#chars + chars > MAX_CHARS || this.#used + count > MAX_LINES) this.#dropOldest();
    const first = this.#used;
    if (first + count > this.#hashes.length) this.#grow(first + count);
    for (let slot = first, at = 0; slot < first + count; slot++, at += LINE_WIDTH) {
      this.#hashes[slot] = lines[at + HASH] as number;
      this.#highs[slot] = lines[at + HASH_HIGH] as number;
      this.#numbers[slot] = lines[at + NUMBER] as number;
      this.#flags[slot] = isAnchor(lines, at) ? ANCHOR : 0;
    }
    const held = new HeldSource(source, first, first + count, chars, this.#isNameable(source), []);
    this.#place(held);
    return held;
  }

  /** These lines of a source were not emitted in this way: nothing may refer to them there. */
  hide(held: HeldSource, way: number, stretches: readonly Stretch[]): void {
    held.hidden[way] = stretches;
    for (const { start, end } of stretches) {
      for (let slot = held.first + start; slot < held.first + end; slot++) {
        this.#flags[slot] = (this.#flags[slot] as number) | (1 << way);
      }
    }
  }

  /** Whether any of its lines is somewhere else, too. */
  repeats({ first, end }: HeldSource): boolean {
    for (let slot = first; slot < end; slot++) if ((this.#older[slot] as number) >= 0) return true;
    return false;
  }

  isHidden(slot: number, way: number): boolean {
    return ((this.#flags[slot] as number) & (1 << way)) !== 0;
  }

  older(slot: number): number {
    return this.#older[slot] as number;
  }

  source(slot: number): HeldSource {
    return this.#sources[this.#sourceOf[slot] as number] as HeldSource;
  }

  /** Whether two slots hold the same text, apart from line numbers. */
  isSameText(slot: number, other: number): boolean {
    return this.#hashes[slot] === this.#hashes[other] && this.#highs[slot] === this.#highs[other];
  }

  number(slot: number): number {
    return this.#numbers[slot] as number;
  }

  /** Nothing can be referred to any longer. */
  clear(): void {
    this.#sources = [];
    this.#chars = this.#used = 0;
    this.#newest.fill(0);
  }

  /** Some texts have left the context. Their slots stay until the index is cleared or rebuilt. */
  drop(leaves: (source: RunSource) => boolean): void {
    for (const held of this.#sources) {
      if (!held.isThere || !leaves(held.source)) continue;
      this.#chars -= held.chars;
      held.isThere = false;
    }
  }

  /** Chains the lines in a source's slots to their equals. */
  #place(held: HeldSource): void {
    const [newest, hashes, highs, flags, older] = [this.#newest, this.#hashes, this.#highs, this.#flags, this.#older];
    this.#sourceOf.fill(this.#sources.length, held.first, held.end);
    for (let slot = held.first; slot < held.end; slot++) {
      older[slot] = -1;
      if ((flags[slot] as number) < ANCHOR) continue;
      const at = find(newest, hashes[slot] as number);
      const known = (newest[at + 1] as number) - 1;
      // Equal in half of the hash only: the older line can no longer be found, which costs a saving and nothing else.
      if (known >= 0 && highs[known] === highs[slot]) older[slot] = known;
      newest[at] = hashes[slot] as number;
      newest[at + 1] = slot + 1;
    }
    this.#used = held.end;
    this.#sources.push(held);
    if (held.isThere) this.#chars += held.chars;
  }

  /** A hint is one line that ends with a bracket: what it names must not be mistaken for its own words. */
  #isNameable({ id, input }: RunSource): boolean {
    if (id !== this.#plainId && isPlain(id)) this.#plainId = id;
    return id === this.#plainId && (input === undefined || isPlain(input));
  }

  /** Keeps the newer half of what may be held. */
  #dropOldest(): void {
    const held = this.#sources.filter(({ isThere }) => isThere);
    let [kept, chars, lines] = [0, 0, 0];
    for (const source of held.toReversed()) {
      chars += source.chars;
      lines += source.end - source.first;
      if (chars > MAX_CHARS / 2 || lines > MAX_LINES / 2) break;
      kept++;
    }
    this.clear();
    // Slots only move towards the front: none is overwritten before it was read.
    for (const old of held.slice(held.length - kept)) {
      const first = this.#used;
      for (const column of [this.#hashes, this.#highs, this.#numbers, this.#flags]) {
        column.copyWithin(first, old.first, old.end);
      }
      this.#place(new HeldSource(old.source, first, first + old.end - old.first, old.chars, true, old.hidden));
    }
  }

  #grow(min: number): void {
    let length = this.#hashes.length;
    // In large steps: every line is entered again.
    while (length < min) length *= 4;
    this.#hashes = enlarged(this.#hashes, new Int32Array(length));
    this.#highs = enlarged(this.#highs, new Int32Array(length));
    this.#numbers = enlarged(this.#numbers, new Uint32Array(length));
    this.#sourceOf = enlarged(this.#sourceOf, new Int32Array(length));
    this.#older = enlarged(this.#older, new Int32Array(length));
    this.#flags = enlarged(this.#flags, new Uint16Array(length));
    // At most half of the table is in use, so that a search ends soon.
    const newest = new Int32Array(length * 4);
    for (let from = 0; from < this.#newest.length; from += 2) {
      if (this.#newest[from + 1] === 0) continue;
      const at = find(newest, this.#newest[from] as number);
      newest[at] = this.#newest[from] as number;
      newest[at + 1] = this.#newest[from + 1] as number;
    }
    this.#newest = newest;
  }
}

function enlarged<T extends Int32Array | Uint32Array | Uint16Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Where a hash is in the table, or the free place where it belongs. */
function find(newest: Int32Array, hash: number): number {
  const mask = newest.length - 2;
  // The hash's low bits hardly depend on a line's beginning.
  let at = ((hash ^ (hash >>> 15)) << 1) & mask;
  while (newest[at + 1] !== 0 && newest[at] !== hash) at = (at + 2) & mask;
  return at;
}

/** Letters, digits, "_", "-", "." and ":". */
function isPlain(name: string): boolean {
  return /^[\w.:-]+$/.test(name);
}

/** Whether a line is long enough to begin a run. Its number does not count. */
function isAnchor(lines: LineTable, at: number): boolean {
  const number = lines[at + NUMBER] as number;
  if (number === NEVER) return false;
  return (lines[at + CHARS] as number) - prefixLength(number) >= MIN_ANCHOR_CHARS;
}
