import { HashTable } from "./hashTable.js";

/** A line that has a uuid. */
export interface IndexedLine {
  readonly line: number;
  /** Its place on the chain of parents: see `ParentLinks`. A whole number of 32 bits. */
  readonly node: number;
}

/** Four numbers for each uuid: the two halves of its hash, its line and its node. */
export type SavedLineIndex = Uint32Array<ArrayBuffer>;

const SAVED_WIDTH = 4;
const LINE = 2;
const NODE = 3;
const NOTHING_SAVED: SavedLineIndex = new Uint32Array();

/**
 * Which line has which uuid. Every line of a context may be the parent of a later one, so a context remembers them all,
 * in 32 bytes a line. Uuids are told apart by 64 bits of hash.
 */
export class LineIndex {
  readonly #table = new HashTable(2, 2);
  /** What was saved, where the table has nothing newer: a fresh process finds a line in it faster than it enters all. */
  readonly #saved: SavedLineIndex;

  constructor(saved: SavedLineIndex = NOTHING_SAVED) {
    this.#saved = saved;
  }

  /** The part that is about this line and later ones. */
  since(line: number): SavedLineIndex {
    const newer = this.#table.entriesFrom(line);
    const saved = this.#saved;
    const all = new Uint32Array(newer.length + saved.length);
    all.set(newer);
    let length = newer.length;
    for (let from = 0; from + SAVED_WIDTH <= saved.length; from += SAVED_WIDTH) {
      if (((saved[from + LINE] as number) | 0) < Math.max(1, line)) continue;
      if (this.#table.value(this.#table.find(saved[from] as number, saved[from + 1] as number)) !== 0) continue;
      for (let at = from; at < from + SAVED_WIDTH; at++) all[length++] = saved[at] as number;
    }
    return all.slice(0, length);
  }

  get(uuid: string): IndexedLine | undefined {
    const [high, low] = hash64(uuid);
    const line = this.lineOf(high, low);
    return line === 0 ? undefined : { line, node: this.nodeOf(high, low) };
  }

  /** The newest line whose uuid has this hash (see `hash64`); 0 if there is none. */
  lineOf(high: number, low: number): number {
    return this.#table.value(this.#table.find(high, low)) || this.#savedValue(LINE, high, low);
  }

  /** Its node; 0 if there is none. */
  nodeOf(high: number, low: number): number {
    const entry = this.#table.find(high, low);
    return this.#table.value(entry) === 0 ? this.#savedValue(NODE, high, low) : this.#table.value(entry, 1);
  }

  /** A later line with the same uuid replaces the earlier one. */
  put(high: number, low: number, line: number, node: number): void {
    const entry = this.#table.place(high, low);
    this.#table.setValue(entry, line);
    this.#table.setValue(entry, node, 1);
  }

  /** A damaged one can lose lines, but not send a search in circles. */
  #savedValue(which: number, high: number, low: number): number {
    const saved = this.#saved;
    if (saved.length === 0) return 0;
    for (let at = saved.indexOf(high >>> 0); at >= 0; at = saved.indexOf(high >>> 0, at + 1)) {
      if (at % SAVED_WIDTH !== 0 || saved[at + 1] !== low >>> 0) continue;
      const isLine = ((saved[at + LINE] ?? 0) | 0) > 0;
      return isLine ? (saved[at + which] ?? 0) | 0 : 0;
    }
    return 0;
  }
}

/** 64 bits by which a text is told from others, as two independent multiplicative sums. The scanner has the same. */
export function hash64(text: string): [high: number, low: number] {
  let one = 0x811c9dc5;
  let two = 0x9e3779b1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
    two ^= two >>> 15;
  }
  return [one >>> 0, two >>> 0];
}
