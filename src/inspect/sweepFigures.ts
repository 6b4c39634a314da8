import { SWEEP_CAPACITIES } from "../dedup/settings.js";
import type { SweepRow } from "./rows.js";

/** What one capacity would have saved; null: unlimited. */
export interface SweepPoint {
  readonly capacity: number | null;
  hits: number;
  savedBytes: number;
  savedTokens: number;
}

/** The smallest capacity with nearly all of the saving; null if even the largest one falls short. */
export interface Advice {
  readonly capacity: number | null;
  readonly of: "unbounded saving";
  readonly share: number;
}

const ADVISED_SHARE = 0.95;

export function emptySweep(): SweepPoint[] {
  return SWEEP_CAPACITIES.map(capacity => ({
    capacity: Number.isFinite(capacity) ? capacity : null,
    hits: 0,
    savedBytes: 0,
    savedTokens: 0,
  }));
}

export function addSweepRow(to: SweepPoint[], hit: SweepRow, charsPerToken: number): void {
  for (const [slot, point] of to.entries()) {
    if (!(point.capacity === null ? hit.unbounded : (hit.slots >>> slot) & 1)) continue;
    point.hits++;
    point.savedBytes += hit.savedBytes;
    point.savedTokens += hit.savedChars / charsPerToken;
  }
}

export function advise(sweep: readonly SweepPoint[]): Advice {
  const wanted = ADVISED_SHARE * (sweep.at(-1)?.savedBytes ?? 0);
  const enough = sweep.find(point => point.capacity !== null && point.savedBytes >= wanted);
  return { capacity: enough?.capacity ?? null, of: "unbounded saving", share: ADVISED_SHARE };
}
