/** The passes that rewrite the history, in words. */
import type { PassProjection } from "../../src/dedup/passes/projections.js";
import { passName } from "../../src/words/strategyNames.js";
import { bytesText, counted, fill, grouped, percent, short, strings } from "./pageText.js";

const text = strings.whatIf;

export interface PassText {
  readonly name: string;
  readonly frees: string;
  readonly ofBytes: string;
  /** By the pass's own count: repeats that were replaced, everything else that was changed, and bytes. */
  readonly replaced: string;
  readonly changed: string;
  readonly counted: string;
  readonly rewritten: string;
  readonly paysOff: string;
  /** Everything but name and what it frees, on two lines. */
  readonly brief: string;
  readonly own: string;
}

/** Those that free enough to be worth a row, largest first. */
export function passTexts(passes: readonly PassProjection[]): PassText[] {
  return passes
    .filter(pass => !isSlight(pass))
    .sort((one, other) => other.savedTokens - one.savedTokens)
    .map(passText);
}

/** One sentence about those that free nothing or nearly nothing; "" if all are worth a row. */
export function slightPasses(passes: readonly PassProjection[]): string {
  const names = passes.filter(isSlight).map(passName);
  return names.length === 0
    ? ""
    : fill(text.slightPasses, { share: percent(MIN_FREED_SHARE, 1), names: names.join("; ") });
}

const MIN_FREED_SHARE = 0.01;

/** If the log does not have the size, it may be large. */
function isSlight(pass: PassProjection): boolean {
  return !pass.savesMore && freedShare(pass) < MIN_FREED_SHARE;
}

function freedShare({ bytesBefore, bytesAfter }: PassProjection): number {
  return bytesBefore === 0 ? 0 : (bytesBefore - bytesAfter) / bytesBefore;
}

function passText(projection: PassProjection): PassText {
  const { rewrittenTokens, breakEvenRequests, unpriced, stats } = projection;
  const why = unpriced === null ? strings.app.unknown : text.unpricedWhy[unpriced];
  const texts = {
    name: passName(projection),
    frees: freedText(projection),
    ofBytes: percent(Math.max(0, freedShare(projection)), 1),
    replaced: stats.dedupHits === 0 ? "–" : grouped(stats.dedupHits),
    changed: stats.snippetHits === 0 ? "–" : grouped(stats.snippetHits),
    counted: stats.totalBytesSaved === 0 ? "–" : bytesText(stats.totalBytesSaved),
    rewritten: rewrittenTokens === null ? strings.app.unknown : short(rewrittenTokens),
    paysOff:
      breakEvenRequests === null
        ? why
        : breakEvenRequests === 0
          ? text.atOnce
          : counted(strings.counts.requests, breakEvenRequests),
  };
  return { ...texts, brief: fill(text.passBrief, texts), own: ownCount(projection) };
}

function ownCount({ stats }: PassProjection): string {
  const counts = [
    stats.dedupHits > 0 && counted(strings.counts.repeatsReplaced, stats.dedupHits),
    stats.snippetHits > 0 && counted(strings.counts.otherChanges, stats.snippetHits),
    bytesText(stats.totalBytesSaved),
  ];
  return fill(text.passOwn, { counts: counts.filter(Boolean).join(", ") });
}

function freedText({ savedTokens, savesMore }: PassProjection): string {
  if (savedTokens < 0) return fill(text.adds, { tokens: short(-savedTokens) });
  if (!savesMore) return short(savedTokens);
  return savedTokens === 0 ? strings.app.unknown : fill(text.orMore, { tokens: short(savedTokens) });
}
