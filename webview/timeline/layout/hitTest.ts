import { rowsBetween } from "../model/axis.js";
import type { EventMark } from "../model/timelineModel.js";
import { visibleBands, visibleEvents } from "./bands.js";
import { toPosition } from "./scale.js";
import { radiusOf, type Scene, xOf, yOf } from "./scene.js";
import { contains } from "./timelineLayout.js";

/** What is under the pointer. */
export type Target =
  | { readonly kind: "row"; readonly row: number }
  | { readonly kind: "cell"; readonly cell: number }
  | { readonly kind: "event"; readonly event: EventMark }
  | { readonly kind: "partition"; readonly partition: number };

/** How far from a mark still counts as on it: even a dot of one pixel must be clickable. */
const SLOP = 5;
const FURTHEST = 9 + SLOP;
const EVENT_SLOP = 4;

export function targetAt(scene: Scene, x: number, y: number): Target | null {
  const { layout } = scene;
  if (contains(layout.header, x, y)) {
    const band = visibleBands(scene).find(({ left, right }) => x >= left && x < right);
    return band === undefined ? null : { kind: "partition", partition: band.partition };
  }
  if (contains(layout.ruler, x, y)) return eventAt(scene, x, EVENT_SLOP * 3);
  if (!contains(layout.lanesBox, x, y)) return contains(layout.area, x, y) ? eventAt(scene, x, EVENT_SLOP) : null;
  const under = scene.level === null ? markAt(scene, x, y) : cellAt(scene, x, y);
  return under ?? eventAt(scene, x, EVENT_SLOP);
}

/** The mark whose edge is nearest; if several are, the one painted on top. */
function markAt(scene: Scene, x: number, y: number): Target | null {
  const { model, axis, scale, layout } = scene;
  const [first, end] = rowsBetween(
    axis,
    model.length,
    toPosition(scale, x - FURTHEST),
    toPosition(scale, x + FURTHEST),
  );
  let nearest = SLOP;
  let found = -1;
  for (let row = first; row < end; row++) {
    const lane = layout.laneOf[model.family(row)];
    if (lane === undefined) continue;
    const radius = radiusOf(model, row, lane.height, scene.shrink);
    const distance = Math.hypot(xOf(scene, row) - x, yOf(scene, row) - y) - radius;
    // Inside two marks the smaller one wins: it could not be clicked otherwise.
    const inside = distance < 0 ? -1 / radius : distance;
    if (inside > nearest || (inside === nearest && found >= 0 && model.kind(row) < model.kind(found))) continue;
    nearest = inside;
    found = row;
  }
  return found < 0 ? null : { kind: "row", row: found };
}

function cellAt({ level, layout, scale }: Scene, x: number, y: number): Target | null {
  const lane = layout.lanes.find(({ y: top, height }) => y >= top && y < top + height);
  if (level === null || lane === undefined) return null;
  const position = toPosition(scale, x);
  const [first, end] = level.cellsBetween(position, position);
  for (let cell = first; cell < end; cell++) {
    if (level.family(cell) === lane.family) return { kind: "cell", cell };
  }
  return null;
}

function eventAt(scene: Scene, x: number, slop: number): Target | null {
  let nearest: { distance: number; event: EventMark } | null = null;
  for (const placed of visibleEvents(scene)) {
    const distance = Math.abs(placed.x - x);
    if (distance <= slop && (nearest === null || distance < nearest.distance)) {
      nearest = { distance, event: placed.event };
    }
  }
  return nearest === null ? null : { kind: "event", event: nearest.event };
}
