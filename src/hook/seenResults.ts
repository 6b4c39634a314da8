import { hash64 } from "../log/lineIndex.js";

/** Two numbers for each result: the halves of its id's hash. */
export type SavedResults = Uint32Array<ArrayBuffer>;

/** Half a megabyte: far more than any real session has. */
const MAX_RESULTS = 65_536;
const NOTHING_SAVED: SavedResults = new Uint32Array();

/**
 * The results of a conversation so far, across processes: a copy of a line is not a second result. Their ids are
 * compared by a 64-bit hash.
 */
export class SeenResults {
  readonly #saved: SavedResults;
  readonly #added: number[] = [];
  readonly #max: number;

  /** `saved` is searched as it is: a fresh process does that faster than it could build a set. */
  constructor(saved: SavedResults = NOTHING_SAVED, max = MAX_RESULTS) {
    this.#saved = saved;
    this.#max = max;
  }

  /** More could not be distinguished from copies. */
  get isFull(): boolean {
    return this.#saved.length + this.#added.length >= 2 * this.#max;
  }

  get state(): SavedResults {
    if (this.#added.length === 0) return this.#saved;
    const all = new Uint32Array(this.#saved.length + this.#added.length);
    all.set(this.#saved);
    all.set(this.#added, this.#saved.length);
    return all;
  }

  /** Whether an earlier process has seen this result. */
  wasSaved(id: string): boolean {
    return isIn(this.#saved, id);
  }

  has(id: string): boolean {
    return this.wasSaved(id) || isIn(this.#added, id);
  }

  /** Adds a result that this process has not seen yet. False if it is a copy, or could be one. */
  add(id: string): boolean {
    if (this.isFull || this.wasSaved(id)) return false;
    this.#added.push(...hash64(id));
    return true;
  }
}

function isIn(results: SavedResults | readonly number[], id: string): boolean {
  if (results.length === 0) return false;
  const [high, low] = hash64(id);
  for (let at = results.indexOf(high); at >= 0; at = results.indexOf(high, at + 1)) {
    if (at % 2 === 0 && results[at + 1] === low) return true;
  }
  return false;
}
