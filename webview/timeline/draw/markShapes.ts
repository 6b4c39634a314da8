import { KIND, KINDS, type Kind } from "../model/paintedKinds.js";
import { strokeWidth, type Theme } from "./colors.js";
import type { Pen } from "./pen.js";

const FULL = Math.PI * 2;

export function circle(pen: Pen, x: number, y: number, radius: number): void {
  pen.moveTo(x + radius, y);
  pen.arc(x, y, radius, 0, FULL);
}

function diamond(pen: Pen, x: number, y: number, radius: number): void {
  pen.moveTo(x, y - radius);
  pen.lineTo(x + radius, y);
  pen.lineTo(x, y + radius);
  pen.lineTo(x - radius, y);
  pen.closePath();
}

function cross(pen: Pen, x: number, y: number, arm: number): void {
  pen.moveTo(x - arm, y - arm);
  pen.lineTo(x + arm, y + arm);
  pen.moveTo(x + arm, y - arm);
  pen.lineTo(x - arm, y + arm);
}

/** What a mark can look like: the kinds of results, and the cross on one that went stale. */
export type Shape = Kind | "effectiveEdit" | "stale" | Part;

/** How much of a result a hint would replace, in eighths: the mark is filled that far from below. */
const EIGHTHS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type Part = `part${(typeof EIGHTHS)[number]}`;

/** Undefined if nothing is saved. Any saving is visible. */
export function partOf(share: number): Part | undefined {
  const eighths = EIGHTHS[Math.max(0, Math.round(share * 8) - 1)];
  return share > 0 && eighths !== undefined ? `part${eighths}` : undefined;
}

interface Look {
  readonly color: (theme: Theme) => string;
  readonly outline?: (pen: Pen, x: number, y: number, radius: number) => void;
  readonly filling?: (pen: Pen, x: number, y: number, radius: number) => void;
  /** Width of a rim of the background, which keeps overlapping marks apart. Dots are too small to afford one. */
  readonly rim?: number;
}

function square(pen: Pen, x: number, y: number, radius: number): void {
  // A square of the circle's area, so that equal tokens have equal ink.
  const half = radius * 0.886;
  pen.rect(x - half, y - half, 2 * half, 2 * half);
}

/** A circle filled up to a level, like a glass. */
function filledTo(share: number): Look["filling"] {
  const level = Math.asin(Math.min(1, 1 - 2 * share));
  return (pen, x, y, radius) => pen.arc(x, y, radius, level, Math.PI - level);
}

const PARTS = Object.fromEntries(
  EIGHTHS.map(eighths => [`part${eighths}`, { color: (theme: Theme) => theme.hit, filling: filledTo(eighths / 8) }]),
) as Record<Part, Look>;

const LOOKS: Readonly<Record<Shape, Look>> = {
  ...PARTS,
  bypass: { color: theme => theme.muted, filling: circle },
  error: { color: theme => theme.muted, outline: (pen, x, y, radius) => cross(pen, x, y, radius * 0.8) },
  miss: { color: theme => theme.miss, outline: circle },
  partial: { color: theme => theme.hit, outline: circle },
  forgone: {
    color: theme => theme.forgone,
    outline(pen, x, y, radius) {
      circle(pen, x, y, radius);
      pen.moveTo(x - radius, y);
      pen.lineTo(x + radius, y);
    },
  },
  edit: { color: theme => theme.forgone, outline: diamond },
  effectiveEdit: { color: theme => theme.forgone, filling: (pen, x, y, r) => diamond(pen, x, y, r * 1.15), rim: 2 },
  native: { color: theme => theme.native, filling: square, rim: 2 },
  realised: { color: theme => theme.hit, filling: (pen, x, y, r) => diamond(pen, x, y, r * 1.25), rim: 2 },
  nearHit: {
    color: theme => theme.hit,
    outline: circle,
    filling(pen, x, y, radius) {
      pen.moveTo(x, y + radius);
      pen.arc(x, y, radius, Math.PI / 2, Math.PI * 1.5);
      pen.closePath();
    },
  },
  hit: { color: theme => theme.hit, filling: circle, rim: 2 },
  stale: { color: theme => theme.invalidated, outline: (pen, x, y, r) => cross(pen, x, y, staleArm(r)), rim: 3.5 },
};

function staleArm(radius: number): number {
  return Math.max(2.8, radius * 0.6);
}

/** The shape of a result's mark; an edit that made something stale is filled. */
export function shapeOf(kind: number, effective: boolean): Shape {
  return kind === KIND.edit && effective ? "effectiveEdit" : (KINDS[kind] ?? "bypass");
}

/** No shape extends further than this from its centre. */
export function reachOf(radius: number): number {
  return Math.max(radius * 1.25, staleArm(radius)) + 3;
}

export function paintShape(pen: Pen, theme: Theme, shape: Shape, x: number, y: number, radius: number): void {
  const { color, outline, filling, rim } = LOOKS[shape];
  const trace = filling ?? outline;
  if (trace === undefined) return;
  pen.beginPath();
  trace(pen, x, y, radius);
  if (rim !== undefined) {
    pen.strokeStyle = theme.background;
    pen.lineWidth = rim;
    pen.stroke();
  }
  if (filling !== undefined) {
    pen.fillStyle = color(theme);
    pen.fill();
  }
  if (outline === undefined) return;
  pen.beginPath();
  outline(pen, x, y, radius);
  pen.strokeStyle = color(theme);
  pen.lineWidth = strokeWidth(theme);
  pen.stroke();
}
