import {
  BYTES,
  CHARS,
  HASH,
  HASH_HIGH,
  isAnchor,
  LINE_WIDTH,
  type LineTable,
  lineCount,
  NUMBER,
  slotsWith,
} from "./lines.js";
import {
  HeldSource,
  nameOf,
  RestoredSources,
  type RunSource,
  type SavedSources,
  type Stretch,
  savedSources,
  stretchesOf,
} from "./sources.js";

/**
 * The most that a context can hold. No model's context is larger, so older text has left it, whether or not the log
 * says so. A line takes 26 bytes.
 */
export const MAX_CHARS = 8 << 20;
const MAX_LINES = 1 << 19;

/** The bit of a slot whose line can begin a run; the bits below it belong to the variants. */
const ANCHOR = 1 << 15;

/** With more lines than this, chaining all of them is faster. */
const MAX_SEARCHED = 512;

/** The lines of a context as plain data, without those that have left it and without hidden ones. */
export interface SavedIndex extends SavedSources {
  /** Per line, as in the index. */
  readonly hashes: Int32Array;
  readonly highs: Int32Array;
  readonly numbers: Uint32Array;
  readonly lengths: Uint32Array;
  readonly flags: Uint16Array;
}

/** In place of an older slot: no other line has this hash, or only one that differs in the other half. */
const NONE = -1;
const UNCERTAIN = -2;

/**
 * All lines of a context that may be referred to. A line is a slot, numbered across all sources, and slots of equal
 * lines are chained. Several variants share the index: they differ only in which lines they hide.
 */
export class RunIndex {
  /** Undefined for a restored text that has not been needed yet: most never are. */
  #sources: (HeldSource | undefined)[] = [];
  #restored: RestoredSources | undefined;
  /** Everything restored is still there: it can be saved again without looking at it. */
  #isIntact = false;
  /** Created on the first lookup by name: only logs with live hints need it. */
  #byName: Map<string, HeldSource> | undefined;
  #chars = 0;
  #used = 0;
  /** The last id found usable in a hint: a call's strings and its result follow one another. */
  #plainId: string | undefined;
  #hashes = new Int32Array(256);
  #highs = new Int32Array(256);
  #numbers = new Uint32Array(256);
  #lengths = new Uint32Array(256);
  #sourceOf = new Int32Array(256);
  /** The next older slot of an equal line; negative at the end. */
  #older = new Int32Array(256);
  #flags = new Uint16Array(256);
  /** A hash table of pairs: a hash, and the newest slot with it plus 1. Adjacent, so that a lookup costs one fetch. */
  #newest = new Int32Array(1024);

  /**
   * `wanted`: the lines of the only text that will be searched for runs. Only lines equal to these are chained, which
   * is much faster than chaining all.
   */
  constructor(saved?: SavedIndex, wanted?: LineTable) {
    if (saved !== undefined) this.#restore(saved, wanted);
  }

  get state(): SavedIndex {
    const before = this.#isIntact ? this.#restored : undefined;
    // A name that contains a line break could not be restored.
    const there = this.#sourcesFrom(before?.count ?? 0).filter(
      ({ isThere, source }) => isThere && !source.tool.includes("\n"),
    );
    const count = there.reduce((sum, { first, end }) => sum + end - first, before?.lines ?? 0);
    const [hashes, highs] = [new Int32Array(count), new Int32Array(count)];
    const [numbers, lengths, flags] = [new Uint32Array(count), new Uint32Array(count), new Uint16Array(count)];
    let used = 0;
    // Copies adjacent lines at once: line by line, or text by text, a fresh process would take much longer.
    for (const { start, end } of stretchesOf(there, before?.lines)) {
      hashes.set(this.#hashes.subarray(start, end), used);
      highs.set(this.#highs.subarray(start, end), used);
      numbers.set(this.#numbers.subarray(start, end), used);
      lengths.set(this.#lengths.subarray(start, end), used);
      flags.set(this.#flags.subarray(start, end), used);
      used += end - start;
    }
    return { ...savedSources(there, before?.saved), hashes, highs, numbers, lengths, flags };
  }

  #restore(saved: SavedIndex, wanted: LineTable | undefined): void {
    const { hashes } = saved;
    if (hashes.length > this.#hashes.length) this.#grow(hashes.length);
    this.#hashes.set(hashes);
    this.#highs.set(saved.highs);
    this.#numbers.set(saved.numbers);
    this.#lengths.set(saved.lengths);
    this.#flags.set(saved.flags);
    this.#restored = new RestoredSources(saved);
    this.#isIntact = true;
    this.#sources.length = this.#restored.count;
    this.#used = hashes.length;
    this.#chars = this.#restored.enter(this.#sourceOf);
    if (wanted === undefined || lineCount(wanted) > MAX_SEARCHED) return this.#chain(0, this.#used);
    this.#older.fill(NONE, 0, this.#used);
    for (const slot of slotsWith(wanted, hashes)) this.#chain(slot, slot + 1);
  }

  get #allSources(): HeldSource[] {
    return this.#sourcesFrom(0);
  }

  #sourcesFrom(begin: number): HeldSource[] {
    return Array.from(this.#sources.slice(begin), (held, index) => held ?? this.#sourceAt(begin + index));
  }

  #sourceAt(index: number): HeldSource {
    const known = this.#sources[index];
    if (known !== undefined || this.#restored === undefined) return known as HeldSource;
    const held = this.#restored.at(index);
    this.#sources[index] = held;
    return held;
  }

  /** Adds a text of this length; undefined if it is too large for any context. */
  add(source: RunSource, lines: LineTable, chars: number): HeldSource | undefined {
    const count = lineCount(lines);
    if (chars > MAX_CHARS / 2 || count > MAX_LINES / 2) return undefined;
    if (this.#chars + chars > MAX_CHARS || this.#used + count > MAX_LINES) this.#dropOldest();
    const first = this.#used;
    if (first + count > this.#hashes.length) this.#grow(first + count);
    const [hashes, highs, numbers] = [this.#hashes, this.#highs, this.#numbers];
    const [lengths, flags] = [this.#lengths, this.#flags];
    for (let slot = first, at = 0; slot < first + count; slot++, at += LINE_WIDTH) {
      hashes[slot] = lines[at + HASH] as number;
      highs[slot] = lines[at + HASH_HIGH] as number;
      numbers[slot] = lines[at + NUMBER] as number;
      lengths[slot] = lines[at + CHARS] as number;
      flags[slot] = isAnchor(lines, at) ? ANCHOR : 0;
    }
    const held = new HeldSource(source, first, first + count, chars, this.#isNameable(source), []);
    this.#place(held);
    return held;
  }

  /** These lines of a source were not emitted in this variant: nothing may refer to them there. */
  hide(held: HeldSource, way: number, stretches: readonly Stretch[]): void {
    held.hidden[way] = stretches;
    for (const { start, end } of stretches) {
      for (let slot = held.first + start; slot < held.first + end; slot++) {
        this.#flags[slot] = (this.#flags[slot] as number) | (1 << way);
      }
    }
  }

  /** An upper bound on the bytes of adjacent lines that also occur elsewhere; lines too short to be chained count. */
  longestRepeat({ first }: HeldSource, lines: LineTable): number {
    const [older, flags] = [this.#older, this.#flags];
    let longest = 0;
    let bytes = 0;
    let isChained = false;
    for (let slot = first, at = BYTES; at < lines.length; slot++, at += LINE_WIDTH) {
      const link = older[slot] as number;
      const ends = link === NONE && (flags[slot] as number) >= ANCHOR;
      isChained = !ends && (isChained || link >= 0);
      bytes = ends ? 0 : bytes + (lines[at] as number) + 1;
      if (isChained && bytes > longest) longest = bytes;
    }
    return longest;
  }

  isHidden(slot: number, way: number): boolean {
    return ((this.#flags[slot] as number) & (1 << way)) !== 0;
  }

  older(slot: number): number {
    return this.#older[slot] as number;
  }

  source(slot: number): HeldSource {
    return this.#sourceAt(this.#sourceOf[slot] as number);
  }

  /** Whether two slots hold the same text, apart from line numbers. */
  isSameText(slot: number, other: number): boolean {
    return this.#hashes[slot] === this.#hashes[other] && this.#highs[slot] === this.#highs[other];
  }

  number(slot: number): number {
    return this.#numbers[slot] as number;
  }

  /** The line's length with its number, in characters. */
  chars(slot: number): number {
    return this.#lengths[slot] as number;
  }

  /** The first call, by its place on the parent chain, that has a text. */
  get oldestCall(): number {
    const before = this.#isIntact ? this.#restored : undefined;
    if (before !== undefined && before.oldestCall > 0) return before.oldestCall;
    const sources = this.#sourcesFrom(before?.count ?? 0);
    const oldest = sources.find(({ isThere, source }) => isThere && source.callLine > 0);
    return oldest?.source.callLine ?? Number.POSITIVE_INFINITY;
  }

  /** The newest text with this name. */
  sourceNamed(id: string, input: string | undefined): HeldSource | undefined {
    this.#byName ??= new Map(this.#allSources.map(held => [nameOf(held.source), held]));
    return this.#byName.get(nameOf({ id, input }));
  }

  /** Nothing can be referred to any more. */
  clear(): void {
    this.#sources = [];
    this.#restored = undefined;
    this.#isIntact = false;
    this.#byName = undefined;
    this.#chars = this.#used = 0;
    this.#newest.fill(0);
  }

  /** Some texts have left the context. Their slots stay until the index is cleared or rebuilt. */
  drop(leaves: (source: RunSource) => boolean): void {
    for (const held of this.#allSources) {
      if (!held.isThere || !leaves(held.source)) continue;
      this.#chars -= held.chars;
      held.isThere = this.#isIntact = false;
    }
  }

  #place(held: HeldSource): void {
    this.#hold(held);
    this.#chain(held.first, held.end);
  }

  #hold(held: HeldSource): void {
    this.#sourceOf.fill(this.#sources.length, held.first, held.end);
    this.#used = held.end;
    this.#sources.push(held);
    this.#byName?.set(nameOf(held.source), held);
    if (held.isThere) this.#chars += held.chars;
  }

  /** Chains the lines in these slots to equal ones. */
  #chain(first: number, end: number): void {
    const [newest, older] = [this.#newest, this.#older];
    const [hashes, highs, flags] = [this.#hashes, this.#highs, this.#flags];
    older.fill(-1, first, end);
    for (let slot = first; slot < end; slot++) {
      const hash = hashes[slot] as number;
      if ((flags[slot] as number) < ANCHOR) continue;
      const at = find(newest, hash);
      const known = (newest[at + 1] as number) - 1;
      // Only half of the hash is equal: the older line can no longer be found, which costs a saving, nothing else.
      if (known >= 0) older[slot] = highs[known] === highs[slot] ? known : UNCERTAIN;
      newest[at] = hash;
      newest[at + 1] = slot + 1;
    }
  }

  /** A hint is one line that ends with a bracket: the name must not be mistaken for the hint's own words. */
  #isNameable({ id, input }: RunSource): boolean {
    if (id !== this.#plainId && isPlain(id)) this.#plainId = id;
    return id === this.#plainId && (input === undefined || isPlain(input));
  }

  /** Keeps the newer half of the limit. */
  #dropOldest(): void {
    const held = this.#allSources.filter(({ isThere }) => isThere);
    let [kept, chars, lines] = [0, 0, 0];
    for (const source of held.toReversed()) {
      chars += source.chars;
      lines += source.end - source.first;
      if (chars > MAX_CHARS / 2 || lines > MAX_LINES / 2) break;
      kept++;
    }
    this.clear();
    // Slots only move towards the front: none is overwritten before it is read.
    for (const old of held.slice(held.length - kept)) {
      const first = this.#used;
      for (const column of [this.#hashes, this.#highs, this.#numbers, this.#lengths, this.#flags]) {
        column.copyWithin(first, old.first, old.end);
      }
      this.#place(new HeldSource(old.source, first, first + old.end - old.first, old.chars, true, old.hidden));
    }
  }

  #grow(min: number): void {
    let length = this.#hashes.length;
    // In large steps: every line has to be inserted again.
    while (length < min) length *= 4;
    this.#hashes = enlarged(this.#hashes, new Int32Array(length));
    this.#highs = enlarged(this.#highs, new Int32Array(length));
    this.#numbers = enlarged(this.#numbers, new Uint32Array(length));
    this.#lengths = enlarged(this.#lengths, new Uint32Array(length));
    this.#sourceOf = enlarged(this.#sourceOf, new Int32Array(length));
    this.#older = enlarged(this.#older, new Int32Array(length));
    this.#flags = enlarged(this.#flags, new Uint16Array(length));
    // At most half full, to keep searches short.
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

/** The place of a hash in the table, or the free place where it belongs. */
function find(newest: Int32Array, hash: number): number {
  const mask = newest.length - 2;
  // The hash's low bits hardly depend on the start of the line.
  let at = ((hash ^ (hash >>> 15)) << 1) & mask;
  while (newest[at + 1] !== 0 && newest[at] !== hash) at = (at + 2) & mask;
  return at;
}

/** Letters, digits, "_", "-", "." and ":": can be named in a hint. */
export function isPlain(name: string): boolean {
  return /^[\w.:-]+$/.test(name);
}
