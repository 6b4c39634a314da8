/** When a hint may be given, and when the model gets the full text although it has it. */
import type { HeldResult } from "../dedup/replay.js";
import { looksLikeHint } from "../dedup/runs/hints.js";
import { compileInvalidation, type DedupSettings } from "../dedup/settings.js";
import type { LiveContext } from "./context.js";
import type { HookEvent } from "./event.js";
import { forbids, type JournalEntry } from "./journal.js";

/** A text that contains such a line is not replaced: the line could be mistaken for a hint of ours. */
export function mentionsHints(body: string): boolean {
  return body.includes("> [") && body.split("\n").some(line => looksLikeHint(line.replace(/^ *\d+[\t→]/, "")));
}

/** Whether a hint to a result may answer this call; as far as is known, if the log does not have the call yet. */
export function restraint(
  context: LiveContext,
  { call, tool }: Pick<HookEvent, "call" | "tool">,
  journal: readonly JournalEntry[],
  invalidates: DedupSettings["invalidates"],
): (held: HeldResult) => boolean {
  const staleAfter = compileInvalidation(invalidates);
  const { boundaryOffset } = context;
  return held =>
    context.mayRefer(held, call, tool) &&
    !context.isAskedAgain(held) &&
    !journal.some(entry => forbids(entry, held, boundaryOffset, staleAfter));
}
