import { utf8Length } from "../log/bytes.js";
import { DedupCache } from "./cache.js";
import type { Fingerprint } from "./fingerprint.js";
import type { Verbosity } from "./hints.js";
import { hintOf, type LookupOptions, take } from "./lookup.js";
import type { HeldResult } from "./replay.js";
import { SWEEP_CAPACITIES } from "./settings.js";

/** A result that would have hit in some of the swept capacities, all with the same saving. */
export interface SweepHit {
  /** Bit i: the capacity in slot i hits (slots 0 … 31). */
  readonly slots: number;
  readonly unbounded: boolean;
  readonly savedBytes: number;
  readonly savedChars: number;
}

/**
 * Whole results only, at every capacity at once: the fingerprints are computed once, and the rules are applied once.
 * Runs of lines are left out, because no capacity changes what they save.
 */
export class CapacitySweep {
  /** Empty until there is something to hold: a log may have thousands of contexts without a result. */
  #caches: readonly DedupCache<HeldResult>[] = [];
  readonly #everHeld = new Set<Fingerprint>();
  /** Files with reads that a cache may hold: most edits are of files that were just edited. */
  readonly #read = new Set<string>();
  readonly #verbosity: Verbosity;

  constructor(verbosity: Verbosity) {
    this.#verbosity = verbosity;
  }

  invalidateFile(path: string): void {
    if (!this.#read.delete(path)) return;
    for (const cache of this.#caches) cache.invalidateFile(path);
  }

  drop(condition: (entry: HeldResult) => boolean): void {
    for (const cache of this.#caches) cache.drop(condition);
  }

  /** Looks a result up at every capacity, inserts it where it misses, and returns where it hit. */
  take(fresh: HeldResult, options: LookupOptions): SweepHit[] {
    if (this.#caches.length === 0) this.#caches = SWEEP_CAPACITIES.map(capacity => new DedupCache(capacity));
    if (fresh.path !== undefined) this.#read.add(fresh.path);
    // Most bodies are new: no cache can hold one that was never inserted anywhere.
    const mayHit = this.#everHeld.has(fresh.fingerprint);
    if (!mayHit) this.#everHeld.add(fresh.fingerprint);
    if (!mayHit && options.matcher === undefined) {
      for (const cache of this.#caches) cache.insert(fresh);
      return NO_HITS;
    }
    /** By the call that a hint points at. */
    const hits = new Map<string, SweepHit>();
    let slot = -1;
    for (const cache of this.#caches) {
      slot++;
      const outcome = take(cache, fresh, options);
      if (outcome.kind === "miss") continue;
      const { id } = outcome.entry;
      const hint = hintOf(outcome, this.#verbosity, fresh.chars) ?? "";
      hits.set(id, withSlot(hits.get(id) ?? savingOf(fresh, hint), slot));
    }
    return [...hits.values()];
  }
}

const NO_HITS: SweepHit[] = [];

function savingOf(fresh: HeldResult, hint: string): SweepHit {
  return {
    slots: 0,
    unbounded: false,
    savedBytes: Math.max(0, fresh.bytes - utf8Length(hint)),
    savedChars: Math.max(0, fresh.chars - hint.length),
  };
}

function withSlot(hit: SweepHit, slot: number): SweepHit {
  return slot === 32 ? { ...hit, unbounded: true } : { ...hit, slots: (hit.slots | (1 << slot)) >>> 0 };
}
