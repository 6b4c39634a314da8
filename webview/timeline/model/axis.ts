import type { AxisName } from "../types.js";
import { lowerBound } from "./arrays.js";
import type { TimelineModel } from "./timelineModel.js";

/**
 * Where results lie along the picture. Positions are rows (order) or seconds since the first result (time); both grow
 * strictly with the row, so a range of positions is a range of rows.
 */
export interface Axis {
  readonly name: AxisName;
  at(row: number): number;
  /** The fractional row at a position; the inverse of `positionOf`. */
  rowAt(position: number): number;
  /** Position of a fractional row. */
  positionOf(row: number): number;
  /** The whole extent. In order, a row extends half a row to either side; in time, it starts at its second. */
  readonly start: number;
  readonly end: number;
  /** The closest useful zoom. */
  readonly minSpan: number;
}

/** Without any timestamps there is no time to show, and the order is used instead. */
export function axisOf(model: TimelineModel, wanted: AxisName): Axis {
  return wanted === "time" && model.times.known ? timeAxis(model) : orderAxis(model);
}

function orderAxis(model: TimelineModel): Axis {
  const same = (value: number) => value;
  return {
    name: "order",
    at: same,
    rowAt: same,
    positionOf: same,
    start: -0.5,
    end: Math.max(1, model.length) - 0.5,
    minSpan: 6,
  };
}

function timeAxis(model: TimelineModel): Axis {
  const { times, length } = model;
  const origin = times.at(0);
  const at = (row: number) => times.at(row) - origin;
  const last = Math.max(0, length - 1);
  const positionOf = (row: number) => {
    if (row <= 0) return at(0) + row;
    if (row >= last) return at(last) + (row - last);
    const before = Math.floor(row);
    return at(before) + (at(before + 1) - at(before)) * (row - before);
  };
  const rowAt = (position: number) => {
    if (position <= 0) return position;
    if (position >= at(last)) return last + (position - at(last));
    const after = lowerBound(at, position, 1, last);
    const before = after - 1;
    return before + (position - at(before)) / (at(after) - at(before));
  };
  return { name: "time", at, rowAt, positionOf, start: 0, end: at(last) + 1, minSpan: 4 };
}

/** The rows that lie in [from, to) of positions, as [first, end). */
export function rowsBetween(axis: Axis, length: number, from: number, to: number): [number, number] {
  const first = lowerBound(axis.at, from, 0, length);
  return [first, lowerBound(axis.at, to, first, length)];
}
