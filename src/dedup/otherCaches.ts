import { utf8Length } from "../log/bytes.js";
import { DedupCache } from "./cache.js";
import type { Fingerprint } from "./fingerprint.js";
import { renderHint, renderNearHint } from "./hints.js";
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
  readonly #lookedUp = new Set<Fingerprint>();
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

  take(fresh: HeldResult, mayHit: boolean): void {
    const exact = mayHit ? this.#hintFrom(this.#exact, fresh) : undefined;
    const near =
      this.#near === undefined
        ? (exact ?? this.#nearHintFrom(this.#exact, fresh))
        : ((mayHit ? this.#hintFrom(this.#near, fresh) : undefined) ?? this.#nearHintFrom(this.#near, fresh));
    if (exact === undefined && near !== undefined) this.#near ??= this.#exact.copy();
    if (exact === undefined) this.#exact.insert(fresh);
    else this.#sink.cacheHit(false, this.#unbounded, savingOf(fresh, exact));
    if (near === undefined) this.#near?.insert(fresh);
    else this.#sink.cacheHit(true, this.#unbounded, savingOf(fresh, near));
  }

  #hintFrom(cache: DedupCache<HeldResult>, { fingerprint }: HeldResult): string | undefined {
    const held = cache.check(fingerprint);
    return held && renderHint(held, this.#verbosity);
  }

  #nearHintFrom(cache: DedupCache<HeldResult>, { body }: HeldResult): string | undefined {
    const near = body === undefined ? undefined : cache.findNear(body, this.#matcher);
    return near && renderNearHint(near.entry.id, near.delta);
  }
}

function savingOf({ bytes, chars }: HeldResult, hint: string): CacheSaving {
  return { savedBytes: Math.max(0, bytes - utf8Length(hint)), savedChars: Math.max(0, chars - hint.length) };
}
