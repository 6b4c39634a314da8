import type { BarPen } from "../draw/pen.js";
import type { Box } from "../layout/timelineLayout.js";

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Fills rectangles by writing pixels. A canvas without a GPU takes ten milliseconds for the ten thousand rectangles
 * of a full view of bars; this takes one. Later rectangles replace what is under them: bars do not overlap.
 */
export class PixelPen implements BarPen {
  globalAlpha = 1;
  readonly #canvas = document.createElement("canvas");
  readonly #pen = this.#canvas.getContext("2d", { willReadFrequently: true });
  readonly #colors = new Map<string, number>();
  #image = new ImageData(1, 1);
  #pixels = new Uint32Array(this.#image.data.buffer);
  #box: Box = { x: 0, y: 0, width: 0, height: 0 };
  #ratio = 1;
  #color = 0;

  get fillStyle(): unknown {
    return this.#color;
  }

  set fillStyle(color: string) {
    this.#color = this.#colors.get(color) ?? this.#read(color);
  }

  /** Starts over with an empty box of the picture. */
  begin(box: Box, ratio: number): void {
    this.#box = box;
    this.#ratio = ratio;
    const width = Math.max(1, Math.ceil(box.width * ratio));
    const height = Math.max(1, Math.ceil(box.height * ratio));
    if (this.#image.width === width && this.#image.height === height) {
      this.#pixels.fill(0);
      return;
    }
    this.#image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#canvas.width = width;
    this.#canvas.height = height;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const ratio = this.#ratio;
    const left = Math.max(0, Math.round((x - this.#box.x) * ratio));
    const right = Math.min(this.#image.width, Math.round((x + width - this.#box.x) * ratio));
    const top = Math.max(0, Math.round((y - this.#box.y) * ratio));
    const bottom = Math.min(this.#image.height, Math.round((y + height - this.#box.y) * ratio));
    const value = withAlpha(this.#color, this.globalAlpha);
    const pixels = this.#pixels;
    const rowLength = this.#image.width;
    // Bars are a few pixels wide: a loop is faster than calling fill() for each of their lines.
    for (let line = top; line < bottom; line++) {
      const end = line * rowLength + right;
      for (let at = line * rowLength + left; at < end; at++) pixels[at] = value;
    }
  }

  /** Copies what was filled to the canvas. */
  copyTo(pen: CanvasRenderingContext2D): void {
    this.#pen?.putImageData(this.#image, 0, 0);
    const { width, height } = this.#canvas;
    pen.drawImage(this.#canvas, this.#box.x, this.#box.y, width / this.#ratio, height / this.#ratio);
  }

  /** Lets the canvas parse a theme colour: it knows every notation. */
  #read(color: string): number {
    const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (pen === null) return 0;
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const value = new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0] ?? 0;
    this.#colors.set(color, value);
    return value;
  }
}

/** Pixels are red, green, blue, alpha in memory. */
function withAlpha(color: number, alpha: number): number {
  const shift = LITTLE_ENDIAN ? 24 : 0;
  const full = (color >>> shift) & 0xff;
  return ((color & ~(0xff << shift)) | (Math.round(full * alpha) << shift)) >>> 0;
}
