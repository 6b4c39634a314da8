import { short } from "../../../src/words/numbers.js";
import { strings } from "../../../src/words/strings.js";
import { toPosition } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { type Pen, textWidth } from "./pen.js";
import { fontOf, strokeWidth, type Theme } from "./theme.js";

/**
 * Two curves over the lanes: the tokens that hints would have saved so far, and the tokens in the context. What live
 * hints or Claude Code actually saved is never added. The full height of each is its largest value in the whole session,
 * so that it does not change while panning.
 */
export function drawArea(pen: Pen, theme: Theme, scene: Scene): void {
  const { model, layout } = scene;
  const { area } = layout;
  if (area.height === 0) return;
  const bottom = area.y + area.height;
  const columns = columnsOf(scene);
  const all = model.savedTokens(0, model.length);
  if (all > 0) {
    const saved = steps(columns, end => model.savedTokens(0, end));
    const yOf = (tokens: number) => bottom - 0.5 - (tokens / all) * (area.height - 4);
    fillSteps(pen, theme.hit, saved, bottom, yOf, theme.contrast ? 0 : 0.22);
    strokeSteps(pen, theme, theme.hit, saved, yOf);
  }
  const { sizes } = model;
  if (sizes.largest === 0) return;
  const yOf = (tokens: number) => bottom - 0.5 - (tokens / sizes.largest) * (area.height - 4);
  pen.globalAlpha = theme.contrast ? 1 : 0.7;
  strokeSteps(
    pen,
    theme,
    theme.foreground,
    steps(columns, end => sizes.after(end)),
    yOf,
  );
  pen.globalAlpha = 1;
}

/** The curves' full heights and, with room, a name, in the column of the lanes' names. */
export function drawAreaLabel(pen: Pen, theme: Theme, { model, layout }: Scene): void {
  const { area, compact } = layout;
  const text = strings.timeline;
  const values = [
    { tokens: model.savedTokens(0, model.length), color: theme.hit, name: text.savedAxis },
    { tokens: model.sizes.largest, color: theme.foreground, name: text.contextAxis },
  ].filter(({ tokens }) => tokens > 0);
  const line = theme.fontSize + 2;
  const named = compact
    ? []
    : values.flatMap(({ tokens, color, name }) => [
        { text: short(tokens), color },
        { text: name, color: theme.muted },
      ]);
  const plain = values.map(({ tokens, color }) => ({ text: short(tokens), color }));
  pen.font = fontOf(theme);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const right = area.x - 5;
  const fits = (labels: typeof plain) =>
    labels.length * line <= area.height && labels.every(label => textWidth(pen, label.text) <= right);
  const labels = [named, plain, plain.slice(0, 1)].find(some => some.length > 0 && fits(some)) ?? [];
  const top = area.y + (area.height - labels.length * line) / 2;
  for (const [index, label] of labels.entries()) {
    pen.fillStyle = label.color;
    pen.fillText(label.text, right, top + (index + 0.5) * line);
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

function strokeSteps(
  pen: Pen,
  theme: Theme,
  color: string,
  points: readonly Step[],
  yOf: (value: number) => number,
): void {
  pen.strokeStyle = color;
  pen.lineWidth = strokeWidth(theme);
  pen.beginPath();
  traceSteps(pen, points, yOf);
  pen.stroke();
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
