import type { WaySaving } from "../dedup/otherWays.js";
import { SWEEP_RUN_BYTES } from "../dedup/settings.js";

/** What live hints would save if runs of lines had to have at least `spanMinBytes`. */
export interface RunSizePoint {
  readonly spanMinBytes: number;
  /** Results that are replaced, in whole or in part. */
  results: number;
  savedBytes: number;
  savedTokens: number;
}

const WIDTH = 4;

/** What each size of SWEEP_RUN_BYTES saves in which result, packed: row, size, bytes and characters. */
export class RunSizeRows {
  readonly #cells: number[] = [];

  /** Ignores sizes that are not on the curve. */
  add(row: number, spanMinBytes: number, { savedBytes, savedChars }: WaySaving): void {
    const size = SWEEP_RUN_BYTES.indexOf(spanMinBytes);
    if (size >= 0) this.#cells.push(row, size, savedBytes, savedChars);
  }

  cells(): Uint32Array<ArrayBuffer> {
    return Uint32Array.from(this.#cells);
  }
}

export function emptyRunSizes(): RunSizePoint[] {
  return SWEEP_RUN_BYTES.map(spanMinBytes => ({ spanMinBytes, results: 0, savedBytes: 0, savedTokens: 0 }));
}

export function addRunSizes(
  to: readonly RunSizePoint[],
  cells: Uint32Array,
  charsPerToken: number,
  counts: (row: number) => boolean,
): void {
  for (let at = 0; at < cells.length; at += WIDTH) {
    const point = to[cells[at + 1] as number];
    if (point === undefined || !counts(cells[at] as number)) continue;
    point.results++;
    point.savedBytes += cells[at + 2] as number;
    point.savedTokens += (cells[at + 3] as number) / charsPerToken;
  }
}

/** Token figures as integers. */
export function roundedRunSizes(points: readonly RunSizePoint[]): RunSizePoint[] {
  return points.map(point => ({ ...point, savedTokens: Math.round(point.savedTokens) }));
}
