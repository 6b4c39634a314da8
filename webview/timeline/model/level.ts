import { lowerBound, withRoom } from "./arrays.js";
import type { Axis } from "./axis.js";
import { FAMILIES } from "./families.js";
import { KINDS, wouldSave } from "./paintedKinds.js";
import type { TimelineModel } from "./timelineModel.js";

/** One count per kind, and one for all results that the filter dims. */
export const DIMMED = KINDS.length;
export const BUCKETS = KINDS.length + 1;
/** Any hit is a better target for a click than any other result. */
const HIT_BONUS = 1e12;

/**
 * The results counted in bins of equal width, one cell per bin and non-empty lane: drawn where single marks would
 * overlap. Cells are in the order of their bins.
 */
export class Level {
  readonly width: number;
  readonly #origin: number;
  #bins = new Float64Array(0);
  #families = new Uint8Array(0);
  #totals = new Uint32Array(0);
  #counts = new Uint32Array(0);
  #invalidated = new Uint32Array(0);
  #best = new Uint32Array(0);
  #length = 0;
  readonly #highest = new Uint32Array(FAMILIES.length).fill(1);
  /** Where the newest bin begins: it may still grow, so it is recounted when rows are added. */
  #openRow = 0;
  #openCell = 0;
  #invalidationsSeen = 0;

  /** `origin`: where the first bin begins. */
  constructor(width: number, origin: number) {
    this.width = width;
    this.#origin = origin;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * The largest count of a lane's cells. Cells are drawn in proportion to it, so that heights do not change while
   * panning, and a lane with few results still has a visible shape.
   */
  highest(family: number): number {
    return this.#highest[family] ?? 1;
  }

  start(cell: number): number {
    return this.#origin + (this.#bins[cell] ?? 0) * this.width;
  }

  family(cell: number): number {
    return this.#families[cell] ?? 0;
  }

  count(cell: number, bucket: number): number {
    return this.#counts[cell * BUCKETS + bucket] ?? 0;
  }

  total(cell: number): number {
    return this.#totals[cell] ?? 0;
  }

  /** How many results of the cell were invalidated later. */
  invalidated(cell: number): number {
    return this.#invalidated[cell] ?? 0;
  }

  /** The result to go to: the largest hit, otherwise the largest result. */
  best(cell: number): number {
    return this.#best[cell] ?? 0;
  }

  /** The cells whose bins touch [from, to] of positions. */
  cellsBetween(from: number, to: number): [number, number] {
    const binAt = (cell: number) => this.#bins[cell] ?? 0;
    const first = lowerBound(binAt, this.#binAt(from), 0, this.#length);
    return [first, lowerBound(binAt, this.#binAt(to) + 1, first, this.#length)];
  }

  grow(model: TimelineModel, axis: Axis, passes: (row: number) => boolean): void {
    const { invalidations } = model;
    for (; this.#invalidationsSeen < invalidations.length; this.#invalidationsSeen++) {
      const row = invalidations.dropped(this.#invalidationsSeen);
      if (row < this.#openRow) this.#crossOut(axis, row, model.family(row));
    }
    this.#length = this.#openCell;
    // The current bin's cell in each lane, and how good a target its best result is.
    const cells = new Int32Array(FAMILIES.length).fill(-1);
    const bestScores = new Float64Array(FAMILIES.length);
    let bin = Number.NaN;
    for (let row = this.#openRow; row < model.length; row++) {
      const binOfRow = this.#binAt(axis.at(row));
      if (binOfRow !== bin) {
        bin = binOfRow;
        cells.fill(-1);
        bestScores.fill(-1);
        this.#openRow = row;
        this.#openCell = this.#length;
      }
      const family = model.family(row);
      if (cells[family] === -1) cells[family] = this.#addCell(bin, family);
      const cell = cells[family] as number;
      const kind = model.shownKind(row);
      this.#count(cell, family, passes(row) ? kind : DIMMED);
      if (invalidations.causeOf(row) >= 0) this.#invalidated[cell] = this.invalidated(cell) + 1;
      const score = model.tokens(row) + (wouldSave(kind) ? HIT_BONUS : 0);
      if (score > (bestScores[family] as number)) {
        bestScores[family] = score;
        this.#best[cell] = row;
      }
    }
  }

  #binAt(position: number): number {
    return Math.floor((position - this.#origin) / this.width);
  }

  #addCell(bin: number, family: number): number {
    const cell = this.#length++;
    this.#bins = withRoom(this.#bins, this.#length);
    this.#families = withRoom(this.#families, this.#length);
    this.#totals = withRoom(this.#totals, this.#length);
    this.#invalidated = withRoom(this.#invalidated, this.#length);
    this.#best = withRoom(this.#best, this.#length);
    this.#counts = withRoom(this.#counts, this.#length * BUCKETS);
    this.#bins[cell] = bin;
    this.#families[cell] = family;
    this.#totals[cell] = 0;
    this.#invalidated[cell] = 0;
    this.#best[cell] = 0;
    this.#counts.fill(0, cell * BUCKETS, (cell + 1) * BUCKETS);
    return cell;
  }

  #count(cell: number, family: number, bucket: number): void {
    const at = cell * BUCKETS + bucket;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    const total = this.total(cell) + 1;
    this.#totals[cell] = total;
    if (total > this.highest(family)) this.#highest[family] = total;
  }

  #crossOut(axis: Axis, row: number, family: number): void {
    const [first, end] = this.cellsBetween(axis.at(row), axis.at(row));
    for (let cell = first; cell < end; cell++) {
      if (this.#families[cell] === family) this.#invalidated[cell] = this.invalidated(cell) + 1;
    }
  }
}
