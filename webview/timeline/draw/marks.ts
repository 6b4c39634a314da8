import { radiusOf, type Scene, xOf, yOf } from "../layout/scene.js";
import { KIND, KINDS } from "../model/paintedKinds.js";
import { drawInvalidation } from "./arcs.js";
import type { Theme } from "./colors.js";
import { partOf, type Shape, shapeOf } from "./markShapes.js";
import type { Pen } from "./pen.js";

/** Draws a shape. Painting a thousand paths takes longer than a frame; copying a thousand stamps does not. */
export type Stamp = (shape: Shape, x: number, y: number, radius: number) => void;

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** In a smaller mark, a part would look like the whole. */
const MIN_PART = 3;
const DIMMED_ALPHA = 0.22;
/** With more in view their links would be a tangle: only those of the selected mark are drawn. */
const MAX_TIES = 12;

export function placed(scene: Scene, row: number): Placed {
  const { model, layout, shrink } = scene;
  const lane = layout.laneOf[model.family(row)];
  return { x: xOf(scene, row), y: yOf(scene, row), radius: radiusOf(model, row, lane?.height ?? 0, shrink) };
}

/** One result's mark, without the cross that it may have. */
export function stampMark(stamp: Stamp, { model }: Scene, row: number, { x, y, radius }: Placed): void {
  const kind = model.shownKind(row);
  // A hit is a full mark already.
  const part = kind === KIND.hit || kind === KIND.nearHit ? undefined : partOf(model.savedShare(row));
  if (part !== undefined) stamp(part, x, y, Math.max(radius, MIN_PART));
  stamp(shapeOf(kind, model.rows.get(row, "invalidations") > 0), x, y, radius);
}

/** Every visible result as its own mark. */
export function drawAllMarks(pen: Pen, theme: Theme, scene: Scene, stamp: Stamp): void {
  const { model, first, end, passes } = scene;
  const shown: number[][] = KINDS.map(() => []);
  const dimmed: number[] = [];
  const stale: Placed[] = [];
  for (let row = first; row < end; row++) (passes(row) ? shown[model.shownKind(row)] : dimmed)?.push(row);
  drawDimmed(pen, theme, scene, stamp, dimmed);
  drawTies(pen, theme, scene);
  for (const row of shown.flat()) {
    const mark = placed(scene, row);
    stampMark(stamp, scene, row, mark);
    if (model.invalidations.causeOf(row) >= 0) stale.push(mark);
  }
  // Last of all, so that no other mark hides one.
  for (const { x, y, radius } of stale) stamp("stale", x, y, radius);
}

/** In high contrast, translucency alone would not be visible, so what is filtered out shrinks to a dot. */
function drawDimmed(pen: Pen, theme: Theme, scene: Scene, stamp: Stamp, rows: readonly number[]): void {
  if (!theme.contrast) pen.globalAlpha = DIMMED_ALPHA;
  for (const row of rows) {
    const { x, y, radius } = placed(scene, row);
    const kind = theme.contrast ? KIND.bypass : scene.model.kind(row);
    stamp(shapeOf(kind, false), x, y, theme.contrast ? 1 : radius);
  }
  pen.globalAlpha = 1;
}

function drawTies(pen: Pen, theme: Theme, scene: Scene): void {
  const { model, first, end, passes } = scene;
  const { invalidations } = model;
  const ties: [dropped: number, cause: number][] = [];
  const [from, to] = invalidations.causedBetween(first, end);
  if (to - from > MAX_TIES) return;
  for (let index = from; index < to; index++) ties.push([invalidations.dropped(index), invalidations.cause(index)]);
  for (let row = first; row < end && ties.length <= MAX_TIES; row++) {
    const cause = invalidations.causeOf(row);
    if (cause >= end && cause < model.length) ties.push([row, cause]);
  }
  if (ties.length > MAX_TIES) return;
  for (const [dropped, cause] of ties) {
    if (passes(dropped) || passes(cause)) drawInvalidation(pen, theme, scene, dropped, cause, 0.5);
  }
}
