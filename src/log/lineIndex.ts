const SLOT = 3;

/**
 * Which line carries which uuid, packed: every line of a context may be the parent to which a rewind goes back, so a
 * context remembers them all, in 24 bytes a line. Uuids are told apart by 64 bits of hash.
 */
export class LineIndex {
  /** Open addressing; per slot the two halves of the hash and the line number, 0 where the slot is free. */
  #slots: Uint32Array<ArrayBuffer>;
  #used: number;

  constructor(saved?: SavedLineIndex) {
    this.#slots = saved ? saved.slots.slice() : new Uint32Array(4 * SLOT);
    this.#used = saved?.used ?? 0;
  }

  get state(): SavedLineIndex {
    return { slots: this.#slots, used: this.#used };
  }

  /** As much of it as tells of this line and those after it. */
  since(line: number): SavedLineIndex {
    const kept = new LineIndex();
    for (let from = 0; from < this.#slots.length; from += SLOT) {
      if ((this.#slots[from + 2] ?? 0) < Math.max(1, line)) continue;
      kept.#reserve();
      kept.#slots.set(
        this.#slots.subarray(from, from + SLOT),
        find(kept.#slots, this.#slots[from] ?? 0, this.#slots[from + 1] ?? 0),
      );
      kept.#used++;
    }
    return kept.state;
  }

  /** A later line with the same uuid takes the place of the earlier one. */
  set(uuid: string, line: number): void {
    this.#reserve();
    hash(uuid);
    const at = find(this.#slots, high, low);
    if (this.#slots[at + 2] === 0) this.#used++;
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    this.#slots[at + 2] = line;
  }

  get(uuid: string): number | undefined {
    hash(uuid);
    return this.#slots[find(this.#slots, high, low) + 2] || undefined;
  }

  /** Makes room for one more. */
  #reserve(): void {
    if (this.#used * 2 * SLOT < this.#slots.length) return;
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (let from = 0; from < old.length; from += SLOT) {
      const line = old[from + 2] ?? 0;
      if (line !== 0)
        this.#slots.set(old.subarray(from, from + SLOT), find(this.#slots, old[from] ?? 0, old[from + 1] ?? 0));
    }
  }
}

export interface SavedLineIndex {
  readonly slots: Uint32Array<ArrayBuffer>;
  readonly used: number;
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

/** Two independent 32-bit multiplicative sums. */
function hash(text: string): void {
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
