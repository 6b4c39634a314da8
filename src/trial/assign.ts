/**
 * Which sessions of a trial get hints. The hook program, the mod and the report all use this, and only the key and the
 * session's id matter, so that no state is needed.
 */
import { hash64 } from "../log/lineIndex.js";
import type { Trial } from "../settings/liveSettings.js";

/** "control": the sessions without hints. */
export const GROUPS = ["hints", "control"] as const;
export type Group = (typeof GROUPS)[number];

export function groupOf(session: string, { key }: Pick<Trial, "key">): Group {
  // Session names are chosen without knowing the key; it is on both sides so that no part of an id can cancel it out.
  const [high, low] = hash64(`${key} ${session} ${key}`);
  return GROUPS[parityOf(high ^ low)] ?? "control";
}

/** Whether a session currently gets no hints. That includes sessions without a known id while a trial is running. */
export function isControl(session: string | undefined, trial: Trial | undefined): boolean {
  if (trial === undefined || trial.until !== undefined) return false;
  return session === undefined || session === "" || groupOf(session, trial) === "control";
}

/** Uses all bits: the low ones of a multiplicative hash alone are not random enough. */
function parityOf(bits: number): 0 | 1 {
  let folded = bits;
  for (const shift of [16, 8, 4, 2, 1]) folded ^= folded >>> shift;
  return (folded & 1) === 0 ? 0 : 1;
}
