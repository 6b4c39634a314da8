import type { Theme } from "../draw/colors.js";
import { paintShape, reachOf, type Shape } from "../draw/markShapes.js";
import type { Stamp } from "../draw/marks.js";

/** Radii are rounded to this many steps per pixel: finer differences are not visible. */
const STEPS = 2;

/**
 * Shapes painted once each, in the theme's colours and at the screen's density, and then copied to whole device pixels,
 * which is both crisp and fast.
 */
export class Stamps {
  readonly #theme: Theme;
  readonly #ratio: number;
  readonly #made = new Map<string, HTMLCanvasElement>();

  constructor(theme: Theme, ratio: number) {
    this.#theme = theme;
    this.#ratio = ratio;
  }

  fits(theme: Theme, ratio: number): boolean {
    return theme === this.#theme && ratio === this.#ratio;
  }

  /** `pen` must draw in device pixels divided by the ratio, as all layers do. */
  onto(pen: CanvasRenderingContext2D): Stamp {
    const ratio = this.#ratio;
    return (shape, x, y, radius) => {
      const stamp = this.#stamp(shape, Math.max(1, Math.round(radius * STEPS)));
      const left = Math.round(x * ratio - stamp.width / 2) / ratio;
      const top = Math.round(y * ratio - stamp.height / 2) / ratio;
      pen.drawImage(stamp, left, top, stamp.width / ratio, stamp.height / ratio);
    };
  }

  #stamp(shape: Shape, steps: number): HTMLCanvasElement {
    const key = `${shape}${steps}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const stamp = document.createElement("canvas");
    const size = 2 * Math.ceil(reachOf(steps / STEPS) * this.#ratio);
    stamp.width = size;
    stamp.height = size;
    const pen = stamp.getContext("2d");
    pen?.setTransform(this.#ratio, 0, 0, this.#ratio, size / 2, size / 2);
    if (pen !== null) paintShape(pen, this.#theme, shape, 0, 0, steps / STEPS);
    this.#made.set(key, stamp);
    return stamp;
  }
}
