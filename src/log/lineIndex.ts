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

/**
 * Which line has which uuid. Every line of a context may be the parent of a later one, so a context remembers them all,
 * in 32 bytes a line. Uuids are told apart by 64 bits of hash.
 */
export class LineIndex {
  readonly #table = new HashTable(2, 2);

  /** The table is built anew from what was saved: a damaged one can lose lines, but not send a search in circles. */
  constructor(saved: SavedLineIndex = new Uint32Array()) {
    for (let from = 0; from + SAVED_WIDTH <= saved.length; from += SAVED_WIDTH) {
      const line = (saved[from + 2] as number) | 0;
      if (line > 0) this.put(saved[from] as number, saved[from + 1] as number, line, saved[from + 3] as number);
    }
  }

  /** The part that is about this line and later ones. */
  since(line: number): SavedLineIndex {
    return this.#table.entriesFrom(line);
  }

  get(uuid: string): IndexedLine | undefined {
    const [high, low] = hash64(uuid);
    const line = this.lineOf(high, low);
    return line === 0 ? undefined : { line, node: this.nodeOf(high, low) };
  }

  /** The newest line whose uuid has this hash (see `hash64`); 0 if there is none. */
  lineOf(high: number, low: number): number {
    return this.#table.value(this.#table.find(high, low));
  }

  /** Its node; 0 if there is none. */
  nodeOf(high: number, low: number): number {
    return this.#table.value(this.#table.find(high, low), 1);
  }

  /** A later line with the same uuid replaces the earlier one. */
  put(high: number, low: number, line: number, node: number): void {
    const entry = this.#table.place(high, low);
    this.#table.setValue(entry, line);
    this.#table.setValue(entry, node, 1);
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
