/** The visible range of an axis. */
export interface View {
  readonly from: number;
  readonly to: number;
}

/** What a view may show. */
export interface Extent {
  readonly start: number;
  readonly end: number;
  readonly minSpan: number;
}

/** A view mapped to pixels: `from` is at `left`, `to` at `left + width`. */
export interface Scale extends View {
  readonly left: number;
  readonly width: number;
}

export function pxPerPosition(scale: Scale): number {
  return scale.width / (scale.to - scale.from);
}

export function toX(scale: Scale, position: number): number {
  return scale.left + (position - scale.from) * pxPerPosition(scale);
}

export function toPosition(scale: Scale, x: number): number {
  return scale.from + (x - scale.left) / pxPerPosition(scale);
}

export function whole({ start, end }: Extent): View {
  return { from: start, to: end };
}

/** The nearest view that is within the extent and shows neither too little nor too much. */
export function clamped({ from, to }: View, { start, end, minSpan }: Extent): View {
  const max = end - start;
  const span = Math.min(max, Math.max(Math.min(minSpan, max), to - from));
  const middle = (from + to) / 2;
  // A view that is only in the wrong place keeps its exact span: recomputing it from the middle would make it drift.
  const wanted = span === to - from ? from : middle - span / 2;
  const first = Math.min(Math.max(start, wanted), end - span);
  return { from: first, to: first + span };
}

/** A factor below 1 zooms in. What is at `position` stays there, as far as the extent allows. */
export function zoomed({ from, to }: View, factor: number, position: number, extent: Extent): View {
  const max = extent.end - extent.start;
  const span = to - from;
  const wanted = Math.min(max, Math.max(Math.min(extent.minSpan, max), span * factor));
  const real = wanted / span;
  return clamped({ from: position - (position - from) * real, to: position + (to - position) * real }, extent);
}

export function panned({ from, to }: View, by: number, extent: Extent): View {
  return clamped({ from: from + by, to: to + by }, extent);
}

/** The view moved just far enough to contain a position, with some margin; the same view if it already does. */
export function revealing(view: View, position: number, extent: Extent): View {
  const span = view.to - view.from;
  const room = span * 0.04;
  if (position >= view.from + room && position <= view.to - room) return view;
  const near = position > view.from - span * 0.25 && position < view.to + span * 0.25;
  if (!near) return clamped({ from: position - span / 2, to: position + span / 2 }, extent);
  const by = position < view.from + room ? position - view.from - room * 2 : position - view.to + room * 2;
  const moved = panned(view, by, extent);
  return moved.from === view.from && moved.to === view.to ? view : moved;
}

/** Which ends of the extent a view shows: nearly is enough. */
export function endsIn({ from, to }: View, { start, end }: Extent): { readonly start: boolean; readonly end: boolean } {
  const slack = (to - from) * 0.005;
  return { start: from <= start + slack, end: to >= end - slack };
}

/** The view after the extent has grown: a view that showed everything, or the end, still does. */
export function followed(view: View, before: Extent, after: Extent): View {
  const shown = endsIn(view, before);
  if (shown.start && shown.end) return whole(after);
  return shown.end ? panned(view, after.end - view.to, after) : clamped(view, after);
}
