import { KIND_OF_CODE, type OutcomeKind } from "../../../src/inspect/outcomes.js";
import { FAMILIES } from "./families.js";

/** What is told apart in the timeline: the kinds of outcomes, and edits. */
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
  nearHit: 7,
  hit: 8,
} as const satisfies Record<Kind, number>;

export const KINDS = Object.keys(KIND) as Kind[];

const EDIT_FAMILY = FAMILIES.indexOf("edit");

/** What an edit returns is of no interest unless it was saved or failed: that it happened is. */
export function kindCode(outcomeCode: number, family: number): number {
  const kind = KIND_OF_CODE[outcomeCode] ?? "bypass";
  const ordinary = kind === "miss" || kind === "bypass" || kind === "forgone";
  return KIND[family === EDIT_FAMILY && ordinary ? "edit" : kind];
}

/** What the panel counts as saved by hints. */
export function isHit(kind: number): boolean {
  return kind === KIND.hit || kind === KIND.nearHit;
}
