/**
 * The heights of a long list whose items are only measured once they are drawn. A Fenwick tree: both "where does item n
 * begin" and "which item is at this offset" take a few steps, even with 100,000 items.
 */
export class Heights {
  readonly #estimate: number;
  #heights: Float64Array<ArrayBuffer>;
  #sums: Float64Array<ArrayBuffer>;
  #length = 0;

  constructor(estimate: number) {
    this.#estimate = estimate;
    this.#heights = new Float64Array(0);
    this.#sums = new Float64Array(1);
  }

  get length(): number {
    return this.#length;
  }

  get total(): number {
    return this.top(this.#length);
  }

  /** Adds items of the estimated height; drops those beyond the new length. */
  resize(length: number): void {
    if (length === this.#length) return;
    const kept = Math.min(length, this.#length);
    if (length > this.#heights.length || length < this.#length) {
      const heights = new Float64Array(Math.max(64, length * 2));
      heights.set(this.#heights.subarray(0, kept));
      this.#heights = heights;
    }
    this.#heights.fill(this.#estimate, kept, length);
    this.#length = length;
    this.#rebuild();
  }

  /** Returns false if nothing has changed. */
  set(index: number, height: number): boolean {
    const change = height - (this.#heights[index] ?? 0);
    if (index >= this.#length || Math.abs(change) < 0.5) return false;
    this.#heights[index] = height;
    for (let node = index + 1; node <= this.#length; node += node & -node) {
      this.#sums[node] = (this.#sums[node] ?? 0) + change;
    }
    return true;
  }

  /** Where an item begins. */
  top(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.#length); node > 0; node -= node & -node) sum += this.#sums[node] ?? 0;
    return sum;
  }

  /** The item at an offset. */
  at(offset: number): number {
    let node = 0;
    let left = offset;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.#length))); step >= 1; step /= 2) {
      const next = node + step;
      const sum = this.#sums[next] ?? Number.POSITIVE_INFINITY;
      if (next > this.#length || sum > left) continue;
      node = next;
      left -= sum;
    }
    return Math.min(node, Math.max(0, this.#length - 1));
  }

  #rebuild(): void {
    this.#sums = new Float64Array(this.#length + 1);
    for (let node = 1; node <= this.#length; node++) {
      this.#sums[node] = (this.#sums[node] ?? 0) + (this.#heights[node - 1] ?? 0);
      const parent = node + (node & -node);
      if (parent <= this.#length) this.#sums[parent] = (this.#sums[parent] ?? 0) + (this.#sums[node] ?? 0);
    }
  }
}
