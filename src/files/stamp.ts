import type { BigIntStats } from "node:fs";

/** Changes with every write to a file, whatever its times are set to afterwards: the system notes when anything of it changed. */
export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** The coarsest clock of a kernel stands still for this long. */
const TICK_NS = 20_000_000n;
/** Of file systems that know no parts of a second. */
const COARSE_TICK_NS = 2_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** Whether a file that was written to again at this time, or later, would have another stamp. `at`: in milliseconds since 1970. */
export function isSettled({ ctimeNs }: BigIntStats, at: number): boolean {
  const tick = ctimeNs % SECOND_NS === 0n ? COARSE_TICK_NS : TICK_NS;
  return BigInt(Math.trunc(at)) * 1_000_000n > ctimeNs + tick;
}
