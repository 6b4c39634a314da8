import type { Mark } from "../../src/inspect/logData.js";
import { OUTCOMES, type Outcome } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { counted, fill, type Piece, pieces, plain, short, strings } from "./text.js";

/** What a result looks like: one glyph and one colour each. */
export type OutcomeGroup = "hit" | "miss" | "forgone" | "native" | "realised" | "bypass";
export type Glyph = OutcomeGroup | Mark["kind"];

export function outcomeGroup(outcome: Outcome): OutcomeGroup {
  if (outcome === "hit" || outcome === "nearHit") return "hit";
  if (outcome === "bypass:native") return "native";
  if (outcome === "bypass:realised") return "realised";
  if (outcome.startsWith("bypass:")) return "bypass";
  return outcome === "miss:new" ? "miss" : "forgone";
}

export function outcomeOfRow(context: LiveContext, row: number): Outcome {
  return OUTCOMES[context.rows.get(row, "outcome")] ?? "hit";
}

/** The outcome in one or two words. */
export function outcomeTitle(outcome: Outcome): string {
  const { hit, nearHit, miss, native, realised, bypass } = strings.outcomes;
  if (outcome === "hit") return hit;
  if (outcome === "nearHit") return nearHit;
  if (outcome.startsWith("miss:")) return miss;
  return outcome === "bypass:native" ? native : outcome === "bypass:realised" ? realised : bypass;
}

/** The outcome and its reason in a few words, as the list shows it, with the other call as a link. */
export function outcomePieces(context: LiveContext, row: number, capacity: number): Piece[] {
  const why = reasonPieces(context, row, capacity);
  const earlier = context.rows.get(row, "earlier") - 1;
  return earlier < 0 ? why : pieces(strings.lines.was, { call: { call: earlier }, why });
}

function reasonPieces(context: LiveContext, row: number, capacity: number): Piece[] {
  const outcome = outcomeOfRow(context, row);
  const ref = context.rows.get(row, "ref") - 1;
  const cause = context.rows.get(row, "cause") - 1;
  const { lines } = strings;
  if (outcome === "hit" && cause >= 0) return pieces(lines.reasked, { call: { call: cause } });
  if (outcome === "hit" && ref >= 0) return pieces(lines.hit, { call: { call: ref } });
  if (outcome === "nearHit" && ref >= 0) return pieces(lines.nearHit, { call: { call: ref } });
  if (outcome === "bypass:native" && ref >= 0) return pieces(lines.native, { call: { call: ref } });
  if (outcome === "bypass:realised" && ref >= 0) return pieces(lines.realised, { call: { call: ref } });
  if (outcome === "miss:invalidated" && cause >= 0) return pieces(lines.invalidated, { call: { call: cause } });
  if (outcome === "miss:evicted") return [fill(lines.evicted, { capacity })];
  return [outcomeLine(outcome)];
}

/** The same without the other call: what a search looks into. */
export function outcomeLine(outcome: Outcome): string {
  const { lines, outcomes } = strings;
  if (outcome === "hit") return outcomes.hit;
  if (outcome === "nearHit") return outcomes.nearHit;
  if (outcome === "bypass:native") return lines.nativeAlone;
  if (outcome === "bypass:realised") return lines.realisedAlone;
  if (outcome === "miss:invalidated") return lines.invalidatedAlone;
  if (outcome === "miss:evicted") return strings.forgone.evicted;
  const reason = outcome.slice(outcome.indexOf(":") + 1) as "new" | "compacted" | "cleared" | "rewound" | "shrunk";
  return (lines as Readonly<Record<string, string>>)[reason] ?? reason;
}

/** What a mark says in the list. */
export function markPieces(mark: Mark): Piece[] {
  const { lines } = strings;
  if (mark.kind === "invalidate") {
    const dropped = mark.dropped[0] ?? -1;
    return dropped >= 0 ? pieces(lines.invalidate, { call: { call: dropped } }) : [lines.invalidateAlone];
  }
  if (mark.kind === "boundary") {
    const kept = counted(lines.kept, mark.kept?.length ?? 0);
    return [fill(lines.boundary, { number: mark.partition - 1, kept })];
  }
  return [`${lines[mark.kind]} · ${counted(lines.dropped, mark.dropped.length)}`];
}

/** What a mark that is no invalidation is about: how the context was made shorter. */
export function markSubject(mark: Mark): string {
  const { lines, outcomes } = strings;
  if (mark.kind !== "boundary") return outcomes[mark.kind];
  const sizes =
    mark.preTokens === undefined || mark.postTokens === undefined
      ? ""
      : ` · ${fill(lines.tokensFromTo, { before: short(mark.preTokens), after: short(mark.postTokens) })}`;
  return `${triggerText(mark)}${sizes}`;
}

export function triggerText({ trigger }: Mark): string {
  const { auto, manual, compaction } = strings.lines;
  return trigger === "auto" ? auto : trigger === "manual" ? manual : compaction;
}

export function markTexts(mark: Mark): string {
  return `${markSubject(mark)} ${plain(markPieces(mark))}`;
}
