import { type BigIntStats, realpathSync } from "node:fs";

/**
 * What tells a file or folder from all others, whatever name leads to it. Windows numbers files with 64 bits: as plain
 * numbers two neighbours would be one, and a log would be passed over. File systems without numbers give 0; there the
 * name without links has to do.
 */
export function placeOf(path: string, { dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return ino === 0n ? realpathSync.native(path) : `${dev}:${ino}`;
}

/** Files and folders that were met already: links may lead to a place twice, or in a circle. */
export class SeenPlaces {
  readonly #places = new Set<string>();

  get count(): number {
    return this.#places.size;
  }

  /** Whether this is the first time. */
  isNew(place: string): boolean {
    const before = this.#places.size;
    this.#places.add(place);
    return this.#places.size > before;
  }
}
