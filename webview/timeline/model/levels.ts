import type { Axis } from "./axis.js";
import { Level } from "./level.js";
import type { TimelineModel } from "./timelineModel.js";

/** Bins are this wide on the screen, or up to twice as wide. */
const SMALLEST_BIN_PX = 4;
/** Zooming uses few levels at a time, and a level of 100,000 results is rebuilt in a few milliseconds. */
const KEPT_LEVELS = 12;

/** The levels of detail built so far, by the width of their bins, for one axis and one filter. */
export class Levels {
  readonly #model: TimelineModel;
  #axis: Axis;
  readonly #passes: (row: number) => boolean;
  readonly #levels = new Map<number, Level>();
  readonly #grownTo = new WeakMap<Level, number>();

  constructor(model: TimelineModel, axis: Axis, passes: (row: number) => boolean) {
    this.#model = model;
    this.#axis = axis;
    this.#passes = passes;
  }

  forScale(pxPerPosition: number, smallestPx: number = SMALLEST_BIN_PX): Level {
    return this.#ofWidth(widthFor(pxPerPosition, smallestPx));
  }

  /**
   * Builds the next level that zooming in from `pxPerPosition` will need, coarse ones first, so that no frame has to.
   * Returns whether there may be more to build.
   */
  prepare(pxPerPosition: number): boolean {
    for (let zoom = 1, cells = 0; zoom < KEPT_LEVELS - 2 && cells * 4 < this.#model.length; zoom++) {
      const width = widthFor(pxPerPosition * 2 ** zoom, SMALLEST_BIN_PX);
      const made = this.#levels.get(width);
      if (made === undefined) {
        this.#ofWidth(width);
        return width > 1;
      }
      cells = made.length;
    }
    return false;
  }

  #ofWidth(width: number): Level {
    const level = this.#levels.get(width) ?? new Level(width, this.#axis.start);
    this.#levels.delete(width);
    this.#levels.set(width, level);
    const oldest = this.#levels.keys().next().value;
    if (this.#levels.size > KEPT_LEVELS && oldest !== undefined) this.#levels.delete(oldest);
    const known = this.#model.length + this.#model.invalidations.length;
    if (this.#grownTo.get(level) !== known) level.grow(this.#model, this.#axis, this.#passes);
    this.#grownTo.set(level, known);
    return level;
  }

  /** After the model has grown: levels are updated when they are next needed. */
  follow(axis: Axis): void {
    this.#axis = axis;
  }
}

/**
 * Widths are powers of two: zooming by less than a factor of two reuses the level, and bins stay in place while
 * panning. None is below one row or one second, because results of one second move inside it when others join them.
 */
function widthFor(pxPerPosition: number, smallestPx: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(smallestPx / pxPerPosition)));
}
