import type { DedupCache } from "./cache.js";
import { renderHint, renderNearHint, type Verbosity } from "./hints.js";
import type { NearDelta, NearMatcher } from "./near.js";
import type { HeldResult } from "./replay.js";

/** Tells of a cached result whether the model that made the present call has it: see `Chain`. */
export type InReach = (entry: HeldResult) => boolean;

/** What a cache makes of a result. */
export type Outcome =
  | { readonly kind: "hit"; readonly entry: HeldResult }
  | { readonly kind: "nearHit"; readonly entry: HeldResult; readonly delta: NearDelta }
  /** `lost`: the text was there, but not in reach. */
  | { readonly kind: "miss"; readonly lost?: HeldResult; readonly evicted?: HeldResult | undefined };

export interface LookupOptions {
  readonly isInReach: InReach;
  /** For near-references, where they are looked for. */
  readonly matcher: NearMatcher | undefined;
}

/** Looks a result up in one cache and inserts it where it misses: engine.md 2, rules 8 to 10, for every cache alike. */
export function lookUp(cache: DedupCache<HeldResult>, fresh: HeldResult, options: LookupOptions): Outcome {
  const { isInReach, matcher } = options;
  const held = cache.check(fresh.fingerprint);
  if (held !== undefined) {
    if (isInReach(held)) return { kind: "hit", entry: held };
    cache.replace(held, fresh);
    return { kind: "miss", lost: held };
  }
  const near = matcher && fresh.body !== undefined ? cache.findNear(fresh.body, matcher, isInReach) : undefined;
  // The new body is not cached: it was shown only as a hint, and a hint may only point at text that is really there.
  if (near !== undefined) return { kind: "nearHit", ...near };
  return { kind: "miss", evicted: cache.insert(fresh) };
}

/** The hint that takes the result's place; undefined after a miss. */
export function hintOf(outcome: Outcome, verbosity: Verbosity): string | undefined {
  if (outcome.kind === "miss") return undefined;
  const { entry } = outcome;
  return outcome.kind === "hit" ? renderHint(entry, verbosity) : renderNearHint(entry.id, outcome.delta);
}
