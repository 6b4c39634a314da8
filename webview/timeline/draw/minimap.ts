import { eventPosition } from "../layout/bands.js";
import { windowOf } from "../layout/minimapWindow.js";
import { pxPerPosition, toX } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { minimapScale } from "../layout/timelineLayout.js";
import type { Level } from "../model/level.js";
import { KIND } from "../model/paintedKinds.js";
import type { Theme } from "./colors.js";
import type { Pen } from "./pen.js";

const MAX_LINES = 200;
/** With more results per dash than this, nearly every dash would contain a hit and mean nothing. */
const MAX_PER_DASH = 3;

/** The whole session at a glance. */
export function drawMinimap(pen: Pen, theme: Theme, scene: Scene): void {
  const { axis, layout, model, overview } = scene;
  const { minimap, lanes } = layout;
  if (minimap.height === 0 || lanes.length === 0) return;
  if (model.length > MAX_PER_DASH * overview.length) drawProfile(pen, theme, scene);
  else drawDashes(pen, theme, scene);
  pen.globalAlpha = 1;
  pen.fillStyle = theme.forgone;
  const scale = minimapScale(layout, axis);
  for (const event of [...model.boundaries.values()].slice(0, MAX_LINES)) {
    pen.fillRect(Math.round(toX(scale, eventPosition(model, axis, event))), minimap.y, 1, minimap.height);
  }
}

function hitsIn(overview: Level, cell: number): number {
  return [KIND.hit, KIND.nearHit, KIND.partial].reduce((sum, kind) => sum + overview.count(cell, kind), 0);
}

/** A line of dashes per lane, thicker where there are hits. */
function drawDashes(pen: Pen, theme: Theme, { axis, layout, overview }: Scene): void {
  const { minimap, lanes } = layout;
  const scale = minimapScale(layout, axis);
  const step = (minimap.height - 4) / lanes.length;
  const thickness = Math.max(1, Math.min(2, step - 1));
  const width = Math.max(1, overview.width * pxPerPosition(scale) - 0.5);
  const yOfFamily = new Map(lanes.map(({ family }, index) => [family, minimap.y + 2 + step * index]));
  for (const wantHits of [false, true]) {
    pen.fillStyle = wantHits ? theme.hit : theme.muted;
    pen.globalAlpha = wantHits || theme.contrast ? 1 : 0.5;
    for (let cell = 0; cell < overview.length; cell++) {
      if (hitsIn(overview, cell) > 0 !== wantHits) continue;
      const y = yOfFamily.get(overview.family(cell)) ?? minimap.y;
      pen.fillRect(toX(scale, overview.start(cell)), wantHits ? y - 0.5 : y, width, thickness + (wantHits ? 1 : 0));
    }
  }
}

/**
 * The number of results over time and, below, how many of them were hits. In order, the number is the same
 * everywhere.
 */
function drawProfile(pen: Pen, theme: Theme, { axis, layout, overview }: Scene): void {
  const { minimap } = layout;
  const scale = minimapScale(layout, axis);
  const columns: { start: number; results: number; hits: number }[] = [];
  for (let cell = 0; cell < overview.length; cell++) {
    const start = overview.start(cell);
    const last = columns.at(-1);
    const column = last?.start === start ? last : { start, results: 0, hits: 0 };
    if (column !== last) columns.push(column);
    column.results += overview.total(cell);
    column.hits += hitsIn(overview, cell);
  }
  const maxOf = (key: "results" | "hits") => columns.reduce((max, column) => Math.max(max, column[key]), 1);
  const series = [
    { key: "results", color: theme.muted, alpha: theme.contrast ? 0.6 : 0.3, room: minimap.height - 4 },
    { key: "hits", color: theme.hit, alpha: 1, room: minimap.height * (axis.name === "order" ? 0.85 : 0.55) },
  ] as const;
  for (const { key, color, alpha, room } of series) {
    if (key === "results" && axis.name === "order") continue;
    const highest = maxOf(key);
    pen.fillStyle = color;
    pen.globalAlpha = alpha;
    for (const column of columns) {
      const left = Math.round(toX(scale, column.start));
      const right = Math.max(left + 1, Math.round(toX(scale, column.start + overview.width)));
      const height = (room * column[key]) / highest;
      pen.fillRect(left, minimap.y + minimap.height - 1 - height, right - left, height);
    }
  }
}

/** The part that the plot shows: the rest is shaded, and its edges can be dragged. */
export function drawWindow(pen: Pen, theme: Theme, { layout, axis, scale }: Scene): void {
  const { minimap } = layout;
  if (minimap.height === 0) return;
  const { left, right } = windowOf(layout, axis, scale);
  pen.fillStyle = theme.background;
  pen.globalAlpha = 0.6;
  pen.fillRect(minimap.x, minimap.y, left - minimap.x, minimap.height);
  pen.fillRect(right, minimap.y, minimap.x + minimap.width - right, minimap.height);
  pen.globalAlpha = 1;
  pen.strokeStyle = theme.border;
  pen.lineWidth = 1;
  pen.strokeRect(minimap.x + 0.5, minimap.y + 0.5, minimap.width - 1, minimap.height - 1);
  pen.strokeStyle = theme.focus;
  pen.lineWidth = theme.contrast ? 2 : 1;
  pen.strokeRect(Math.round(left) + 0.5, minimap.y + 0.5, Math.round(right - left) - 1, minimap.height - 1);
  if (right - left < 20) return;
  pen.fillStyle = theme.focus;
  for (const x of [left, right - 3]) pen.fillRect(Math.round(x), minimap.y + minimap.height / 2 - 5, 3, 10);
}
