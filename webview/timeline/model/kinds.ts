import { OUTCOMES } from "../../../src/inspect/outcomes.js";
import { FAMILIES } from "./families.js";

/**
 * What a mark can be, in the order in which marks are painted: what people look for lies on top. Each has its own
 * shape and colour.
 */
export const KINDS = [
  "bypass",
  "error",
  "miss",
  /** A miss whose body had been there before. */
  "forgone",
  "edit",
  "native",
  "realised",
  "nearHit",
  "hit",
] as const;

export type Kind = (typeof KINDS)[number];

const EDIT_FAMILY = FAMILIES.indexOf("edit");

const KIND_OF_OUTCOME: readonly Kind[] = OUTCOMES.map(outcome => {
  if (outcome === "hit" || outcome === "nearHit") return outcome;
  if (outcome === "miss:new") return "miss";
  if (outcome.startsWith("miss:")) return "forgone";
  if (outcome === "bypass:native") return "native";
  if (outcome === "bypass:realised") return "realised";
  return outcome === "bypass:error" ? "error" : "bypass";
});

export const KIND: Readonly<Record<Kind, number>> = Object.fromEntries(
  KINDS.map((kind, code) => [kind, code]),
) as Record<Kind, number>;

/** What an edit returns is of no interest unless it was saved or failed: that it happened is. */
export function kindCode(outcomeCode: number, family: number): number {
  const kind = KIND_OF_OUTCOME[outcomeCode] ?? "bypass";
  const ordinary = kind === "miss" || kind === "bypass" || kind === "forgone";
  return KIND[family === EDIT_FAMILY && ordinary ? "edit" : kind];
}

/** Outcomes that stand for a saving which the panel counts as "saved by hints". */
export function isHit(kind: number): boolean {
  return kind === KIND.hit || kind === KIND.nearHit;
}
