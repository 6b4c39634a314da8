import { short } from "../../../src/words/numbers.js";
import { strings } from "../../../src/words/strings.js";
import { toPosition } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { type Pen, textWidth } from "./pen.js";
import { fontOf, type Theme } from "./theme.js";

/**
 * Tokens that hints would have saved so far, over the lanes. What live hints or Claude Code actually saved is never
 * added to it. The full height is the whole session's total, so that it does not change while panning.
 */
export function drawArea(pen: Pen, theme: Theme, scene: Scene): void {
  const { model, layout } = scene;
  const { area } = layout;
  const all = model.savedTokens(0, model.length);
  if (area.height === 0 || all === 0) return;
  const bottom = area.y + area.height;
  const yOf = (tokens: number) => bottom - 0.5 - (tokens / all) * (area.height - 4);
  const saved = steps(columnsOf(scene), end => model.savedTokens(0, end));
  fillSteps(pen, theme.hit, saved, bottom, yOf, theme.contrast ? 0 : 0.22);
  pen.strokeStyle = theme.hit;
  pen.lineWidth = theme.contrast ? 2 : 1.25;
  pen.beginPath();
  traceSteps(pen, saved, yOf);
  pen.stroke();
}

/** The curve's name and its full height, in the column of the lanes' names. */
export function drawAreaLabel(pen: Pen, theme: Theme, { model, layout }: Scene): void {
  const { area, compact } = layout;
  const all = model.savedTokens(0, model.length);
  if (area.height < 12 || all === 0) return;
  pen.font = fontOf(theme);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const right = area.x - 5;
  if (textWidth(pen, short(all)) > right) return;
  const two = !compact && area.height >= 2 * theme.fontSize + 2;
  pen.fillStyle = theme.hit;
  pen.fillText(short(all), right, area.y + (two ? area.height / 2 - theme.fontSize / 2 - 1 : area.height / 2));
  if (!two) return;
  pen.fillStyle = theme.muted;
  pen.fillText(strings.timeline.savedAxis, right, area.y + area.height / 2 + theme.fontSize / 2 + 1);
}

interface Step {
  readonly x: number;
  readonly value: number;
}

interface Column {
  readonly x: number;
  /** How many results are to the left of it. */
  readonly rows: number;
}

function columnsOf({ axis, level, model, layout, scale }: Scene): Column[] {
  const left = layout.plot.x;
  const right = left + layout.plot.width;
  // Among bars, every other pixel is as detailed as the bars are.
  const stride = level === null ? 1 : 2;
  const columns: Column[] = [];
  for (let x = left; x < right + stride; x += stride) {
    const rows = Math.floor(axis.rowAt(toPosition(scale, Math.min(x, right))) + 1);
    columns.push({ x: Math.min(x, right), rows: Math.min(model.length, Math.max(0, rows)) });
  }
  return columns;
}

/** A point wherever the sum changes, and the two ends. */
function steps(columns: readonly Column[], sumBefore: (rows: number) => number): Step[] {
  const points: Step[] = [];
  for (const [index, { x, rows }] of columns.entries()) {
    const value = sumBefore(rows);
    if (value !== points.at(-1)?.value || index === columns.length - 1) points.push({ x, value });
  }
  return points;
}

function traceSteps(pen: Pen, points: readonly Step[], yOf: (value: number) => number): void {
  let before: Step | undefined;
  for (const point of points) {
    if (before === undefined) pen.moveTo(point.x, yOf(point.value));
    else {
      pen.lineTo(point.x, yOf(before.value));
      pen.lineTo(point.x, yOf(point.value));
    }
    before = point;
  }
}

function fillSteps(
  pen: Pen,
  color: string,
  points: readonly Step[],
  bottom: number,
  yOf: (value: number) => number,
  alpha: number,
): void {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || alpha === 0 || last.value === 0) return;
  pen.globalAlpha = alpha;
  pen.fillStyle = color;
  pen.beginPath();
  traceSteps(pen, points, yOf);
  pen.lineTo(last.x, bottom);
  pen.lineTo(first.x, bottom);
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}
