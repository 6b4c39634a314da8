import { utf8Length } from "../log/bytes.js";
import { DedupCache } from "./cache.js";
import type { NumberedLines } from "./door.js";
import { type Emission, wholeEmission } from "./emission.js";
import { hintOf, lookUp, type ObjectionTo, type Outcome, store, take } from "./lookup.js";
import { NearMatcher } from "./near.js";
import type { HeldResult } from "./replay.js";
import type { Run } from "./runs/matcher.js";
import { IN_FORCE, type RunWay } from "./runs/replayRuns.js";
import { BOUND_RUN_BYTES, type DedupSettings, SWEEP_RUN_BYTES } from "./settings.js";

/** All ways to save, including the one that a replay decides by: `inspect/strategies.ts` describes each. */
export type Strategy = "live" | "whole" | "whole-unbounded" | "near" | "near-unbounded" | "span" | "span-inputs";

/** What hints would save in the newest result. */
export interface WaySaving {
  readonly hints: number;
  readonly savedBytes: number;
  readonly savedChars: number;
}

export interface OtherWaysSink {
  /** `emission`: what replaces the text, if that is more than one hint for all of it. */
  saved(way: Strategy, saving: WaySaving, emission?: Emission): void;
  /** For live hints with runs of at least `minBytes`. */
  sized(minBytes: number, saving: WaySaving): void;
}

/** Finds the runs of the newest result for one variant; `hide`: it was replaced whole there. */
export interface NewestRuns {
  find(way: RunWay): readonly Run[];
  hide(way: number): void;
}

/** The replay's data about the newest result. */
interface NewestResult {
  readonly objectionTo: ObjectionTo;
  /** Undefined if runs are off. */
  readonly newest: NewestRuns | undefined;
  /** Its lines that Claude Code numbers itself. */
  readonly numbered: NumberedLines | undefined;
}

const BOUNDS = [
  { name: "span", way: IN_FORCE + 1, minBytes: BOUND_RUN_BYTES, sources: "results" },
  { name: "span-inputs", way: IN_FORCE + 2, minBytes: BOUND_RUN_BYTES, sources: "everything" },
] as const satisfies (RunWay & { readonly name: Strategy })[];
const FIRST_SIZED = IN_FORCE + 1 + BOUNDS.length;

/**
 * All alternatives to the variant that the replay decides by. The replay applies the reachability rules once for all of
 * them.
 */
export class OtherWays {
  /** Shared with the replay, so that no pair of texts is compared twice. */
  readonly matcher: NearMatcher;
  readonly #pairs: readonly CachePair[];
  readonly #sized: readonly SizedRuns[];
  readonly #sink: OtherWaysSink;

  constructor(settings: DedupSettings, sink: OtherWaysSink, matcher = new NearMatcher()) {
    this.matcher = matcher;
    this.#sink = sink;
    const { capacity, verbosity } = settings;
    this.#pairs = [
      new CachePair({ exact: "whole", near: "near", capacity, verbosity }, matcher, sink),
      new CachePair({ exact: "whole-unbounded", near: "near-unbounded", capacity: Infinity, verbosity }, matcher, sink),
    ];
    const sizes = new Set([...SWEEP_RUN_BYTES, settings.spanMinBytes]);
    this.#sized = [...sizes].map((minBytes, at) => new SizedRuns(settings, FIRST_SIZED + at, minBytes, matcher, sink));
  }

  invalidateFile(path: string): void {
    for (const way of [...this.#pairs, ...this.#sized]) way.invalidateFile(path);
  }

  drop(condition: (entry: HeldResult) => boolean): void {
    for (const way of [...this.#pairs, ...this.#sized]) way.drop(condition);
  }

  /** Takes any text, whatever else happens to it: upper bounds have no exceptions. */
  takeText(newest: NewestRuns): void {
    for (const bound of BOUNDS) {
      const runs = newest.find(bound);
      if (runs.length > 0) this.#sink.saved(bound.name, savingOfRuns(runs), { runs });
    }
  }

  /** Looks a result up in every cache and inserts it into those that do not have it. */
  take(fresh: HeldResult, result: NewestResult): void {
    for (const pair of this.#pairs) pair.take(fresh, result.objectionTo);
    for (const sized of this.#sized) sized.take(fresh, result);
  }
}

interface PairOptions extends Pick<DedupSettings, "capacity" | "verbosity"> {
  readonly exact: Strategy;
  readonly near: Strategy;
}

/** Two caches of one capacity, without and with near-references: only one until their contents differ. */
class CachePair {
  readonly #exact: DedupCache<HeldResult>;
  /** Set on the first near hit: only the cache without near-references inserts that result. */
  #near: DedupCache<HeldResult> | undefined;
  readonly #options: PairOptions;
  readonly #matcher: NearMatcher;
  readonly #sink: OtherWaysSink;

  constructor(options: PairOptions, matcher: NearMatcher, sink: OtherWaysSink) {
    this.#exact = new DedupCache(options.capacity);
    this.#options = options;
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
      this.#report("exact", fresh, take(this.#exact, fresh, { objectionTo, matcher: undefined }));
      this.#report("near", fresh, take(this.#near, fresh, { objectionTo, matcher }));
      return;
    }
    const outcome = take(this.#exact, fresh, { objectionTo, matcher });
    this.#report("near", fresh, outcome);
    if (outcome.kind !== "nearHit") return this.#report("exact", fresh, outcome);
    this.#near = this.#exact.copy();
    this.#exact.insert(fresh);
  }

  #report(which: "exact" | "near", fresh: HeldResult, outcome: Outcome): void {
    const hint = hintOf(outcome, this.#options.verbosity, fresh.chars);
    if (hint !== undefined) this.#sink.saved(this.#options[which], savingOf(fresh, hint));
  }
}

/** Live hints with another minimum run. It affects which results are cached: a text with hints in it is not. */
class SizedRuns {
  readonly #cache: DedupCache<HeldResult>;
  readonly #verbosity: DedupSettings["verbosity"];
  readonly #way: RunWay;
  readonly #isSet: boolean;
  readonly #matcher: NearMatcher | undefined;
  readonly #sink: OtherWaysSink;

  constructor(settings: DedupSettings, way: number, minBytes: number, matcher: NearMatcher, sink: OtherWaysSink) {
    this.#cache = new DedupCache(settings.capacity);
    this.#verbosity = settings.verbosity;
    this.#way = { way, minBytes, sources: "live" };
    this.#isSet = minBytes === settings.spanMinBytes;
    this.#matcher = settings.nearRef ? matcher : undefined;
    this.#sink = sink;
  }

  invalidateFile(path: string): void {
    this.#cache.invalidateFile(path);
  }

  drop(condition: (entry: HeldResult) => boolean): void {
    this.#cache.drop(condition);
  }

  take(fresh: HeldResult, { objectionTo, newest, numbered }: NewestResult): void {
    const outcome = lookUp(this.#cache, fresh, { objectionTo, matcher: this.#matcher });
    const hint = hintOf(outcome, this.#verbosity, fresh.chars);
    if (hint !== undefined) {
      newest?.hide(this.#way.way);
      return this.#tell(savingOf(fresh, hint), wholeEmission(hint, numbered));
    }
    const runs = newest?.find(this.#way) ?? [];
    if (runs.length === 0) store(this.#cache, fresh, outcome);
    else this.#tell(savingOfRuns(runs), { runs });
  }

  #tell(saving: WaySaving, emission: Emission): void {
    this.#sink.sized(this.#way.minBytes, saving);
    if (this.#isSet) this.#sink.saved("live", saving, emission);
  }
}

function savingOf({ bytes, chars }: HeldResult, hint: string): WaySaving {
  const [savedBytes, savedChars] = [Math.max(0, bytes - utf8Length(hint)), Math.max(0, chars - hint.length)];
  return { hints: 1, savedBytes, savedChars };
}

function savingOfRuns(runs: readonly Run[]): WaySaving {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  return { hints: runs.length, savedBytes: sum(run => run.savedBytes), savedChars: sum(run => run.savedChars) };
}
