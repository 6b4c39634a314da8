import { lowerBound } from "../model/arrays.js";
import type { Axis } from "../model/axis.js";
import type { EventMark, TimelineModel } from "../model/timelineModel.js";
import { toX } from "./scale.js";
import type { Scene } from "./scene.js";

/** The visible part of a partition. */
export interface Band {
  readonly partition: number;
  readonly left: number;
  readonly right: number;
}

/** An event between results, at its place on the screen. */
export interface PlacedEvent {
  readonly event: EventMark;
  readonly x: number;
}

/** Between the results around it; in time, at its own moment if that is between theirs. */
export function eventPosition(model: TimelineModel, axis: Axis, event: EventMark): number {
  const halfWay = axis.positionOf(event.position - 0.5);
  if (axis.name === "order" || event.position === 0 || event.position >= model.length) return halfWay;
  const position = event.seconds - model.times.at(0);
  return position > axis.at(event.position - 1) && position < axis.at(event.position) ? position : halfWay;
}

/** The events in the view, in order. */
export function visibleEvents({ model, axis, scale, layout, first, end }: Scene): PlacedEvent[] {
  const { x: left, width } = layout.plot;
  const { events } = model;
  const positionAt = (index: number) => events[index]?.position ?? 0;
  const from = lowerBound(positionAt, first, 0, events.length);
  const placed: PlacedEvent[] = [];
  for (const event of events.slice(from, lowerBound(positionAt, end + 2, from, events.length))) {
    const x = toX(scale, eventPosition(model, axis, event));
    if (x >= left && x <= left + width) placed.push({ event, x });
  }
  return placed;
}

/** The partitions in the view. Each starts at the event that started it, so that its band and the dashed line agree. */
export function visibleBands({ model, axis, scale, layout, first, end }: Scene): Band[] {
  const left = layout.plot.x;
  const right = left + layout.plot.width;
  const startX = (partition: number) => {
    if (partition <= 0) return left;
    if (partition >= model.partitions) return right;
    const event = model.boundaries.get(partition);
    const halfWay = () => axis.positionOf(model.partitionStart(partition) - 0.5);
    return toX(scale, event === undefined ? halfWay() : eventPosition(model, axis, event));
  };
  // One row outside the view on either side, so that a partition that only starts or ends in it is not missed.
  const last = end >= model.length ? model.partitions - 1 : model.partitionOf(end);
  const bands: Band[] = [];
  for (let partition = model.partitionOf(Math.max(0, first - 1)); partition <= last; partition++) {
    const band = {
      partition,
      left: Math.max(left, startX(partition)),
      right: Math.min(right, startX(partition + 1)),
    };
    if (band.right > band.left) bands.push(band);
  }
  return bands;
}
