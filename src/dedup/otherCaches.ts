import { utf8Length } from "../log/bytes.js";
import { DedupCache } from "./cache.js";
import { hintOf, type ObjectionTo, type Outcome, take } from "./lookup.js";
import { NearMatcher } from "./near.js";
import type { HeldResult } from "./replay.js";
import type { DedupSettings } from "./settings.js";

/** Which cache: with near-references or without, with the set capacity or with no limit. */
export interface CacheVariant {
  readonly nearRef: boolean;
  readonly limited: boolean;
}

/** What a hint would save of the newest result. */
export interface CacheSaving {
  readonly savedBytes: number;
  readonly savedChars: number;
}

export interface CacheSink {
  cacheHit(variant: CacheVariant, saving: CacheSaving): void;
}

/**
 * All variants of the cache, filled beside the one that a replay decides by. The replay applies the rules once, for all
 * of them.
 */
export class OtherCaches {
  /** Shared with the replay, so that no pair of texts is compared twice. */
  readonly matcher: NearMatcher;
  readonly #pairs: readonly CachePair[];

  constructor(settings: DedupSettings, sink: CacheSink, matcher = new NearMatcher()) {
    this.matcher = matcher;
    this.#pairs = [true, false].map(limited => new CachePair(settings, limited, matcher, sink));
  }

  invalidateFile(path: string): void {
    for (const pair of this.#pairs) pair.invalidateFile(path);
  }

  drop(condition: (entry: HeldResult) => boolean): void {
    for (const pair of this.#pairs) pair.drop(condition);
  }

  /** Looks a result up in every cache and inserts it into those that do not have it. */
  take(fresh: HeldResult, objectionTo: ObjectionTo): void {
    for (const pair of this.#pairs) pair.take(fresh, objectionTo);
  }
}

/** Two caches of one capacity, without and with near-references: a single one until their contents differ. */
class CachePair {
  readonly #exact: DedupCache<HeldResult>;
  /** Set at the first near hit: only the cache without near-references inserts that result. */
  #near: DedupCache<HeldResult> | undefined;
  readonly #verbosity: DedupSettings["verbosity"];
  readonly #limited: boolean;
  readonly #matcher: NearMatcher;
  readonly #sink: CacheSink;

  constructor({ capacity, verbosity }: DedupSettings, limited: boolean, matcher: NearMatcher, sink: CacheSink) {
    this.#exact = new DedupCache(limited ? capacity : Number.POSITIVE_INFINITY);
    this.#verbosity = verbosity;
    this.#limited = limited;
    this.#matcher = matcher;
    this.#sink = sink;
  }

  invalidateFile(path: string): void {
    this.#exact.invalidateFile(path);
    this.#near?.invalidateFile(path);
  }

  drop(condition: (entry: HeldResult) => boolean): void {
    this.#exact.drop(condition);
    this.#near?.drop(condition);
  }

  take(fresh: HeldResult, objectionTo: ObjectionTo): void {
    const matcher = this.#matcher;
    if (this.#near !== undefined) {
      this.#report(false, fresh, take(this.#exact, fresh, { objectionTo, matcher: undefined }));
      this.#report(true, fresh, take(this.#near, fresh, { objectionTo, matcher }));
      return;
    }
    const outcome = take(this.#exact, fresh, { objectionTo, matcher });
    this.#report(true, fresh, outcome);
    if (outcome.kind !== "nearHit") return this.#report(false, fresh, outcome);
    this.#near = this.#exact.copy();
    this.#exact.insert(fresh);
  }

  #report(nearRef: boolean, fresh: HeldResult, outcome: Outcome): void {
    const hint = hintOf(outcome, this.#verbosity, fresh.chars);
    if (hint !== undefined) this.#sink.cacheHit({ nearRef, limited: this.#limited }, savingOf(fresh, hint));
  }
}

function savingOf({ bytes, chars }: HeldResult, hint: string): CacheSaving {
  return { savedBytes: Math.max(0, bytes - utf8Length(hint)), savedChars: Math.max(0, chars - hint.length) };
}
