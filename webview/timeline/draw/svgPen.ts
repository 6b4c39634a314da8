import { withoutMarkup } from "../../../src/words/text.js";
import type { Pen } from "./pen.js";

/** A fraction of a pixel is enough for a picture. */
const number = (value: number) => String(Math.round(value * 100) / 100);
/** Without a page there is no way to measure text: slightly more than the average letter's width. */
const LETTER_WIDTH = 0.58;

/** What `save` stores. */
interface Settings {
  readonly fillStyle: string;
  readonly strokeStyle: string;
  readonly textAlign: "left" | "right" | "center";
  readonly textBaseline: "middle" | "alphabetic";
  readonly lineWidth: number;
  readonly globalAlpha: number;
  readonly font: string;
  readonly dash: string;
  /** Groups opened for clipping. */
  readonly groups: number;
}

/** Draws into SVG instead of onto a canvas. A colour is a class name: the document has the styles. */
export class SvgPen implements Pen {
  fillStyle = "";
  strokeStyle = "";
  textAlign: "left" | "right" | "center" = "left";
  textBaseline: "middle" | "alphabetic" = "alphabetic";
  lineWidth = 1;
  globalAlpha = 1;
  font = "";
  readonly #parts: string[] = [];
  readonly #saved: Settings[] = [];
  /** Distinguishes the clips of several pictures in one document. */
  readonly #name: string;
  #clips = 0;
  #path = "";
  #dash = "";
  #groups = 0;

  constructor(name: string) {
    this.#name = name;
  }

  get svg(): string {
    return this.#parts.join("\n");
  }

  save(): void {
    const { fillStyle, strokeStyle, textAlign, textBaseline, lineWidth, globalAlpha, font } = this;
    const own = { dash: this.#dash, groups: this.#groups };
    this.#saved.push({ fillStyle, strokeStyle, textAlign, textBaseline, lineWidth, globalAlpha, font, ...own });
    this.#groups = 0;
  }

  restore(): void {
    for (; this.#groups > 0; this.#groups--) this.#parts.push("</g>");
    const saved = this.#saved.pop();
    if (saved === undefined) return;
    const { dash, groups, ...settings } = saved;
    Object.assign(this, settings);
    this.#dash = dash;
    this.#groups = groups;
  }

  beginPath(): void {
    this.#path = "";
  }

  closePath(): void {
    this.#path += "Z";
  }

  moveTo(x: number, y: number): void {
    this.#path += `M${number(x)} ${number(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.#path += `L${number(x)} ${number(y)}`;
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path += `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}Z`;
  }

  /** Clockwise; in two halves, because SVG has no arc that ends where it starts. */
  arc(x: number, y: number, radius: number, start: number, end: number): void {
    const point = (angle: number) => `${number(x + radius * Math.cos(angle))} ${number(y + radius * Math.sin(angle))}`;
    const to = (angle: number) => `A${number(radius)} ${number(radius)} 0 0 1 ${point(angle)}`;
    this.#path += `${this.#path === "" ? "M" : "L"}${point(start)}${to((start + end) / 2)}${to(end)}`;
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#path += `C${[x1, y1, x2, y2, x, y].map(number).join(" ")}`;
  }

  fill(): void {
    this.#parts.push(`<path class="f-${this.fillStyle}"${this.#alpha} d="${this.#path}"/>`);
  }

  stroke(): void {
    const dash = this.#dash === "" ? "" : ` stroke-dasharray="${this.#dash}"`;
    const width = ` stroke-width="${number(this.lineWidth)}"`;
    this.#parts.push(`<path class="s-${this.strokeStyle}"${width}${dash}${this.#alpha} d="${this.#path}"/>`);
  }

  clip(): void {
    const id = `${this.#name}-${++this.#clips}`;
    this.#parts.push(`<clipPath id="${id}"><path d="${this.#path}"/></clipPath><g clip-path="url(#${id})">`);
    this.#groups++;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const box = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    this.#parts.push(`<rect class="f-${this.fillStyle}"${this.#alpha} ${box}/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.beginPath();
    this.rect(x, y, width, height);
    this.stroke();
  }

  clearRect(): void {
    // Nothing has been drawn yet.
  }

  fillText(text: string, x: number, y: number): void {
    const anchor = { left: "start", right: "end", center: "middle" }[this.textAlign];
    const baseline = this.textBaseline === "middle" ? ' dominant-baseline="central"' : "";
    const weight = this.font.startsWith("600") ? ' font-weight="600"' : "";
    const look = `class="f-${this.fillStyle}" text-anchor="${anchor}"${baseline}${weight}${this.#alpha}`;
    this.#parts.push(`<text ${look} x="${number(x)}" y="${number(y)}">${withoutMarkup(text)}</text>`);
  }

  measureText(text: string): { readonly width: number } {
    const size = Number.parseFloat(/(\d+(?:\.\d+)?)px/.exec(this.font)?.[1] ?? "12");
    return { width: text.length * size * LETTER_WIDTH };
  }

  setLineDash(segments: number[]): void {
    this.#dash = segments.join(" ");
  }

  get #alpha(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${number(this.globalAlpha)}"`;
  }
}
