/**
 * A hash table for hundreds of thousands of small entries: open addressing over one array, no object per entry. Keys
 * are hashes already, one or two 32-bit words each. The owner defines the values; the first one is never 0, because 0
 * marks a free entry.
 */
export class HashTable {
  /** One entry after another: the words of its key, then its values. */
  #words: Int32Array<ArrayBuffer>;
  readonly #width: number;
  readonly #keyWords: 1 | 2;
  /** The number of entries, a power of two, minus 1. */
  #mask = 15;
  #used = 0;

  constructor(keyWords: 1 | 2, values: number) {
    this.#keyWords = keyWords;
    this.#width = keyWords + values;
    this.#words = new Int32Array((this.#mask + 1) * this.#width);
  }

  /** The entry with this key, or the free one where it belongs; valid until the next `place`. */
  find(first: number, second = first): number {
    const words = this.#words;
    const width = this.#width;
    const keyWords = this.#keyWords;
    const one = first | 0;
    const two = second | 0;
    // The low bits of some hashes hardly depend on the start of the input.
    let at = ((two ^ (two >>> 15)) & this.#mask) * width;
    while (words[at + keyWords] !== 0 && (words[at] !== one || (keyWords === 2 && words[at + 1] !== two))) {
      at += width;
      if (at === words.length) at = 0;
    }
    return at;
  }

  /** The same, but a free entry gets the key: the caller sets its values next. */
  place(first: number, second = first): number {
    // At most half full, to keep searches short.
    if (this.#used * 2 > this.#mask) this.#grow();
    const at = this.find(first, second);
    if (this.#words[at + this.#keyWords] !== 0) return at;
    this.#words[at] = first;
    if (this.#keyWords === 2) this.#words[at + 1] = second;
    this.#used++;
    return at;
  }

  /** 0 for the first value of a free entry. */
  value(entry: number, index = 0): number {
    return this.#words[entry + this.#keyWords + index] as number;
  }

  setValue(entry: number, value: number, index = 0): void {
    this.#words[entry + this.#keyWords + index] = value;
  }

  /** The words of all entries with a first value of at least `min`. */
  entriesFrom(min: number): Uint32Array<ArrayBuffer> {
    const kept = new Uint32Array(this.#used * this.#width);
    let length = 0;
    for (let from = 0; from < this.#words.length; from += this.#width) {
      if (this.value(from) < Math.max(1, min)) continue;
      for (let at = from; at < from + this.#width; at++) kept[length++] = this.#words[at] as number;
    }
    return length === kept.length ? kept : kept.slice(0, length);
  }

  clear(): void {
    this.#words.fill(0);
    this.#used = 0;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Int32Array(old.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let from = 0; from < old.length; from += this.#width) {
      if (old[from + this.#keyWords] === 0) continue;
      const first = old[from] as number;
      const at = this.find(first, this.#keyWords === 1 ? first : (old[from + 1] as number));
      for (let word = 0; word < this.#width; word++) this.#words[at + word] = old[from + word] as number;
    }
  }
}
