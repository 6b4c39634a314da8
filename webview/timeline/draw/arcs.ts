import type { Link } from "../layout/resultLinks.js";
import { type Scene, xOf, yOf } from "../layout/scene.js";
import type { Theme } from "./colors.js";
import type { Pen } from "./pen.js";

interface Point {
  readonly x: number;
  readonly y: number;
}

const ARROW = 6;
/** Between the centre of a mark and the end of an arc. */
const GAP = 7;
/** How far an upright arc extends to the side; the Bézier curve itself goes three quarters as far. */
const BOW = 34;
function pointOf(scene: Scene, row: number): Point {
  return { x: xOf(scene, row), y: yOf(scene, row) };
}

/** A thin line from what went stale to what made it stale. */
export function drawInvalidation(
  pen: Pen,
  theme: Theme,
  scene: Scene,
  dropped: number,
  cause: number,
  alpha: number,
): void {
  const from = pointOf(scene, dropped);
  const to = pointOf(scene, cause);
  if (Math.abs(from.y - to.y) < 1) return drawArc(pen, scene, from, to, style(theme, "invalidation"), alpha);
  const middle = (from.y + to.y) / 2;
  pen.globalAlpha = theme.contrast ? 1 : alpha;
  pen.strokeStyle = theme.invalidated;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.bezierCurveTo(from.x, middle, to.x, middle, to.x, to.y);
  pen.stroke();
  pen.globalAlpha = 1;
}

interface LinkStyle {
  readonly color: string;
  readonly width: number;
  readonly dash: number[];
  readonly arrow: boolean;
}

function style(theme: Theme, kind: Link["kind"]): LinkStyle {
  const strong = theme.contrast ? 1 : 0;
  if (kind === "reference") return { color: theme.hit, width: 1.6 + strong, dash: [], arrow: true };
  if (kind === "cause") return { color: theme.forgone, width: 1.4 + strong, dash: [4, 3], arrow: true };
  if (kind === "use") return { color: theme.hit, width: 1 + strong, dash: [1.5, 2.5], arrow: true };
  return { color: theme.invalidated, width: 1.2 + strong, dash: [], arrow: false };
}

export function drawLink(pen: Pen, theme: Theme, scene: Scene, link: Link): void {
  if (link.kind === "invalidation") return drawInvalidation(pen, theme, scene, link.from, link.to, 1);
  drawArc(pen, scene, pointOf(scene, link.from), pointOf(scene, link.to), style(theme, link.kind), 1);
}

/**
 * Above the marks; beside them if the other mark is right above or below; to the edge of the view if it is out of
 * view.
 */
function drawArc(pen: Pen, scene: Scene, from: Point, to: Point, look: LinkStyle, alpha: number): void {
  const { plot, area } = scene.layout;
  const edge = to.x < plot.x ? plot.x + 2 : to.x > plot.x + plot.width ? plot.x + plot.width - 2 : null;
  const upright = Math.abs(to.x - from.x) < 26 && Math.abs(to.y - from.y) > 1;
  const rise = Math.min(80, Math.max(22, Math.abs(to.x - from.x) * 0.3));
  const top = Math.max(area.y + 2, Math.min(from.y, to.y) - rise);
  pen.globalAlpha = alpha;
  pen.strokeStyle = look.color;
  pen.lineWidth = look.width;
  pen.setLineDash(look.dash);
  pen.beginPath();
  let tip: Point;
  let direction: Point;
  if (edge !== null) {
    direction = { x: Math.sign(to.x - from.x), y: 0 };
    tip = { x: edge, y: to.y };
    pen.moveTo(from.x, from.y - GAP);
    pen.bezierCurveTo(from.x, top, (from.x + edge) / 2, to.y, tip.x, tip.y);
  } else if (upright) {
    const left = Math.min(from.x, to.x) - BOW > plot.x;
    const side = left ? Math.min(from.x, to.x) - BOW : Math.max(from.x, to.x) + BOW;
    direction = { x: left ? 1 : -1, y: 0 };
    tip = { x: to.x - direction.x * GAP, y: to.y };
    pen.moveTo(from.x - direction.x * GAP, from.y);
    pen.bezierCurveTo(side, from.y, side, tip.y, tip.x, tip.y);
  } else {
    // Between neighbours an arc would be a mere stroke: it becomes a loop.
    const spread = Math.max(0, 18 - Math.abs(to.x - from.x)) * (to.x > from.x ? -1 : 1);
    direction = { x: 0, y: 1 };
    tip = { x: to.x, y: to.y - GAP };
    pen.moveTo(from.x, from.y - GAP);
    pen.bezierCurveTo(from.x + spread, top, tip.x - spread, top, tip.x, tip.y);
  }
  pen.stroke();
  pen.setLineDash([]);
  if (look.arrow) drawArrow(pen, look.color, tip, direction);
  pen.globalAlpha = 1;
}

/** `direction`: a unit vector. */
function drawArrow(pen: Pen, color: string, tip: Point, direction: Point): void {
  const back = { x: tip.x - direction.x * ARROW, y: tip.y - direction.y * ARROW };
  const half = { x: direction.y * ARROW * 0.7, y: direction.x * ARROW * 0.7 };
  pen.fillStyle = color;
  pen.beginPath();
  pen.moveTo(tip.x, tip.y);
  pen.lineTo(back.x - half.x, back.y - half.y);
  pen.lineTo(back.x + half.x, back.y + half.y);
  pen.closePath();
  pen.fill();
}
