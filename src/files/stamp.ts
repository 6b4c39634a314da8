import type { BigIntStats } from "node:fs";

/**
 * Changes with every write to a file, even if its times are set afterwards: the system records every change. Without the
 * device: on Windows, some versions of Node report one for a path and another one for the same file when it is open.
 */
export function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** The resolution of the coarsest kernel clock. */
const TICK_NS = 20_000_000n;
/** For file systems with a resolution of seconds. */
const COARSE_TICK_NS = 2_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** Whether another write to the file, at this time or later, would change its stamp. `at`: milliseconds since 1970. */
export function isSettled({ ctimeNs }: BigIntStats, at: number): boolean {
  const tick = ctimeNs % SECOND_NS === 0n ? COARSE_TICK_NS : TICK_NS;
  return BigInt(Math.trunc(at)) * 1_000_000n > ctimeNs + tick;
}
