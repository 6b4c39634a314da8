/** The part of CanvasRenderingContext2D that the picture needs: small enough for a test to record without a DOM. */
export interface Pen {
  get fillStyle(): unknown;
  set fillStyle(color: string);
  get strokeStyle(): unknown;
  set strokeStyle(color: string);
  get textAlign(): unknown;
  set textAlign(align: "left" | "right" | "center");
  get textBaseline(): unknown;
  set textBaseline(baseline: "middle" | "alphabetic");
  lineWidth: number;
  globalAlpha: number;
  font: string;
  save(): void;
  restore(): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  arc(x: number, y: number, radius: number, start: number, end: number): void;
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  fill(): void;
  stroke(): void;
  clip(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  clearRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  measureText(text: string): { readonly width: number };
  setLineDash(segments: number[]): void;
}

/** All that bars need. There may be thousands, so their pixels are written directly: see element/pixelPen.ts. */
export type BarPen = Pick<Pen, "fillStyle" | "globalAlpha" | "fillRect">;

/** Draws, then restores the pen's settings. */
export function apart(pen: Pen, draw: () => void): void {
  pen.save();
  draw();
  pen.restore();
}

export function clipTo(pen: Pen, box: { x: number; y: number; width: number; height: number }): void {
  pen.beginPath();
  pen.rect(box.x, box.y, box.width, box.height);
  pen.clip();
}

/** A hairline from top to bottom, on whole pixels. */
export function verticalLine(pen: Pen, x: number, top: number, bottom: number): void {
  const crisp = Math.round(x) + 0.5;
  pen.beginPath();
  pen.moveTo(crisp, top);
  pen.lineTo(crisp, bottom);
  pen.stroke();
}

const widths = new Map<string, number>();
const MAX_WIDTHS = 2000;

/** Cached: measuring the same labels in every frame takes longer than drawing them. */
export function textWidth(pen: Pen, text: string): number {
  const key = `${pen.font}\n${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size >= MAX_WIDTHS) widths.clear();
  const { width } = pen.measureText(text);
  widths.set(key, width);
  return width;
}
