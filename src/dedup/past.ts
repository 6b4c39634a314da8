import { DedupCache } from "./cache.js";
import type { MissReason } from "./events.js";
import type { Fingerprint } from "./fingerprint.js";
import { type LookupOptions, lookUp, type Outcome, store } from "./lookup.js";
import type { HeldResult } from "./replay.js";

/** What happened to a body that a context once held. */
export interface Fate {
  readonly why: MissReason;
  /** The call that invalidated it. */
  readonly cause?: string;
}

/** Why a body is not in the cache, and where it was. */
export interface Absence extends Fate {
  readonly entry?: HeldResult;
}

/**
 * An unlimited cache next to the real one, by the same rules. It explains misses: if it has a hit, a larger cache would
 * have helped; otherwise the reason is whatever removed the body here.
 */
export class Past {
  readonly #cache = new DedupCache<HeldResult>(Number.POSITIVE_INFINITY);
  readonly #ended = new Map<Fingerprint, { readonly fate: Fate; readonly entry: HeldResult }>();

  /** Looks a result up, as the real cache does. */
  lookUp(fresh: HeldResult, options: LookupOptions): Outcome {
    return lookUp(this.#cache, fresh, options);
  }

  store(fresh: HeldResult, outcome: Outcome): void {
    store(this.#cache, fresh, outcome);
  }

  /** Why the real cache misses, given the outcome here. */
  absence({ fingerprint }: HeldResult, outcome: Outcome): Absence {
    if (outcome.kind === "hit") return { why: "evicted", entry: outcome.entry };
    if (outcome.kind === "miss" && outcome.refused) return outcome.refused;
    const ended = this.#ended.get(fingerprint);
    return ended === undefined ? { why: "new" } : { ...ended.fate, entry: ended.entry };
  }

  invalidateFile(path: string, cause: string): void {
    this.#end(this.#cache.invalidateFile(path), { why: "invalidated", cause });
  }

  drop(condition: (entry: HeldResult) => boolean, fate: Fate): void {
    this.#end(this.#cache.drop(condition), fate);
  }

  #end(entries: readonly HeldResult[], fate: Fate): void {
    for (const entry of entries) {
      const { body: _, ...rest } = entry;
      this.#ended.set(entry.fingerprint, { fate, entry: rest });
    }
  }
}
