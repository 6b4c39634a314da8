import { BYPASS_REASONS, MARK_MEMBERS, type MarkEvent, MISS_REASONS, type ResultEvent } from "../dedup/events.js";
import type { ResultRows } from "./rows.js";

/** Everything that can happen to a result, in one list: a row stores the index. */
export const OUTCOMES = [
  "hit",
  "nearHit",
  ...MISS_REASONS.map(why => `miss:${why}` as const),
  ...BYPASS_REASONS.map(reason => `bypass:${reason}` as const),
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/**
 * What figures, filters, icons and the timeline distinguish. They all use the kind and never the outcome itself, so a
 * new outcome needs its kind here and its words in words/outcomeStrings.ts. A miss with some lines that become hints is
 * "partial", whatever its outcome.
 */
export type OutcomeKind =
  | "hit"
  | "nearHit"
  | "partial"
  | "miss"
  | "forgone"
  | "native"
  | "realised"
  | "error"
  | "bypass";

const KINDS: Readonly<Record<Outcome, OutcomeKind>> = {
  hit: "hit",
  nearHit: "nearHit",
  "miss:new": "miss",
  "miss:evicted": "forgone",
  "miss:invalidated": "forgone",
  "miss:compacted": "forgone",
  "miss:cleared": "forgone",
  "miss:rewound": "forgone",
  "miss:shrunk": "forgone",
  "miss:parallel": "forgone",
  "miss:afterEdit": "forgone",
  "miss:fixed": "forgone",
  "miss:stopped": "forgone",
  "bypass:small": "bypass",
  "bypass:mutation": "bypass",
  "bypass:error": "error",
  "bypass:nonText": "bypass",
  "bypass:native": "native",
  "bypass:realised": "realised",
};

/** By the code in a row: there are millions of rows. */
export const KIND_OF_CODE: readonly OutcomeKind[] = OUTCOMES.map(outcome => KINDS[outcome]);

const CODES = new Map<string, number>(OUTCOMES.map((outcome, code) => [outcome, code]));

export function outcomeOf(event: ResultEvent): Outcome {
  if (event.kind === "miss") return `miss:${event.why}`;
  return event.kind === "bypass" ? `bypass:${event.reason}` : event.kind;
}

export function outcomeCode(outcome: Outcome): number {
  return CODES.get(outcome) ?? 0;
}

export function outcomeAt(rows: Pick<ResultRows, "get">, row: number): Outcome {
  return OUTCOMES[rows.get(row, "outcome")] ?? "hit";
}

export function kindAt(rows: Pick<ResultRows, "get">, row: number): OutcomeKind {
  if (rows.get(row, "runs") > 0) return "partial";
  return KIND_OF_CODE[rows.get(row, "outcome")] ?? "hit";
}

/** Whether hints would save something here with the current strategy. */
export function wouldSave(kind: OutcomeKind): boolean {
  return kind === "hit" || kind === "nearHit" || kind === "partial";
}

/** Characters asked for again right after a live hint: the hint's saving is lost. */
export function lostChars(rows: Pick<ResultRows, "get">, row: number): number {
  return rows.get(row, "cause") > 0 && kindAt(rows, row) === "hit" ? rows.get(row, "chars") : 0;
}

/** What can happen between results: see Mark in logData.ts. */
export type MarkKind = MarkEvent["kind"];

/** Whether results may leave the cache. */
export function canDrop(kind: MarkKind): boolean {
  return "dropped" in MARK_MEMBERS[kind];
}
