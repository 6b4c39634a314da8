import { type Axis, rowsBetween } from "../model/axis.js";
import type { Level } from "../model/level.js";
import type { Levels } from "../model/levels.js";
import { KIND } from "../model/paintedKinds.js";
import type { TimelineModel } from "../model/timelineModel.js";
import { pxPerPosition, type Scale, toPosition, toX, type View } from "./scale.js";
import { type Layout, plotScale } from "./timelineLayout.js";

/** With more results per pixel than this, single marks would hide each other. */
const MAX_MARKS_PER_PX = 1.25;
/** A narrow panel may be a little crowded: marks say more than bars. */
const FEW_MARKS = 420;
/** Marks further apart than this do not overlap. */
const NEAR = 6;
/** The largest mark extends this far to either side. */
const REACH = 10;

/** Everything that makes up one picture; drawing and hit-testing use the same scene. */
export interface Scene {
  readonly model: TimelineModel;
  readonly axis: Axis;
  readonly layout: Layout;
  readonly scale: Scale;
  /** The rows that are at least partly visible, [first, end). */
  readonly first: number;
  readonly end: number;
  /** The marks' size as a share of their full size. */
  readonly shrink: number;
  /** The bins to draw instead of marks; null if marks have room. */
  readonly level: Level | null;
  /** The bins of the minimap. */
  readonly overview: Level;
  readonly passes: (row: number) => boolean;
}

export interface SceneParts {
  readonly model: TimelineModel;
  readonly axis: Axis;
  readonly levels: Levels;
  readonly passes: (row: number) => boolean;
}

export function sceneOf({ model, axis, levels, passes }: SceneParts, layout: Layout, view: View): Scene {
  const scale = plotScale(layout, view);
  const reach = REACH + scale.left - layout.plot.x;
  const [first, end] = rowsBetween(
    axis,
    model.length,
    toPosition(scale, layout.plot.x - reach),
    toPosition(scale, layout.plot.x + layout.plot.width + reach),
  );
  const crowded = end - first > Math.max(FEW_MARKS, MAX_MARKS_PER_PX * scale.width);
  const level = crowded ? levels.forScale(pxPerPosition(scale)) : null;
  const shrink = level === null ? shrinkOf((end - first) / occupiedPx(axis, scale, first, end)) : 1;
  const overview = levels.forScale(layout.minimap.width / (axis.end - axis.start), 2);
  return { model, axis, layout, scale, first, end, shrink, level, overview, passes };
}

/** Pixels with a mark near them: on a time axis, marks may be crowded although most of the view is empty. */
function occupiedPx(axis: Axis, scale: Scale, first: number, end: number): number {
  let occupied = NEAR;
  for (let row = first + 1; row < end; row++) {
    occupied += Math.min(NEAR, (axis.at(row) - axis.at(row - 1)) * pxPerPosition(scale));
  }
  return occupied;
}

export function xOf(scene: Scene, row: number): number {
  return toX(scene.scale, scene.axis.at(row));
}

/** The middle of the row's lane. */
export function yOf(scene: Scene, row: number): number {
  const lane = scene.layout.laneOf[scene.model.family(row)];
  return lane === undefined ? scene.layout.lanesBox.y : lane.y + lane.height / 2;
}

/** In pixels. */
const RADIUS = { min: 2.4, max: 9, dot: 1.3, edit: 3.6, error: 2.4 };

/** A mark's area shows its tokens: 50 → 2.5 px, 2,000 → 5 px, 10,000 → 8.5 px. Results that were bypassed are dots. */
export function radiusOf(model: TimelineModel, row: number, laneHeight: number, shrink: number): number {
  const kind = model.kind(row);
  if (kind === KIND.bypass) return RADIUS.dot;
  if (kind === KIND.error) return RADIUS.error;
  const room = laneHeight * 0.46;
  if (kind === KIND.edit) return Math.min(RADIUS.edit * Math.sqrt(shrink), room);
  const wanted = shrink * (2 + 0.065 * Math.sqrt(model.tokens(row)));
  return Math.min(Math.max(RADIUS.min, wanted), RADIUS.max, room);
}

/** Marks shrink, down to six tenths of their size, as they get closer to each other. */
export function shrinkOf(marksPerPx: number): number {
  return Math.min(1, Math.max(0.6, 1.15 - 0.4 * marksPerPx));
}
