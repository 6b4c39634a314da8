import type { Message } from "../../log/conversation/message.js";
import { dedupToolOutputs, type OutputOptions } from "./dedupToolOutputs.js";
import { mergeStats, NO_STATS, type PassResult } from "./pass.js";
import { pruneLowEntropy } from "./pruneLowEntropy.js";
import { pruneThinking } from "./pruneThinking.js";
import { repairOrphans } from "./repairOrphans.js";

/** The four passes that codetether applies at every step, in its order; it does not use the other three. */
export function applyAll(messages: readonly Message[], options: OutputOptions = {}): PassResult {
  const passes = [
    pruneThinking,
    (list: readonly Message[]) => dedupToolOutputs(list, options),
    pruneLowEntropy,
    repairOrphans,
  ];
  return passes.reduce<PassResult>(
    (before, pass) => {
      const after = pass(before.messages);
      return { messages: after.messages, stats: mergeStats(before.stats, after.stats) };
    },
    { messages, stats: NO_STATS },
  );
}
