import { HashTable } from "./hashTable.js";

/** A line with a uuid. */
export interface IndexedLine {
  readonly line: number;
  /** Its place on the parent chain: see `ParentLinks`. A 32-bit integer. */
  readonly node: number;
}

/** Four numbers for each uuid: the two halves of its hash, its line and its node. */
export type SavedLineIndex = Uint32Array<ArrayBuffer>;

const SAVED_WIDTH = 4;
const LINE = 2;
const NODE = 3;
const NOTHING_SAVED: SavedLineIndex = new Uint32Array();

/**
 * Which line has which uuid. Any line of a context may be the parent of a later one, so a context remembers them all,
 * at 32 bytes per line. Uuids are compared by a 64-bit hash.
 */
export class LineIndex {
  readonly #table = new HashTable(2, 2);
  /** The saved index, for lines without a newer entry: a fresh process searches it faster than it could insert it. */
  readonly #saved: SavedLineIndex;

  constructor(saved: SavedLineIndex = NOTHING_SAVED) {
    this.#saved = saved;
  }

  /** The part about this line and later ones. */
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

  /** The newest line with a uuid of this hash (see `hash64`); 0 if there is none. */
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

  /** Damaged data can lose lines, but never makes a search loop forever. */
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

/** A 64-bit hash that identifies a text: two independent multiplicative sums. The scanner computes the same. */
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
