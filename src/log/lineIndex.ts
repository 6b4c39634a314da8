const SLOT = 4;

/** A line that carries a uuid. */
export interface IndexedLine {
  readonly line: number;
  /** Where its chain of parents stands: see `ParentLinks`. A whole number of 32 bits. */
  readonly node: number;
}

/** Four numbers for each uuid: the two halves of its hash, its line and its node. */
export type SavedLineIndex = Uint32Array<ArrayBuffer>;

/**
 * Which line carries which uuid, packed: every line of a context may be the parent of a later one, so a context
 * remembers them all, in 32 bytes a line. Uuids are told apart by 64 bits of hash.
 */
export class LineIndex {
  /** Open addressing, at most half full, so that a search always ends; the line number is 0 where a slot is free. */
  #slots = new Uint32Array(4 * SLOT);
  #used = 0;

  /** The table is built here, whatever was saved: a damaged one can lose lines but not send a search in circles. */
  constructor(saved: SavedLineIndex = new Uint32Array()) {
    for (let from = 0; from + SLOT <= saved.length; from += SLOT) this.#take(saved, from);
  }

  get state(): SavedLineIndex {
    return this.since(1);
  }

  /** As much of it as tells of this line and those after it. */
  since(line: number): SavedLineIndex {
    const kept = new Uint32Array(this.#used * SLOT);
    let length = 0;
    for (let from = 0; from < this.#slots.length; from += SLOT) {
      if ((this.#slots[from + 2] as number) < Math.max(1, line)) continue;
      for (let at = from; at < from + SLOT; at++) kept[length++] = this.#slots[at] as number;
    }
    return length === kept.length ? kept : kept.slice(0, length);
  }

  /** A later line with the same uuid takes the place of the earlier one. */
  set(uuid: string, line: number, node: number): void {
    hash(uuid);
    this.#put(high, low, line, node);
  }

  get(uuid: string): IndexedLine | undefined {
    hash(uuid);
    const at = find(this.#slots, high, low);
    const line = this.#slots[at + 2] as number;
    return line === 0 ? undefined : { line, node: (this.#slots[at + 3] as number) | 0 };
  }

  #put(high: number, low: number, line: number, node: number): void {
    if (this.#used * 2 * SLOT >= this.#slots.length) this.#grow();
    const at = find(this.#slots, high, low);
    if (this.#slots[at + 2] === 0) this.#used++;
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    this.#slots[at + 2] = line;
    this.#slots[at + 3] = node;
  }

  /** Takes over one slot of another table, where it holds a line. */
  #take(slots: Uint32Array, from: number): void {
    const line = slots[from + 2] as number;
    if (line !== 0) this.#put(slots[from] as number, slots[from + 1] as number, line, slots[from + 3] as number);
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    this.#used = 0;
    for (let from = 0; from < old.length; from += SLOT) this.#take(old, from);
  }
}

/** The slot that holds the hash, or the free one where it belongs. */
function find(slots: Uint32Array, wantedHigh: number, wantedLow: number): number {
  const count = slots.length / SLOT;
  let at = (wantedLow & (count - 1)) * SLOT;
  while (slots[at + 2] !== 0 && (slots[at] !== wantedHigh || slots[at + 1] !== wantedLow)) {
    at += SLOT;
    if (at === slots.length) at = 0;
  }
  return at;
}

/** The result of `hash`: two numbers without an object around them. */
let high = 0;
let low = 0;
let hashed: string | undefined;

/** Two independent 32-bit multiplicative sums. */
function hash(text: string): void {
  // A line's uuid is looked up and then entered.
  if (text === hashed) return;
  hashed = text;
  let one = 0x811c9dc5;
  let two = 0x9e3779b1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
    two ^= two >>> 15;
  }
  high = one >>> 0;
  low = two >>> 0;
}

/** 64 bits by which a text is told from others. */
export function hash64(text: string): [high: number, low: number] {
  hash(text);
  return [high, low];
}
