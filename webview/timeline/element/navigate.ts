import { referenceOf } from "../layout/resultLinks.js";
import type { Axis } from "../model/axis.js";
import { wouldSave } from "../model/paintedKinds.js";
import type { TimelineModel } from "../model/timelineModel.js";
import type { Action } from "./gestures.js";

export interface Ground {
  readonly model: TimelineModel;
  readonly axis: Axis;
  /** Results that the filter dims are skipped. */
  readonly passes: (row: number) => boolean;
  /** The rows in view, [first, end): where to start when nothing is selected. */
  readonly first: number;
  readonly end: number;
}

/** The row that a key moves to, or null if there is none. */
export function destination(ground: Ground, row: number | null, action: Action): number | null {
  const { model, passes } = ground;
  if (action.do === "end")
    return action.by < 0 ? search(ground, -1, 1, passes) : search(ground, model.length, -1, passes);
  if (action.do === "hit") {
    const start = row ?? (action.by > 0 ? ground.first - 1 : ground.end);
    return search(ground, start, action.by, candidate => passes(candidate) && wouldSave(model.kind(candidate)));
  }
  if (action.do === "step" || action.do === "lane" || action.do === "partition") {
    if (row === null) return entry(ground, action.by);
    if (action.do === "step") return search(ground, row, action.by, passes);
    return action.do === "lane" ? inNextLane(ground, row, action.by) : inNextPartition(ground, row, action.by);
  }
  return action.do === "reference" && row !== null ? referenceOf(model, row) : null;
}

/** The first key press selects something in view: the first result going forward, the last going back. */
function entry(ground: Ground, by: 1 | -1): number | null {
  return by > 0 ? search(ground, ground.first - 1, 1, ground.passes) : search(ground, ground.end, -1, ground.passes);
}

function search({ model }: Ground, from: number, by: 1 | -1, wanted: (row: number) => boolean): number | null {
  for (let row = from + by; row >= 0 && row < model.length; row += by) if (wanted(row)) return row;
  return null;
}

/** The nearest result of the next lane that has any, above or below. */
function inNextLane(ground: Ground, row: number, by: 1 | -1): number | null {
  const { model, axis, passes } = ground;
  const { lanes } = model;
  for (let lane = lanes.indexOf(model.family(row)) + by; lane >= 0 && lane < lanes.length; lane += by) {
    const inLane = (candidate: number) => model.family(candidate) === lanes[lane] && passes(candidate);
    const before = search(ground, row, -1, inLane);
    const after = search(ground, row, 1, inLane);
    if (before === null && after === null) continue;
    if (before === null || after === null) return before ?? after;
    return axis.at(row) - axis.at(before) <= axis.at(after) - axis.at(row) ? before : after;
  }
  return null;
}

/** Forward: the first result of the next partition. Back: the first of this one, then of the one before. */
function inNextPartition(ground: Ground, row: number, by: 1 | -1): number | null {
  const { model, passes } = ground;
  const present = model.partitionOf(row);
  for (
    let partition = by > 0 ? present + 1 : present;
    partition >= 0 && partition < model.partitions;
    partition += by
  ) {
    const start = model.partitionStart(partition);
    const first = search(ground, start - 1, 1, passes);
    if (first !== null && first < model.partitionEnd(partition) && (by > 0 || first < row)) return first;
  }
  return null;
}
