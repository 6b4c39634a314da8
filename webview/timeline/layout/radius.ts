import { KIND } from "../model/kinds.js";
import type { TimelineModel } from "../model/timelineModel.js";

const SMALLEST = 2.4;
const LARGEST = 9;
const DOT = 1.3;
const EDIT = 3.6;
const ERROR = 2.4;

/** A mark's area tells its tokens: 50 → 2.5 px, 2,000 → 5 px, 10,000 → 8.5 px. What took no part is a dot. */
export function radiusOf(model: TimelineModel, row: number, laneHeight: number, shrink: number): number {
  const kind = model.kind(row);
  if (kind === KIND.bypass) return DOT;
  if (kind === KIND.error) return ERROR;
  const room = laneHeight * 0.46;
  if (kind === KIND.edit) return Math.min(EDIT * Math.sqrt(shrink), room);
  const wanted = shrink * (2 + 0.065 * Math.sqrt(model.tokens(row)));
  return Math.min(Math.max(SMALLEST, wanted), LARGEST, room);
}

/** Marks get smaller, down to six tenths, as they get closer to each other. */
export function shrinkOf(marksPerPx: number): number {
  return Math.min(1, Math.max(0.6, 1.15 - 0.4 * marksPerPx));
}
