import { FAMILIES } from "../model/families.js";
import type { Scale, View } from "./scale.js";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Lane {
  readonly family: number;
  readonly y: number;
  readonly height: number;
}

/** Where everything is, in CSS pixels. A part that does not fit has no height. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Too narrow for whole lane names. */
  readonly compact: boolean;
  readonly plot: Box;
  /** The partitions' headers. */
  readonly header: Box;
  /** The curves of saved tokens and of the context. */
  readonly area: Box;
  readonly lanes: readonly Lane[];
  /** Lane by family code. */
  readonly laneOf: readonly (Lane | undefined)[];
  /** All lanes together. */
  readonly lanesBox: Box;
  /** Labels of boundaries and of the axis. */
  readonly ruler: Box;
  readonly minimap: Box;
}

const COMPACT_BELOW = 240;
const NARROW_BELOW = 460;
/** For the lanes' names: "Search" is the longest. Wider pictures also have the curves' names there. */
const LABELS_WIDTH = { compact: 26, narrow: 48, wide: 58 };
const RIGHT_EDGE = 8;
const HEADER = 20;
const RULER = 16;
const MINIMAP = 22;
/** Room for two labels. */
const AREA = 26;
/** The curves must not shrink lanes below this. */
const LOWEST_LANE = 12;
/** No mark is taller; more would only be empty. */
const TALLEST_LANE = 48;
/** Marks at the very ends of the view are still fully visible. */
const PADDING = 9;

export function layoutOf(width: number, height: number, families: readonly number[]): Layout {
  const compact = width < COMPACT_BELOW;
  const x = LABELS_WIDTH[compact ? "compact" : width < NARROW_BELOW ? "narrow" : "wide"];
  const plotWidth = Math.max(1, width - x - RIGHT_EDGE);
  const box = (y: number, boxHeight: number): Box => ({ x, y, width: plotWidth, height: Math.max(0, boxHeight) });

  const minimapHeight = height >= 150 ? MINIMAP : 0;
  const bottom = height - (minimapHeight > 0 ? minimapHeight + 3 : 0);
  const rest = Math.max(0, bottom - HEADER - RULER);
  const hasArea = minimapHeight > 0 && rest - AREA >= LOWEST_LANE * families.length;
  const areaShare = hasArea ? Math.min(34, Math.max(AREA, Math.round(height * 0.11))) : 0;
  const room = rest - areaShare;
  const laneHeight = Math.min(TALLEST_LANE, Math.floor(room / Math.max(1, families.length)));
  // If there are few lanes, the curve takes some of the remaining room.
  const spare = room - laneHeight * families.length;
  const areaHeight = areaShare === 0 ? 0 : Math.min(areaShare + spare, Math.round(height / 5));
  const lanesY = HEADER + areaHeight;
  const lanes = families.map((family, index) => ({ family, y: lanesY + index * laneHeight, height: laneHeight }));
  const lanesBox = box(lanesY, laneHeight * families.length);
  return {
    width,
    height,
    compact,
    plot: box(0, lanesBox.y + lanesBox.height),
    header: box(0, HEADER),
    area: box(HEADER, areaHeight),
    lanes,
    laneOf: FAMILIES.map((_, family) => lanes.find(lane => lane.family === family)),
    lanesBox,
    ruler: box(lanesBox.y + lanesBox.height, RULER),
    minimap: box(Math.min(height - minimapHeight, lanesBox.y + lanesBox.height + RULER + 3), minimapHeight),
  };
}

/** The height that a picture with this many lanes can use. */
export function tallestFor(lanes: number): number {
  const area = TALLEST_LANE;
  return HEADER + area + lanes * TALLEST_LANE + RULER + MINIMAP + 3;
}

export function plotScale(layout: Layout, view: View): Scale {
  return { ...view, left: layout.plot.x + PADDING, width: Math.max(1, layout.plot.width - 2 * PADDING) };
}

export function minimapScale(layout: Layout, extent: { readonly start: number; readonly end: number }): Scale {
  const { x, width } = layout.minimap;
  return { from: extent.start, to: extent.end, left: x + 2, width: Math.max(1, width - 4) };
}

export function contains(box: Box, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}
