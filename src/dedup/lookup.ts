import type { DedupCache } from "./cache.js";
import type { Objection } from "./events.js";
import { hintWithin, renderNearHint, type Verbosity } from "./hints.js";
import type { NearDelta, NearMatcher } from "./near.js";
import type { HeldResult } from "./replay.js";

/** Why the present call's result may not be replaced by a hint to this entry; undefined where it may. */
export type ObjectionTo = (entry: HeldResult) => Objection | undefined;

/** What a cache makes of a result. */
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
  /** For near-references, where they are looked for. */
  readonly matcher: NearMatcher | undefined;
}

/** Looks a result up in one cache and stores it where it misses, for every cache alike. */
export function take(cache: DedupCache<HeldResult>, fresh: HeldResult, options: LookupOptions): Outcome {
  const outcome = lookUp(cache, fresh, options);
  store(cache, fresh, outcome);
  return outcome;
}

/** Keeps what missed, and returns what that pushed out. */
export function store(cache: DedupCache<HeldResult>, fresh: HeldResult, outcome: Outcome): HeldResult | undefined {
  if (outcome.kind !== "miss") return undefined;
  if (outcome.refused === undefined) return cache.insert(fresh);
  cache.replace(outcome.refused.entry, fresh);
  return undefined;
}

/** Looks a result up in one cache, where a hit becomes the most recent. */
export function lookUp(cache: DedupCache<HeldResult>, fresh: HeldResult, options: LookupOptions): Outcome {
  const { objectionTo, matcher } = options;
  const held = cache.check(fresh.fingerprint);
  if (held !== undefined) {
    const why = objectionTo(held);
    if (why === undefined) return { kind: "hit", entry: held };
    return { kind: "miss", refused: { entry: held, why } };
  }
  const isFree = (entry: HeldResult) => objectionTo(entry) === undefined;
  const near = matcher && fresh.body !== undefined ? cache.findNear(fresh.body, matcher, isFree) : undefined;
  // The new body is not cached: it was shown only as a hint, and a hint may only point at text that is really there.
  if (near !== undefined) return { kind: "nearHit", ...near };
  return { kind: "miss" };
}

/** The hint that takes the place of a result of so many characters; undefined after a miss. */
export function hintOf(outcome: Outcome, verbosity: Verbosity, chars: number): string | undefined {
  if (outcome.kind === "miss") return undefined;
  const { entry } = outcome;
  return outcome.kind === "hit" ? hintWithin(chars, entry, verbosity) : renderNearHint(entry.id, outcome.delta);
}
