import type { Target } from "../layout/hitTest.js";
import { linksOf } from "../layout/resultLinks.js";
import { pxPerPosition, toX } from "../layout/scale.js";
import { type Scene, yOf } from "../layout/scene.js";
import { drawLink } from "./arcs.js";
import type { Theme } from "./colors.js";
import { circle, paintShape } from "./markShapes.js";
import { placed, stampMark } from "./marks.js";
import { apart, clipTo, type Pen, verticalLine } from "./pen.js";

export interface Emphasis {
  readonly selected: number | null;
  readonly hovered: Target | null;
}

/** What changes while the picture does not: the selected and the hovered result with their links. */
export function drawOverlay(pen: Pen, theme: Theme, scene: Scene, { selected, hovered }: Emphasis): void {
  apart(pen, () => {
    clipTo(pen, scene.layout.plot);
    if (hovered?.kind === "cell") frameCell(pen, theme, scene, hovered.cell);
    if (hovered?.kind === "row" && hovered.row !== selected) emphasise(pen, theme, scene, hovered.row, false);
    if (selected !== null && selected < scene.model.length) emphasise(pen, theme, scene, selected, true);
  });
}

function emphasise(pen: Pen, theme: Theme, scene: Scene, row: number, selected: boolean): void {
  const links = linksOf(scene.model, row);
  const { lanesBox } = scene.layout;
  const mark = placed(scene, row);
  if (selected) {
    pen.strokeStyle = theme.focus;
    pen.lineWidth = 1;
    pen.globalAlpha = theme.contrast ? 1 : 0.45;
    verticalLine(pen, mark.x, lanesBox.y, lanesBox.y + lanesBox.height);
    pen.globalAlpha = 1;
  }
  for (const link of links) drawLink(pen, theme, scene, link);
  for (const { from, to } of links) {
    const other = from === row ? to : from;
    repaint(pen, theme, scene, other);
    ring(pen, theme.foreground, scene, other, 1, [2, 2]);
  }
  repaint(pen, theme, scene, row);
  ring(pen, selected ? theme.focus : theme.foreground, scene, row, selected ? 2 : 1.25, []);
}

function frameCell(pen: Pen, theme: Theme, { level, layout, scale }: Scene, cell: number): void {
  const lane = layout.laneOf[level?.family(cell) ?? -1];
  if (level === null || lane === undefined) return;
  const left = Math.round(toX(scale, level.start(cell)));
  const width = Math.round(level.width * pxPerPosition(scale));
  pen.strokeStyle = theme.foreground;
  pen.lineWidth = 1;
  pen.strokeRect(left - 0.5, lane.y + 0.5, width + 1, lane.height - 1);
}

/** Bars have no single marks, and other marks may cover this one. */
function repaint(pen: Pen, theme: Theme, scene: Scene, row: number): void {
  const mark = placed(scene, row);
  if (scene.level !== null) {
    pen.fillStyle = theme.background;
    pen.beginPath();
    circle(pen, mark.x, mark.y, mark.radius + 3);
    pen.fill();
  }
  stampMark((shape, x, y, radius) => paintShape(pen, theme, shape, x, y, radius), scene, row, mark);
  const stale = scene.model.invalidations.causeOf(row) >= 0;
  if (stale) paintShape(pen, theme, "stale", mark.x, mark.y, mark.radius);
}

function ring(pen: Pen, color: string, scene: Scene, row: number, width: number, dash: number[]): void {
  const { x, radius } = placed(scene, row);
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.beginPath();
  circle(pen, x, yOf(scene, row), radius + 3.5);
  pen.stroke();
  pen.setLineDash([]);
}
