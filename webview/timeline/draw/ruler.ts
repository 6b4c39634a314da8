import { markTitle } from "../../../src/words/outcomeTexts.js";
import { eventLabel } from "../describe.js";
import type { PlacedEvent } from "../layout/bands.js";
import { toPosition, toX } from "../layout/scale.js";
import type { Scene } from "../layout/scene.js";
import { orderTicks, type Tick, timeTicks } from "../layout/ticks.js";
import { fontOf, type Theme } from "./colors.js";
import { type Pen, textWidth, verticalLine } from "./pen.js";

/** No screen has room for more labels than this. */
const MAX_LABELS = 60;

interface Span {
  readonly left: number;
  readonly right: number;
}

const GAP = 5;
const PX_PER_TICK = 90;
/** With more in view, the lines of minor events would cover the lanes: only their ticks on the ruler are drawn. */
const MAX_LESSER_LINES = 40;

/** Lines where partitions end (dashed) and where results left the context in other ways (dotted). */
export function drawEventLines(pen: Pen, theme: Theme, { layout }: Scene, events: readonly PlacedEvent[]): void {
  const bottom = layout.ruler.y;
  const lesser = events.filter(({ event }) => event.kind !== "boundary").length;
  for (const { event, x } of events) {
    const ends = event.kind === "boundary";
    pen.strokeStyle = ends ? theme.forgone : theme.muted;
    pen.lineWidth = theme.contrast ? 2 : 1;
    pen.globalAlpha = ends || theme.contrast ? 1 : 0.7;
    pen.setLineDash(ends ? [4, 3] : [1, 3]);
    if (ends || lesser <= MAX_LESSER_LINES) verticalLine(pen, x, ends ? 0 : layout.lanesBox.y, bottom);
    pen.setLineDash([]);
    if (!ends) verticalLine(pen, x, bottom, bottom + 4);
  }
  pen.globalAlpha = 1;
}

/** The events' labels, then as many ticks of the axis as fit between them. */
export function drawRuler(pen: Pen, theme: Theme, scene: Scene, events: readonly PlacedEvent[]): void {
  const { ruler } = scene.layout;
  pen.font = fontOf(theme);
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  const middle = ruler.y + ruler.height / 2 + 1;
  const taken: Span[] = [];
  for (const { event, x } of worthWords(events)) {
    for (const text of [eventLabel(event), markTitle(event)]) {
      const place = placeBeside(x, textWidth(pen, text), ruler.x, ruler.x + ruler.width, taken);
      if (place === undefined) continue;
      taken.push(place);
      pen.fillStyle = event.kind === "boundary" ? theme.foreground : theme.muted;
      pen.fillText(text, place.left, middle);
      break;
    }
  }
  pen.fillStyle = theme.muted;
  for (const { label, position } of ticksOf(scene)) {
    const width = textWidth(pen, label);
    const left = toX(scene.scale, position) - width / 2;
    const place = { left, right: left + width };
    if (left < ruler.x || place.right > ruler.x + ruler.width || !isFree(place, taken)) continue;
    pen.globalAlpha = theme.contrast ? 1 : 0.75;
    pen.fillText(label, left, middle);
    taken.push(place);
  }
  pen.globalAlpha = 1;
}

/** Boundaries first: if not everything fits, they matter most. Minor events in a crowd have no room anyway. */
function worthWords(events: readonly PlacedEvent[]): PlacedEvent[] {
  const boundaries = events.filter(({ event }) => event.kind === "boundary");
  const lesser = events.filter(({ event }) => event.kind !== "boundary");
  return [...boundaries.slice(0, MAX_LABELS), ...(lesser.length <= MAX_LESSER_LINES ? lesser : [])];
}

function ticksOf({ axis, model, scale, layout }: Scene): Tick[] {
  const from = Math.max(axis.start, toPosition(scale, layout.ruler.x));
  const to = Math.min(axis.end, toPosition(scale, layout.ruler.x + layout.ruler.width));
  const maxTicks = Math.max(1, layout.ruler.width / PX_PER_TICK);
  if (axis.name === "order") return orderTicks(from, to, maxTicks);
  const origin = model.times.at(0);
  return timeTicks(from, to, maxTicks, origin, clockOffset(origin + from));
}

/** Left of the line, where the partition that it ends is; otherwise right of it. */
function placeBeside(x: number, width: number, left: number, right: number, taken: readonly Span[]): Span | undefined {
  const before = { left: x - GAP - width, right: x - GAP };
  if (before.left >= left && isFree(before, taken)) return before;
  const after = { left: x + GAP, right: x + GAP + width };
  return after.right <= right && isFree(after, taken) ? after : undefined;
}

function isFree({ left, right }: Span, taken: readonly Span[]): boolean {
  return taken.every(span => right + 2 * GAP < span.left || left > span.right + 2 * GAP);
}

/** Seconds that local clocks are ahead of UTC at a moment. */
function clockOffset(seconds: number): number {
  return -60 * new Date(seconds * 1000).getTimezoneOffset();
}
