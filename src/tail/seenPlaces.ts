import type { BigIntStats } from "node:fs";

/** Files and folders that were met already: links may lead to a place twice, or in a circle. */
export class SeenPlaces {
  readonly #places = new Set<string>();

  get count(): number {
    return this.#places.size;
  }

  /**
   * Whether this is the first time. Windows numbers files with 64 bits: as plain numbers two neighbours would be one, and
   * a log would be passed over.
   */
  isNew({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): boolean {
    // File systems without inode numbers give 0: nothing can be told apart there.
    if (ino === 0n) return true;
    const before = this.#places.size;
    this.#places.add(`${dev}:${ino}`);
    return this.#places.size > before;
  }
}
