import { utf8Length } from "../log/bytes.js";
import { DedupCache } from "./cache.js";
import { hintOf, type ObjectionTo, type Outcome, take } from "./lookup.js";
import { NearMatcher } from "./near.js";
import type { HeldResult } from "./replay.js";
import type { DedupSettings } from "./settings.js";

/** What a hint would save of the newest result. */
export interface CacheSaving {
  readonly savedBytes: number;
  readonly savedChars: number;
}

export interface CacheSink {
  /** A hit: with near-references or without, in a cache of the set capacity or without a limit. */
  cacheHit(nearRef: boolean, unbounded: boolean, saving: CacheSaving): void;
}

/**
 * The caches that a replay would have had without a limit, and with near-references or without. The replay applies the
 * rules, once for all of them.
 */
export class OtherCaches {
  /** Shared with the replay, so that no pair of texts is compared twice. */
  readonly matcher: NearMatcher;
  readonly #pairs: readonly CachePair[];

  constructor(settings: DedupSettings, sink: CacheSink, matcher = new NearMatcher()) {
    this.matcher = matcher;
    this.#pairs = [false, true].map(unbounded => new CachePair(settings, unbounded, matcher, sink));
  }

  invalidateFile(path: string): void {
    for (const pair of this.#pairs) pair.invalidateFile(path);
  }

  drop(condition: (entry: HeldResult) => boolean): void {
    for (const pair of this.#pairs) pair.drop(condition);
  }

  /** Looks a result up everywhere and inserts it where it misses. */
  take(fresh: HeldResult, objectionTo: ObjectionTo): void {
    for (const pair of this.#pairs) pair.take(fresh, objectionTo);
  }
}

/** Two caches of one capacity, with near-references and without: one as long as they would hold the same. */
class CachePair {
  readonly #exact: DedupCache<HeldResult>;
  /** From the first near hit on, which only one of them inserts. */
  #near: DedupCache<HeldResult> | undefined;
  readonly #verbosity: DedupSettings["verbosity"];
  readonly #unbounded: boolean;
  readonly #matcher: NearMatcher;
  readonly #sink: CacheSink;

  constructor({ capacity, verbosity }: DedupSettings, unbounded: boolean, matcher: NearMatcher, sink: CacheSink) {
    this.#exact = new DedupCache(unbounded ? Number.POSITIVE_INFINITY : capacity);
    this.#verbosity = verbosity;
    this.#unbounded = unbounded;
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
      this.#tell(false, fresh, take(this.#exact, fresh, { objectionTo, matcher: undefined }));
      this.#tell(true, fresh, take(this.#near, fresh, { objectionTo, matcher }));
      return;
    }
    const outcome = take(this.#exact, fresh, { objectionTo, matcher });
    this.#tell(true, fresh, outcome);
    if (outcome.kind !== "nearHit") return this.#tell(false, fresh, outcome);
    this.#near = this.#exact.copy();
    this.#exact.insert(fresh);
  }

  #tell(nearRef: boolean, fresh: HeldResult, outcome: Outcome): void {
    const hint = hintOf(outcome, this.#verbosity, fresh.chars);
    if (hint !== undefined) this.#sink.cacheHit(nearRef, this.#unbounded, savingOf(fresh, hint));
  }
}

function savingOf({ bytes, chars }: HeldResult, hint: string): CacheSaving {
  return { savedBytes: Math.max(0, bytes - utf8Length(hint)), savedChars: Math.max(0, chars - hint.length) };
}
