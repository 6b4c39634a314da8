import type { Theme } from "../draw/colors.js";
import { drawOverlay, type Emphasis } from "../draw/emphasis.js";
import { drawMinimap, drawWindow } from "../draw/minimap.js";
import { drawScene, type Tools } from "../draw/picture.js";
import type { Scene } from "../layout/scene.js";
import { PixelPen } from "./pixelPen.js";
import { Stamps } from "./stamps.js";

/** Which layers are out of date. */
export interface Stale {
  scene: boolean;
  minimap: boolean;
}

/**
 * The visible canvas and two hidden ones: the picture of the view and the minimap. A frame in which only the selection
 * or the pointer moved copies them and draws what is on top.
 */
export class Surface {
  readonly #canvas: HTMLCanvasElement;
  readonly #scene = document.createElement("canvas");
  readonly #minimap = document.createElement("canvas");
  #ratio = 1;
  #width = 0;
  #height = 0;
  #stamps: Stamps | null = null;
  readonly #bars = new PixelPen();

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Sizes in CSS pixels. Returns whether anything changed: a resized canvas is empty. */
  resize(width: number, height: number, ratio: number): boolean {
    if (width === this.#width && height === this.#height && ratio === this.#ratio) return false;
    this.#width = width;
    this.#height = height;
    this.#ratio = ratio;
    for (const canvas of [this.#canvas, this.#scene, this.#minimap]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.max(1, Math.round(height * ratio));
    }
    return true;
  }

  paint(scene: Scene, theme: Theme, emphasis: Emphasis, stale: Stale): void {
    const pen = this.#pen(this.#canvas);
    if (pen === null) return;
    if (stale.scene) {
      this.#repaint(this.#scene, layer => drawScene(layer, theme, scene, this.#tools(layer, theme, scene)));
    }
    if (stale.minimap) this.#repaint(this.#minimap, layer => drawMinimap(layer, theme, scene));
    pen.clearRect(0, 0, this.#width, this.#height);
    if (this.#width === 0 || this.#height === 0) return;
    this.#copy(pen, this.#scene, 0, this.#height);
    const { minimap } = scene.layout;
    this.#copy(pen, this.#minimap, minimap.y, minimap.height);
    if (scene.model.length === 0) return;
    drawWindow(pen, theme, scene);
    drawOverlay(pen, theme, scene, emphasis);
  }

  #tools(layer: CanvasRenderingContext2D, theme: Theme, scene: Scene): Tools {
    if (this.#stamps?.fits(theme, this.#ratio) !== true) this.#stamps = new Stamps(theme, this.#ratio);
    return {
      stamp: this.#stamps.onto(layer),
      bars: draw => {
        this.#bars.begin(scene.layout.lanesBox, this.#ratio);
        draw(this.#bars);
        this.#bars.copyTo(layer);
      },
    };
  }

  #repaint(layer: HTMLCanvasElement, draw: (pen: CanvasRenderingContext2D) => void): void {
    const pen = this.#pen(layer);
    if (pen === null) return;
    pen.clearRect(0, 0, this.#width, this.#height);
    draw(pen);
  }

  #copy(pen: CanvasRenderingContext2D, layer: HTMLCanvasElement, y: number, height: number): void {
    if (height === 0) return;
    const ratio = this.#ratio;
    pen.drawImage(layer, 0, y * ratio, layer.width, height * ratio, 0, y, this.#width, height);
  }

  #pen(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
    const pen = canvas.getContext("2d");
    pen?.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    return pen;
  }
}
