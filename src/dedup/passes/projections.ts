/** What the passes would do to a context, and what that would cost. Never added to what hints save. */
import type { LiveRequest, Message } from "../../log/conversation/message.js";
import { applyAll } from "./applyAll.js";
import { collapseRepeatedCalls } from "./collapseRepeatedCalls.js";
import { dedupToolOutputs } from "./dedupToolOutputs.js";
import type { PassResult, PassStats } from "./pass.js";
import { type CacheState, cacheStateOf, type PassRates, priceOf, type RewritePrice, type Rewriting } from "./price.js";
import { pruneLowEntropy } from "./pruneLowEntropy.js";
import { pruneThinking } from "./pruneThinking.js";
import { repairOrphans } from "./repairOrphans.js";
import { bytesIn, charsIn, placeOf, type TokenPlace, tokensAt, unsizedIn } from "./sizes.js";
import { snippet } from "./snippet.js";
import { streamingTrim } from "./streamingTrim.js";

/** As in codetether's first version, or in the current one. */
type KeepLast = 0 | 8;

interface Pass {
  readonly pass: string;
  /** For passes that offer it: how many of the newest messages stay unchanged. */
  readonly keepLast?: KeepLast;
  readonly run: (messages: readonly Message[]) => PassResult;
}

const PASSES = [
  { pass: "applyAll", keepLast: 0, run: messages => applyAll(messages) },
  { pass: "applyAll", keepLast: 8, run: messages => applyAll(messages, { keepLast: 8 }) },
  { pass: "dedupToolOutputs", keepLast: 0, run: messages => dedupToolOutputs(messages) },
  { pass: "dedupToolOutputs", keepLast: 8, run: messages => dedupToolOutputs(messages, { keepLast: 8 }) },
  { pass: "pruneThinking", run: pruneThinking },
  { pass: "pruneLowEntropy", run: pruneLowEntropy },
  { pass: "repairOrphans", run: repairOrphans },
  { pass: "snippet", run: snippet },
  { pass: "streamingTrim", run: streamingTrim },
  { pass: "collapseRepeatedCalls", run: collapseRepeatedCalls },
] as const satisfies readonly Pass[];

export type PassName = (typeof PASSES)[number]["pass"];

/** One pass, applied once to the whole list. */
export interface PassProjection extends Rewriting, RewritePrice {
  readonly pass: PassName;
  readonly keepLast: KeepLast | null;
  /** As codetether would count them. */
  readonly stats: PassStats;
  /** All text before and after, in UTF-8 bytes, including what codetether's own counts omit. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** The same before characters are converted to tokens: plain data for when the rates are known. */
export interface MeasuredPasses {
  readonly passes: readonly MeasuredPass[];
  readonly cache: CacheState;
}

interface MeasuredPass
  extends Pick<PassProjection, "pass" | "keepLast" | "stats" | "bytesBefore" | "bytesAfter">,
    Omit<Rewriting, "savedTokens"> {
  readonly savedChars: number;
  /** The place of the first change; null if there is none, or if no request reports the length of its prompt. */
  readonly before: TokenPlace | null;
}

export function projectPasses(
  messages: readonly Message[],
  requests: readonly LiveRequest[],
  rates: PassRates,
): PassProjection[] {
  return pricedPasses(measurePasses(messages, requests), rates);
}

export function measurePasses(messages: readonly Message[], requests: readonly LiveRequest[]): MeasuredPasses {
  const bytesBefore = bytesIn(messages);
  const charsBefore = charsIn(messages);
  const unsizedBefore = unsizedIn(messages);
  const passes = PASSES.map((entry): MeasuredPass => {
    const { messages: after, stats } = entry.run(messages);
    const firstChanged = firstDifference(messages, after);
    return {
      pass: entry.pass,
      keepLast: "keepLast" in entry ? entry.keepLast : null,
      stats,
      bytesBefore,
      bytesAfter: bytesIn(after),
      firstChanged,
      savesMore: unsizedIn(after) < unsizedBefore,
      savedChars: charsBefore - charsIn(after),
      before: (firstChanged === null ? undefined : placeOf(firstChanged, messages, requests)) ?? null,
    };
  });
  return { passes, cache: cacheStateOf(requests) };
}

export function pricedPasses({ passes, cache }: MeasuredPasses, rates: PassRates): PassProjection[] {
  const { charsPerToken, readShare } = rates;
  return passes.map(({ savedChars, before, ...measured }) => {
    const rewriting: Rewriting = { ...measured, savedTokens: savedChars / charsPerToken };
    return {
      ...measured,
      savedTokens: Math.round(rewriting.savedTokens),
      ...priceOf(rewriting, before && tokensAt(before, charsPerToken), cache, readShare),
    };
  });
}

/** Unchanged messages are the same objects. */
function firstDifference(before: readonly Message[], after: readonly Message[]): number | null {
  const length = Math.max(before.length, after.length);
  for (let index = 0; index < length; index++) if (before[index] !== after[index]) return index;
  return null;
}
