import { type Extent, panned, toPosition, toX, type View } from "./scale.js";
import { type Layout, minimapScale } from "./timelineLayout.js";

/** The window of the minimap, never too small to drag. */
export interface Window {
  readonly left: number;
  readonly right: number;
}

export type Grip = "left" | "right" | "middle" | "outside";

const SMALLEST_WINDOW = 8;
const EDGE = 5;

export function windowOf(layout: Layout, extent: Extent, view: View): Window {
  const scale = minimapScale(layout, extent);
  const left = toX(scale, view.from);
  const right = toX(scale, view.to);
  const width = Math.max(right - left, SMALLEST_WINDOW);
  const first = Math.min(Math.max(scale.left, (left + right - width) / 2), scale.left + scale.width - width);
  return { left: first, right: first + width };
}

/** What a press at x grabs. A small window is moved, not resized: its edges would leave nothing between them. */
export function gripAt({ left, right }: Window, x: number): Grip {
  const resizable = right - left > 4 * EDGE;
  if (resizable && Math.abs(x - left) <= EDGE) return "left";
  if (resizable && Math.abs(x - right) <= EDGE) return "right";
  return x >= left && x <= right ? "middle" : "outside";
}

/** The view after the window has been dragged by `dx` pixels from where it was grabbed. */
export function draggedWindow(layout: Layout, extent: Extent, view: View, grip: Grip, dx: number): View {
  const by = (dx * (extent.end - extent.start)) / minimapScale(layout, extent).width;
  const minSpan = Math.min(extent.minSpan, extent.end - extent.start);
  const { from, to } = view;
  if (grip === "left") return { from: Math.max(extent.start, Math.min(from + by, to - minSpan)), to };
  if (grip === "right") return { from, to: Math.min(extent.end, Math.max(to + by, from + minSpan)) };
  return panned(view, by, extent);
}

/** The view centred on what is at x. */
export function centredAt(layout: Layout, extent: Extent, view: View, x: number): View {
  const position = toPosition(minimapScale(layout, extent), x);
  return panned(view, position - (view.from + view.to) / 2, extent);
}
