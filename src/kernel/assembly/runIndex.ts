/** All lines of a context that may be referred to: src/dedup/runs/runIndex.ts. */
import { textLeaves } from "./leaving";
import { BYTES, CHARS, cell, HASH, HASH_HIGH, NEVER, NUMBER, prefixLength } from "./lines";
import { List, pair, Table } from "./lists";
import { isPlainName } from "./names";
import { enlarged, giveBack, Numbers, roomFor, zeros } from "./numbers";

/** A text that the model has: a result, or a string in a call's input. Its lines are in the slots [first, end). */
export class Source {
  id: i32 = 0;
  /** The member of the call's input; negative for its result. */
  input: i32 = 0;
  tool: i32 = 0;
  target: i32 = 0;
  logLine: i32 = 0;
  callLine: i32 = 0;
  order: i32 = 0;
  isListing: bool = false;
  first: i32 = 0;
  end: i32 = 0;
  chars: i32 = 0;
  /** False once the text has left the context, or if no hint could name it. */
  isThere: bool = false;
  /** By variant, the lines that were not emitted: see `hiddenIn`. */
  hidden: List<usize> | null = null;

  /** The lines that were not emitted in this variant, start and end of each stretch: it became one hint line. */
  hiddenIn(way: i32): List<i32> {
    let hidden = this.hidden;
    if (hidden === null) {
      hidden = new List<usize>();
      this.hidden = hidden;
    }
    if (hidden.length <= way) hidden.extend(way + 1 - hidden.length);
    if (hidden.get(way) === 0) hidden.set(way, changetype<usize>(new List<i32>()));
    return changetype<List<i32>>(hidden.get(way));
  }

  /** Resets it for reuse with another text. */
  showAll(): void {
    const hidden = this.hidden;
    if (hidden === null) return;
    for (let way = 0; way < hidden.length; way++) if (hidden.get(way) !== 0) this.hiddenIn(way).length = 0;
  }

  /** How many lines shorter the emitted text is before this line. */
  hiddenBefore(line: i32, way: i32): i32 {
    const all = this.hidden;
    if (all === null || all.length <= way || all.get(way) === 0) return 0;
    const hidden = this.hiddenIn(way);
    let lines = 0;
    for (let at = 0; at < hidden.length; at += 2) {
      if (hidden.get(at + 1) <= line) lines += hidden.get(at + 1) - hidden.get(at) - 1;
    }
    return lines;
  }
}

/** The most that a context can hold. */
const MAX_CHARS: i32 = 8 << 20;
const MAX_LINES: i32 = 1 << 19;
const MIN_ANCHOR_CHARS: i32 = 8;
/** The bit of a slot whose line can begin a run; the bits below it belong to the variants. */
const ANCHOR: u16 = 1 << 15;

/** In place of an older slot: no other line has this hash, or only one that differs in the other half. */
const NONE: i32 = -1;
const UNCERTAIN: i32 = -2;

/** Words of the hash table per slot: at most half full, to keep searches short. */
const NEWEST_WORDS: i32 = 4;

export class RunIndex {
  /** Those in use, followed by others for reuse. */
  sources: List<usize> = new List<usize>();
  count: i32 = 0;
  /** Their places plus 1. Created on the first lookup by name: only logs with live hints need it. */
  byName: Table = new Table();
  isNamed: bool = false;
  chars: i32 = 0;
  used: i32 = 0;
  slots: i32 = 0;
  hashes: Numbers<u32> = roomFor<u32>(0);
  highs: Numbers<u32> = roomFor<u32>(0);
  numbers: Numbers<u32> = roomFor<u32>(0);
  lengths: Numbers<u32> = roomFor<u32>(0);
  sourceOf: Numbers<i32> = roomFor<i32>(0);
  /** The next older slot of an equal line; negative at the end. */
  older: Numbers<i32> = roomFor<i32>(0);
  flags: Numbers<u16> = roomFor<u16>(0);
  /** A hash table of pairs: a hash, and the newest slot with it plus 1. */
  newest: Numbers<u32> = roomFor<u32>(0);

  /** Adds a text; null if it is too large for any context. The caller sets its other fields. */
  add(id: i32, input: i32, lines: usize, count: i32, chars: i32): Source | null {
    if (chars > MAX_CHARS / 2 || count > MAX_LINES / 2) return null;
    if (this.chars + chars > MAX_CHARS || this.used + count > MAX_LINES) this.dropOldest();
    const first = this.used;
    if (first + count > this.slots) this.grow(first + count);
    this.enter(first, lines, count);
    const source = this.spare();
    source.id = id;
    source.input = input;
    source.first = first;
    source.end = first + count;
    source.chars = chars;
    source.isThere = isPlainName(id) && (input < 0 || isPlainName(input));
    source.showAll();
    this.place(source);
    return source;
  }

  /** Every line of a log goes through here: using addresses instead of checked indices halves the time. */
  enter(first: i32, lines: usize, count: i32): void {
    const at = (<usize>first) << 2;
    let hash = changetype<usize>(this.hashes) + at;
    let high = changetype<usize>(this.highs) + at;
    let number = changetype<usize>(this.numbers) + at;
    let length = changetype<usize>(this.lengths) + at;
    let flag = changetype<usize>(this.flags) + (at >> 1);
    for (let line = 0; line < count; line++) {
      store<u32>(hash, cell(lines, line, HASH));
      store<u32>(high, cell(lines, line, HASH_HIGH));
      store<u32>(number, cell(lines, line, NUMBER));
      store<u32>(length, cell(lines, line, CHARS));
      store<u16>(flag, isAnchor(lines, line) ? ANCHOR : 0);
      hash += 4;
      high += 4;
      number += 4;
      length += 4;
      flag += 2;
    }
  }

  /** The next one for reuse, in its place. */
  spare(): Source {
    if (this.count === this.sources.length) this.sources.push(changetype<usize>(new Source()));
    return changetype<Source>(this.sources.get(this.count));
  }

  /** These lines were not emitted in this variant: nothing may refer to them there. */
  hide(source: Source, way: i32, start: i32, end: i32): void {
    const hidden = source.hiddenIn(way);
    hidden.push(start);
    hidden.push(end);
    const mask = 1 << way;
    const bit = <u16>mask;
    for (let slot = source.first + start; slot < source.first + end; slot++) this.flags[slot] |= bit;
  }

  /** An upper bound on the bytes of adjacent lines that also occur elsewhere; lines too short to be chained count. */
  longestRepeat(first: i32, lines: usize, count: i32): i32 {
    let longest = 0;
    let bytes = 0;
    let isChained = false;
    for (let line = 0; line < count; line++) {
      const link = this.older[first + line];
      const ends = link === NONE && this.flags[first + line] >= ANCHOR;
      isChained = !ends && (isChained || link >= 0);
      bytes = ends ? 0 : bytes + <i32>cell(lines, line, BYTES) + 1;
      if (isChained && bytes > longest) longest = bytes;
    }
    return longest;
  }

  isHidden(slot: i32, way: i32): bool {
    const mask = 1 << way;
    const flags = <i32>this.flags[slot];
    return (flags & mask) !== 0;
  }

  source(slot: i32): Source {
    return this.at(this.sourceOf[slot]);
  }

  at(place: i32): Source {
    return changetype<Source>(this.sources.get(place));
  }

  /** Whether two slots hold the same text, apart from line numbers. */
  isSameText(slot: i32, other: i32): bool {
    return this.hashes[slot] === this.hashes[other] && this.highs[slot] === this.highs[other];
  }

  /** The newest text with this name. */
  sourceNamed(id: i32, input: i32): Source | null {
    if (!this.isNamed) {
      this.byName.clear();
      this.isNamed = true;
      for (let place = 0; place < this.count; place++) this.name(this.at(place), place);
    }
    const known = this.byName.get(pair(id, input));
    return known === 0 ? null : this.at(known - 1);
  }

  name(source: Source, place: i32): void {
    this.byName.set(pair(source.id, source.input), place + 1);
  }

  clear(): void {
    this.count = this.chars = this.used = 0;
    this.isNamed = false;
    memory.fill(changetype<usize>(this.newest), 0, (<usize>(this.slots * NEWEST_WORDS)) << 2);
  }

  /** Some texts have left the context: see leaving.ts. Their slots stay until the index is cleared or rebuilt. */
  drop(): void {
    for (let place = 0; place < this.count; place++) {
      const source = this.at(place);
      if (!source.isThere || !textLeaves(source.id, source.logLine)) continue;
      this.chars -= source.chars;
      source.isThere = false;
    }
  }

  place(source: Source): void {
    const sourceOf = changetype<usize>(this.sourceOf);
    for (let slot = source.first; slot < source.end; slot++) store<i32>(sourceOf + ((<usize>slot) << 2), this.count);
    this.used = source.end;
    if (this.isNamed) this.name(source, this.count);
    this.count++;
    if (source.isThere) this.chars += source.chars;
    this.chain(source.first, source.end);
  }

  chain(first: i32, end: i32): void {
    const older = changetype<usize>(this.older);
    const newest = changetype<usize>(this.newest);
    for (let slot = first; slot < end; slot++) {
      const link = older + ((<usize>slot) << 2);
      store<i32>(link, NONE);
      if (this.flags[slot] < ANCHOR) continue;
      const hash = this.hashes[slot];
      const at = newest + ((<usize>this.find(hash)) << 2);
      const known = load<i32>(at, 4) - 1;
      // Only half of the hash is equal: the older line can no longer be found, which costs a saving, nothing else.
      if (known >= 0) {
        store<i32>(link, this.highs[known] === this.highs[slot] ? known : UNCERTAIN);
      }
      store<u32>(at, hash);
      store<i32>(at, slot + 1, 4);
    }
  }

  /** Keeps the newer half of the limit. */
  dropOldest(): void {
    const count = this.count;
    let from = count;
    let chars = 0;
    let lines = 0;
    while (from > 0) {
      const source = this.at(from - 1);
      if (source.isThere) {
        chars += source.chars;
        lines += source.end - source.first;
        if (chars > MAX_CHARS / 2 || lines > MAX_LINES / 2) break;
      }
      from--;
    }
    this.clear();
    // Slots only move towards the front: none is overwritten before it is read.
    for (let place = from; place < count; place++) {
      const source = this.at(place);
      if (!source.isThere) continue;
      const first = this.used;
      const length = source.end - source.first;
      this.move(first, source.first, length);
      this.sources.set(place, changetype<usize>(this.spare()));
      this.sources.set(this.count, changetype<usize>(source));
      source.first = first;
      source.end = first + length;
      this.place(source);
    }
  }

  move(to: i32, from: i32, length: i32): void {
    moveWords(this.hashes, to, from, length);
    moveWords(this.highs, to, from, length);
    moveWords(this.numbers, to, from, length);
    moveWords(this.lengths, to, from, length);
    const flags = changetype<usize>(this.flags);
    memory.copy(flags + ((<usize>to) << 1), flags + ((<usize>from) << 1), (<usize>length) << 1);
  }

  grow(minSlots: i32): void {
    let slots = max<i32>(256, this.slots);
    // In large steps: every line has to be inserted again.
    while (slots < minSlots) slots *= 4;
    const before = this.slots;
    this.hashes = enlarged<u32>(this.hashes, before, slots);
    this.highs = enlarged<u32>(this.highs, before, slots);
    this.numbers = enlarged<u32>(this.numbers, before, slots);
    this.lengths = enlarged<u32>(this.lengths, before, slots);
    this.sourceOf = enlarged<i32>(this.sourceOf, before, slots);
    this.older = enlarged<i32>(this.older, before, slots);
    this.flags = enlarged<u16>(this.flags, before, slots);
    this.slots = slots;
    const old = this.newest;
    this.newest = zeros<u32>(slots * NEWEST_WORDS);
    for (let from = 0; from < before * NEWEST_WORDS; from += 2) {
      if (old[from + 1] === 0) continue;
      const at = this.find(old[from]);
      this.newest[at] = old[from];
      this.newest[at + 1] = old[from + 1];
    }
    giveBack<u32>(old, before * NEWEST_WORDS);
  }

  /** The place of a hash in the table, or the free place where it belongs. */
  find(hash: u32): i32 {
    const newest = this.newest;
    const mask = this.slots * NEWEST_WORDS - 2;
    // The hash's low bits hardly depend on the start of the line.
    let at = <i32>((hash ^ (hash >> 15)) << 1) & mask;
    while (newest[at + 1] !== 0 && newest[at] !== hash) at = (at + 2) & mask;
    return at;
  }
}

function moveWords(words: Numbers<u32>, to: i32, from: i32, length: i32): void {
  const address = changetype<usize>(words);
  memory.copy(address + ((<usize>to) << 2), address + ((<usize>from) << 2), (<usize>length) << 2);
}

/** Whether a line is long enough to begin a run. Its number does not count. */
function isAnchor(lines: usize, line: i32): bool {
  const number = cell(lines, line, NUMBER);
  if (number === NEVER) return false;
  return <i32>cell(lines, line, CHARS) - prefixLength(number) >= MIN_ANCHOR_CHARS;
}
