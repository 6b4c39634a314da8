/**
 * Which sessions of a trial are given hints. The hook program, the mod and the report all ask here, and nothing but the
 * key and the session's id decides, so nobody has to remember anything about a session.
 */
import { hash64 } from "../log/lineIndex.js";
import type { Trial } from "../settings/liveSettings.js";

/** "control": the sessions that are given no hints. */
export const GROUPS = ["hints", "control"] as const;
export type Group = (typeof GROUPS)[number];

export function groupOf(session: string, { key }: Pick<Trial, "key">): Group {
  // Whoever names sessions does not know the key, which stands on both sides so that no part of an id cancels it out.
  const [high, low] = hash64(`${key} ${session} ${key}`);
  return GROUPS[parityOf(high ^ low)] ?? "control";
}

/** Whether a session goes without hints now. One whose id is not known does, as long as a trial runs. */
export function isControl(session: string | undefined, trial: Trial | undefined): boolean {
  if (trial === undefined || trial.until !== undefined) return false;
  return session === undefined || session === "" || groupOf(session, trial) === "control";
}

/** All bits count: the low ones of a multiplicative hash alone are not random enough. */
function parityOf(bits: number): 0 | 1 {
  let folded = bits;
  for (const shift of [16, 8, 4, 2, 1]) folded ^= folded >>> shift;
  return (folded & 1) === 0 ? 0 : 1;
}
