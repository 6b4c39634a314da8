/** What the passes would do to a context, and what that would cost. Never added to what hints save. */
import type { LiveRequest, Message } from "../../log/conversation/message.js";
import { applyAll } from "./applyAll.js";
import { collapseRepeatedCalls } from "./collapseRepeatedCalls.js";
import { dedupToolOutputs, type KeepLast } from "./dedupToolOutputs.js";
import type { PassResult, PassStats } from "./pass.js";
import { type PassRates, priceOf, type RewritePrice, type Rewriting } from "./price.js";
import { pruneLowEntropy } from "./pruneLowEntropy.js";
import { pruneThinking } from "./pruneThinking.js";
import { repairOrphans } from "./repairOrphans.js";
import { bytesIn, charsIn, unsizedIn } from "./sizes.js";
import { snippet } from "./snippet.js";
import { streamingTrim } from "./streamingTrim.js";

interface Pass {
  readonly pass: string;
  /** For passes with a choice: how many of the newest messages stay unchanged. */
  readonly keepLast?: KeepLast;
  readonly run: (messages: readonly Message[]) => PassResult;
}

const PASSES = [
  { pass: "applyAll", keepLast: 0, run: messages => applyAll(messages, 0) },
  { pass: "applyAll", keepLast: 8, run: messages => applyAll(messages, 8) },
  { pass: "dedupToolOutputs", keepLast: 0, run: messages => dedupToolOutputs(messages, 0) },
  { pass: "dedupToolOutputs", keepLast: 8, run: messages => dedupToolOutputs(messages, 8) },
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
  /** All text before and after, in UTF-8 bytes, including what codetether's own counts leave out. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export function projectPasses(
  messages: readonly Message[],
  requests: readonly LiveRequest[],
  rates: PassRates,
): PassProjection[] {
  const bytesBefore = bytesIn(messages);
  const charsBefore = charsIn(messages);
  const unsizedBefore = unsizedIn(messages);
  return PASSES.map(entry => {
    const { messages: after, stats } = entry.run(messages);
    const rewriting: Rewriting = {
      firstChanged: firstDifference(messages, after),
      savedTokens: (charsBefore - charsIn(after)) / rates.charsPerToken,
      savesMore: unsizedIn(after) < unsizedBefore,
    };
    return {
      pass: entry.pass,
      keepLast: "keepLast" in entry ? entry.keepLast : null,
      stats,
      bytesBefore,
      bytesAfter: bytesIn(after),
      ...rewriting,
      savedTokens: Math.round(rewriting.savedTokens),
      ...priceOf(rewriting, messages, requests, rates),
    };
  });
}

/** Unchanged messages are the same objects. */
function firstDifference(before: readonly Message[], after: readonly Message[]): number | null {
  const length = Math.max(before.length, after.length);
  for (let index = 0; index < length; index++) if (before[index] !== after[index]) return index;
  return null;
}
