import { short } from "../../../src/words/numbers.js";
import { strings } from "../../../src/words/strings.js";
import { toPosition } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { fontOf, strokeWidth, type Theme } from "./colors.js";
import { type Pen, textWidth } from "./pen.js";

interface Curve {
  readonly name: string;
  readonly color: string;
  /** The value at full height: the largest in the whole session, so that the curve does not change while panning. */
  readonly largest: number;
  /** The value after that many results. */
  readonly valueAfter: (rows: number) => number;
  readonly shade: number;
}

/**
 * The tokens in the context, and those that hints would have saved so far. What live hints or Claude Code actually saved is
 * never added.
 */
function curvesOf({ model }: Scene, theme: Theme): Curve[] {
  const { savedAxis, contextAxis } = strings.timeline;
  const { sizes } = model;
  const curves: Curve[] = [
    {
      name: contextAxis,
      color: theme.foreground,
      largest: sizes.largest,
      valueAfter: rows => sizes.after(rows),
      shade: 0.06,
    },
    {
      name: savedAxis,
      color: theme.hit,
      largest: model.savedTokens(0, model.length),
      valueAfter: rows => model.savedTokens(0, rows),
      shade: 0.22,
    },
  ];
  return curves.filter(({ largest }) => largest > 0);
}

/** The curves over the lanes. */
export function drawArea(pen: Pen, theme: Theme, scene: Scene): void {
  const { area } = scene.layout;
  if (area.height === 0) return;
  const bottom = area.y + area.height;
  const columns = columnsOf(scene);
  for (const { color, largest, valueAfter, shade } of curvesOf(scene, theme)) {
    const points = steps(columns, valueAfter);
    const yOf = (value: number) => bottom - 0.5 - (value / largest) * (area.height - 4);
    fillSteps(pen, color, points, bottom, yOf, theme.contrast ? 0 : shade);
    pen.strokeStyle = color;
    pen.lineWidth = strokeWidth(theme);
    pen.beginPath();
    traceSteps(pen, points, yOf);
    pen.stroke();
  }
}

/** The curves' full heights and, if there is room, their names, in the column of the lanes' names. */
export function drawAreaLabel(pen: Pen, theme: Theme, scene: Scene): void {
  const { area, compact } = scene.layout;
  const curves = curvesOf(scene, theme).reverse();
  const heights = curves.map(({ largest, color }) => ({ text: short(largest), color }));
  const named = curves.flatMap(({ name }, index) => [heights[index] ?? [], { text: name, color: theme.muted }].flat());
  const line = theme.fontSize + 2;
  const right = area.x - 5;
  pen.font = fontOf(theme);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const fits = (labels: typeof heights) =>
    labels.length * line <= area.height && labels.every(({ text }) => textWidth(pen, text) <= right);
  const labels = [compact ? [] : named, heights, heights.slice(0, 1)].find(some => some.length > 0 && fits(some)) ?? [];
  const top = area.y + (area.height - labels.length * line) / 2;
  for (const [index, { text, color }] of labels.entries()) {
    pen.fillStyle = color;
    pen.fillText(text, right, top + (index + 0.5) * line);
  }
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
