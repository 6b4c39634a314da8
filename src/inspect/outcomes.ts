import { BYPASS_REASONS, MISS_REASONS, type ResultEvent } from "../dedup/events.js";

/** Everything that can become of a result, in one list: a row stores the index. */
export const OUTCOMES = [
  "hit",
  "nearHit",
  ...MISS_REASONS.map(why => `miss:${why}` as const),
  ...BYPASS_REASONS.map(reason => `bypass:${reason}` as const),
] as const;

export type Outcome = (typeof OUTCOMES)[number];

const CODES = new Map<string, number>(OUTCOMES.map((outcome, code) => [outcome, code]));

export function outcomeOf(event: ResultEvent): Outcome {
  if (event.kind === "miss") return `miss:${event.why}`;
  return event.kind === "bypass" ? `bypass:${event.reason}` : event.kind;
}

export function outcomeCode(outcome: Outcome): number {
  return CODES.get(outcome) ?? 0;
}
