import { pxPerPosition, type Scale, toPosition, toX } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { DIMMED, type Level } from "../model/level.js";
import { KIND } from "../model/paintedKinds.js";
import type { Theme } from "./colors.js";
import type { BarPen } from "./pen.js";

/**
 * One layer of the bars, from the bottom up. As with single marks, what was saved is filled and what was not is hollow:
 * a faint body under a line. This way the layers can be told apart without colours.
 */
interface Layer {
  readonly buckets: readonly number[];
  readonly color: (theme: Theme) => string;
  readonly alpha: number;
  /** Whether a line is drawn on top of it. */
  readonly hollow: boolean;
  /** In pixels, if there is any at all: a single hit among hundreds must be visible. */
  readonly minHeight: number;
}

const LAYERS: readonly Layer[] = [
  { buckets: [KIND.hit, KIND.nearHit, KIND.realised], color: ({ hit }) => hit, alpha: 1, hollow: false, minHeight: 3 },
  { buckets: [KIND.partial], color: ({ hit }) => hit, alpha: 0.5, hollow: true, minHeight: 3 },
  { buckets: [KIND.native], color: ({ native }) => native, alpha: 1, hollow: false, minHeight: 2 },
  { buckets: [KIND.forgone, KIND.edit], color: ({ forgone }) => forgone, alpha: 0.45, hollow: true, minHeight: 2 },
  { buckets: [KIND.miss], color: ({ miss }) => miss, alpha: 0.28, hollow: true, minHeight: 1 },
  { buckets: [KIND.bypass, KIND.error], color: ({ muted }) => muted, alpha: 0.22, hollow: false, minHeight: 1 },
  { buckets: [DIMMED], color: ({ muted }) => muted, alpha: 0.1, hollow: false, minHeight: 1 },
];

/** The padding above and below in each lane. */
const AIR = 3;

/** Bars instead of marks, for views with more results than pixels. */
export function drawBins(pen: BarPen, theme: Theme, { level, layout, scale }: Scene): void {
  if (level === null) return;
  const { x, width } = layout.plot;
  const [first, end] = level.cellsBetween(toPosition(scale, x), toPosition(scale, x + width));
  const bars = barsOf(level, scale);
  const grown = new Float64Array(end - first);
  const sums = new Uint32Array(end - first);
  for (const layer of LAYERS) {
    pen.fillStyle = layer.color(theme);
    for (let cell = first; cell < end; cell++) {
      const lane = layout.laneOf[level.family(cell)];
      let count = 0;
      for (const bucket of layer.buckets) count += level.count(cell, bucket);
      if (count === 0 || lane === undefined) continue;
      // The height is the square root of the count: single results stay visible beside hundreds.
      const below = grown[cell - first] ?? 0;
      const counted = (sums[cell - first] ?? 0) + count;
      const height = Math.max(
        below + layer.minHeight,
        (lane.height - 2 * AIR) * Math.sqrt(counted / level.highest(lane.family)),
      );
      const top = Math.round(lane.y + lane.height - AIR - height);
      const bottom = Math.round(lane.y + lane.height - AIR - below);
      const { left, wide } = bars(cell);
      pen.globalAlpha = theme.contrast && !layer.hollow ? 1 : layer.alpha;
      pen.fillRect(left, top, wide, bottom - top);
      if (layer.hollow) {
        pen.globalAlpha = 1;
        pen.fillRect(left, top, wide, theme.contrast ? 2 : 1);
      }
      grown[cell - first] = height;
      sums[cell - first] = counted;
    }
  }
  pen.globalAlpha = 1;
  drawLids(pen, theme, { level, layout, scale }, first, end, grown);
}

/** Bars touch, on whole pixels: gaps of changing width would shimmer while panning. */
function barsOf(level: Level, scale: Scale): (cell: number) => { left: number; wide: number } {
  const step = level.width * pxPerPosition(scale);
  return cell => {
    const start = toX(scale, level.start(cell));
    const left = Math.round(start);
    return { left, wide: Math.max(1, Math.round(start + step) - left) };
  };
}

/** Bars of hundreds of results nearly always have a few stale ones, which means nothing. */
const MIN_STALE_SHARE = 0.2;

/** A line just above a bar of which a considerable part went stale. */
function drawLids(
  pen: BarPen,
  theme: Theme,
  { level, layout, scale }: Pick<Scene, "level" | "layout" | "scale">,
  first: number,
  end: number,
  grown: Float64Array,
): void {
  if (level === null) return;
  const bars = barsOf(level, scale);
  pen.fillStyle = theme.invalidated;
  for (let cell = first; cell < end; cell++) {
    const lane = layout.laneOf[level.family(cell)];
    if (lane === undefined || level.invalidated(cell) < MIN_STALE_SHARE * level.total(cell)) continue;
    if (level.invalidated(cell) === 0) continue;
    const y = Math.max(lane.y, lane.y + lane.height - AIR - (grown[cell - first] ?? 0) - 3);
    const { left, wide } = bars(cell);
    pen.fillRect(left, y, wide, theme.contrast ? 2 : 1);
  }
}
