import type { TimelineModel } from "../model/timelineModel.js";

/** A link between two results, drawn for the one that is selected or hovered. */
export interface Link {
  /** The selected or hovered result; the arrow is at `to`. */
  readonly from: number;
  readonly to: number;
  /**
   * reference: the result points at the text it repeats. use: a later result points here.
   * cause: why a miss found nothing. invalidation: which call made which entry stale.
   */
  readonly kind: "reference" | "use" | "cause" | "invalidation";
}

const MAX_LINKS = 40;

/** All links of one result. */
export function linksOf(model: TimelineModel, row: number): Link[] {
  if (row < 0 || row >= model.length) return [];
  const links: Link[] = [];
  for (const reference of model.references(row).slice(0, MAX_LINKS)) {
    if (isOther(model, row, reference)) links.push({ from: row, to: reference, kind: "reference" });
  }
  const cause = model.cause(row);
  if (isOther(model, row, cause)) links.push({ from: row, to: cause, kind: "cause" });
  const invalidatedBy = model.invalidations.causeOf(row);
  if (isOther(model, row, invalidatedBy)) links.push({ from: row, to: invalidatedBy, kind: "invalidation" });
  const [first, end] = model.invalidations.causedBetween(row, row + 1);
  for (let index = first; index < end && links.length < MAX_LINKS; index++) {
    const dropped = model.invalidations.dropped(index);
    if (isOther(model, row, dropped)) links.push({ from: dropped, to: row, kind: "invalidation" });
  }
  for (const use of model.uses.of(row, MAX_LINKS - links.length)) links.push({ from: use, to: row, kind: "use" });
  return links;
}

/** A tool may invalidate its own result: that is a cross on the mark, not a link. */
function isOther(model: TimelineModel, row: number, other: number): boolean {
  return other >= 0 && other < model.length && other !== row;
}

/** Where "Go to Reference" leads: what a hit repeats, or why a miss found nothing. */
export function referenceOf(model: TimelineModel, row: number): number | null {
  const reference = model.reference(row);
  if (isOther(model, row, reference)) return reference;
  const cause = model.cause(row);
  return isOther(model, row, cause) ? cause : null;
}
