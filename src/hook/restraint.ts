/** When a hint may be given, and when the model gets the text in full although it has it. */
import type { HeldResult } from "../dedup/replay.js";
import { compileInvalidation, type InvalidationMap } from "../dedup/settings.js";
import { looksLikeHint } from "../dedup/span/hints.js";
import type { LiveContext } from "./context.js";
import type { HookEvent } from "./event.js";
import { forbids, type JournalEntry } from "./journal.js";

/** A hint must be at most half of what it stands for. */
const BREAK_EVEN = 2;

export function isWorthIt(hint: string, body: string): boolean {
  return hint.length * BREAK_EVEN <= body.length;
}

/** A text with a line of ours in it is left alone: it could not be told from what we write. */
export function mentionsHints(body: string): boolean {
  return body.includes("> [") && body.split("\n").some(line => looksLikeHint(line.replace(/^ *\d+[\t→]/, "")));
}

/** Tells of each result whether a hint to it may answer this call; before the log tells of the call, as far as is known. */
export function restraint(
  context: LiveContext,
  { call, tool }: Pick<HookEvent, "call" | "tool">,
  journal: readonly JournalEntry[],
  invalidates: InvalidationMap,
): (held: HeldResult) => boolean {
  const staleAfter = compileInvalidation(invalidates);
  const { boundaryOffset } = context;
  return held =>
    context.mayRefer(held, call, tool) &&
    !context.isAskedAgain(held) &&
    !journal.some(entry => forbids(entry, held, boundaryOffset, staleAfter));
}
