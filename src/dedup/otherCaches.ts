import { utf8Length } from "../log/bytes.js";
import { DedupCache } from "./cache.js";
import type { Fingerprint } from "./fingerprint.js";
import { renderHint, renderNearHint } from "./hints.js";
import { NearMatcher, type nearDelta } from "./near.js";
import type { HeldResult } from "./replay.js";
import type { DedupSettings } from "./settings.js";

/** What a hint would save of the newest result. */
export interface CacheSaving {
  readonly savedBytes: number;
  readonly savedChars: number;
}

/** Hears of every hit: with near-references or without, in a cache of the set capacity or without a limit. */
export type CacheHit = (nearRef: boolean, unbounded: boolean, saving: CacheSaving) => void;

/**
 * The caches that a replay would have had without a limit, and with near-references or without. The replay applies the
 * rules, once for all of them.
 */
export class OtherCaches {
  /** Shared with the replay, so that no pair of texts is compared twice. */
  readonly matcher: NearMatcher;
  readonly #lookedUp = new Set<Fingerprint>();
  readonly #pairs: readonly CachePair[];

  constructor({ capacity, verbosity }: DedupSettings, hit: CacheHit, matcher = new NearMatcher()) {
    this.matcher = matcher;
    const compare = (old: string, fresh: string) => matcher.delta(old, fresh);
    this.#pairs = [capacity, Number.POSITIVE_INFINITY].map(
      (limit, at) => new CachePair(limit, verbosity, compare, (nearRef, saving) => hit(nearRef, at === 1, saving)),
    );
  }

  invalidateFile(path: string): void {
    for (const pair of this.#pairs) pair.change(cache => cache.invalidateFile(path));
  }

  drop(condition: (entry: HeldResult) => boolean): void {
    for (const pair of this.#pairs) pair.change(cache => cache.drop(condition));
  }

  /** Looks a result up everywhere and inserts it where it misses. */
  take(fresh: HeldResult): void {
    // Most bodies are new: no cache can hold one that was never looked up.
    const mayHit = this.#lookedUp.has(fresh.fingerprint);
    if (!mayHit) this.#lookedUp.add(fresh.fingerprint);
    for (const pair of this.#pairs) pair.take(fresh, mayHit);
  }
}

/** Two caches of one capacity, with near-references and without: one as long as they would hold the same. */
class CachePair {
  readonly #exact: DedupCache<HeldResult>;
  /** From the first near hit on, which only one of them inserts. */
  #near: DedupCache<HeldResult> | undefined;
  readonly #verbosity: DedupSettings["verbosity"];
  readonly #compare: typeof nearDelta;
  readonly #hit: (nearRef: boolean, saving: CacheSaving) => void;

  constructor(
    capacity: number,
    verbosity: DedupSettings["verbosity"],
    compare: typeof nearDelta,
    hit: (nearRef: boolean, saving: CacheSaving) => void,
  ) {
    this.#exact = new DedupCache(capacity);
    this.#verbosity = verbosity;
    this.#compare = compare;
    this.#hit = hit;
  }

  change(act: (cache: DedupCache<HeldResult>) => void): void {
    act(this.#exact);
    if (this.#near !== undefined) act(this.#near);
  }

  take(fresh: HeldResult, mayHit: boolean): void {
    const exact = mayHit ? this.#hintFrom(this.#exact, fresh) : undefined;
    const near =
      this.#near === undefined
        ? (exact ?? this.#nearHintFrom(this.#exact, fresh))
        : ((mayHit ? this.#hintFrom(this.#near, fresh) : undefined) ?? this.#nearHintFrom(this.#near, fresh));
    if (exact === undefined && near !== undefined) this.#near ??= this.#exact.copy();
    if (exact === undefined) this.#exact.insert(fresh);
    else this.#hit(false, savingOf(fresh, exact));
    if (near === undefined) this.#near?.insert(fresh);
    else this.#hit(true, savingOf(fresh, near));
  }

  #hintFrom(cache: DedupCache<HeldResult>, { fingerprint }: HeldResult): string | undefined {
    const held = cache.check(fingerprint);
    return held && renderHint(held, this.#verbosity);
  }

  #nearHintFrom(cache: DedupCache<HeldResult>, { body }: HeldResult): string | undefined {
    const near = body === undefined ? undefined : cache.findNear(body, this.#compare);
    return near && renderNearHint(near.entry.id, near.delta);
  }
}

function savingOf({ bytes, chars }: HeldResult, hint: string): CacheSaving {
  return { savedBytes: Math.max(0, bytes - utf8Length(hint)), savedChars: Math.max(0, chars - hint.length) };
}
