import type { DedupCache } from "./cache.js";
import type { Objection } from "./events.js";
import { hintWithin, renderNearHint, type Verbosity } from "./hints.js";
import type { NearDelta, NearMatcher } from "./near.js";
import type { HeldResult } from "./replay.js";

/** Why the current call's result may not be replaced by a hint to this entry; undefined if it may. */
export type ObjectionTo = (entry: HeldResult) => Objection | undefined;

/** The outcome of looking a result up in a cache. */
export type Outcome =
  | { readonly kind: "hit"; readonly entry: HeldResult }
  | { readonly kind: "nearHit"; readonly entry: HeldResult; readonly delta: NearDelta }
  | Miss;

export interface Miss {
  readonly kind: "miss";
  /** The text was in the cache, but no hint may point there. */
  readonly refused?: { readonly entry: HeldResult; readonly why: Objection };
}

export interface LookupOptions {
  readonly objectionTo: ObjectionTo;
  /** For near-references, if enabled. */
  readonly matcher: NearMatcher | undefined;
}

/** Looks a result up in one cache and stores it if it misses, the same way for every cache. */
export function take(cache: DedupCache<HeldResult>, fresh: HeldResult, options: LookupOptions): Outcome {
  const outcome = lookUp(cache, fresh, options);
  store(cache, fresh, outcome);
  return outcome;
}

/** Stores a miss and returns the evicted entry. */
export function store(cache: DedupCache<HeldResult>, fresh: HeldResult, outcome: Outcome): HeldResult | undefined {
  if (outcome.kind !== "miss") return undefined;
  if (outcome.refused === undefined) return cache.insert(fresh);
  cache.replace(outcome.refused.entry, fresh);
  return undefined;
}

/** Looks a result up in one cache; a hit becomes the most recent. */
export function lookUp(cache: DedupCache<HeldResult>, fresh: HeldResult, options: LookupOptions): Outcome {
  const { objectionTo, matcher } = options;
  const held = cache.find(fresh.fingerprint);
  if (held !== undefined) {
    const why = objectionTo(held);
    if (why !== undefined) return { kind: "miss", refused: { entry: held, why } };
    cache.refresh(held);
    return { kind: "hit", entry: held };
  }
  const isFree = (entry: HeldResult) => objectionTo(entry) === undefined;
  const near = matcher && fresh.body !== undefined ? cache.findNear(fresh.body, matcher, isFree) : undefined;
  // The new body is not cached: only a hint was shown, and hints may only point at text that is really there.
  if (near !== undefined) return { kind: "nearHit", ...near };
  return { kind: "miss" };
}

/** The hint that replaces a result of this length; undefined for a miss. */
export function hintOf(outcome: Outcome, verbosity: Verbosity, chars: number): string | undefined {
  if (outcome.kind === "miss") return undefined;
  const { entry } = outcome;
  return outcome.kind === "hit" ? hintWithin(chars, entry, verbosity) : renderNearHint(entry.id, outcome.delta);
}
