import { kindAt, type OutcomeKind } from "../../../src/inspect/outcomes.js";
import type { ResultRows } from "../../../src/inspect/rows.js";
import { FAMILIES } from "./families.js";

/** What the timeline distinguishes: the kinds of outcomes, and edits. */
export type Kind = OutcomeKind | "edit";

/** In the order in which they are painted: what people look for is on top. Each has its own shape and color. */
export const KIND = {
  bypass: 0,
  error: 1,
  miss: 2,
  forgone: 3,
  edit: 4,
  native: 5,
  realised: 6,
  partial: 7,
  nearHit: 8,
  hit: 9,
} as const satisfies Record<Kind, number>;

export const KINDS = Object.keys(KIND) as Kind[];

const EDIT_FAMILY = FAMILIES.indexOf("edit");

/** What an edit returns only matters if it was saved or failed; that it happened always does. */
export function kindCode(rows: ResultRows, row: number, family: number): number {
  const kind = kindAt(rows, row);
  const ordinary = kind === "miss" || kind === "bypass" || kind === "forgone";
  return KIND[family === EDIT_FAMILY && ordinary ? "edit" : kind];
}

/** Whether hints would save something under the current strategy. */
export function wouldSave(kind: number): boolean {
  return kind >= KIND.partial;
}
