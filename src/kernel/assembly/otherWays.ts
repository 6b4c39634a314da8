/** All alternatives to the variant that a replay decides by: src/dedup/otherWays.ts, and what is recorded of them. */
import {
  HIT,
  LIVE_WAY,
  NEAR_UNBOUNDED_WAY,
  NEAR_WAY,
  SIZE_WORDS,
  SPAN_INPUTS_WAY,
  SPAN_WAY,
  WAY_WORDS,
  WAYS,
  WHOLE_UNBOUNDED_WAY,
  WHOLE_WAY,
} from "../layout";
import { ContextRuns } from "./contextRuns";
import { Cache, cacheOf, listed } from "./entries";
import { hintBytes, hintChars, measureHint, measureNearHint } from "./hints";
import { List } from "./lists";
import { Outcome } from "./lookup";
import { EVERYTHING, LIVE, RESULTS, RunWay, runs, savedBytes, savedChars } from "./matcher";
import { FREE, Reach } from "./reach";
import { Entry, Result } from "./result";
import { Source } from "./runIndex";
import { capacity, spanMinBytes, verbosity } from "./settings";
import { hasText, nearHint } from "./wrapper";

/** `BOUND_RUN_BYTES` and `SWEEP_RUN_BYTES` in src/dedup/settings.ts. */
const BOUND_RUN_BYTES: f64 = 200;
const SIZES: StaticArray<i32> = [200, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096];
const FIRST_SIZED: i32 = 3;

export class OtherWays {
  /** What each way saves in each result, and what other minimum runs save: see `WAYS` and `SIZE_WORDS`. */
  rows: List<u32> = new List<u32>();
  sizes: List<u32> = new List<u32>();
  row: i32 = -1;
  /** Null until there is something to hold: a log may have thousands of contexts without a result. */
  limited: CachePair | null = null;
  unlimited: CachePair | null = null;
  sized: List<usize> = new List<usize>();
  results: RunWay = new RunWay(1, BOUND_RUN_BYTES, RESULTS);
  everything: RunWay = new RunWay(2, BOUND_RUN_BYTES, EVERYTHING);
  outcome: Outcome = new Outcome();

  constructor(
    public context: i32,
    public reach: Reach,
    public runs: ContextRuns,
  ) {}

  /** Begins a result. */
  begin(): void {
    this.rows.extend(WAYS * WAY_WORDS);
    this.row++;
  }

  invalidateFile(path: i32): void {
    const limited = this.limited;
    const unlimited = this.unlimited;
    if (limited === null || unlimited === null) return;
    limited.invalidateFile(path);
    unlimited.invalidateFile(path);
    for (let at = 0; at < this.sized.length; at++) this.sizedAt(at).cache.invalidateFile(path);
  }

  drop(): void {
    const limited = this.limited;
    const unlimited = this.unlimited;
    if (limited === null || unlimited === null) return;
    limited.drop();
    unlimited.drop();
    for (let at = 0; at < this.sized.length; at++) this.sizedAt(at).cache.drop();
  }

  /** Takes any text, whatever else happens to it: upper bounds have no exceptions. */
  takeText(text: Source, result: Result): void {
    this.takeBound(text, result, this.results, SPAN_WAY);
    this.takeBound(text, result, this.everything, SPAN_INPUTS_WAY);
  }

  takeBound(text: Source, result: Result, bound: RunWay, way: i32): void {
    this.runs.find(text, result, bound);
    if (runs > 0) this.save(way, runs, savedBytes, savedChars);
  }

  /** Looks a result up in every cache and inserts it into those that miss it. `always`: an objection to any hint. */
  take(fresh: Entry, always: i32, text: Source | null, result: Result): void {
    let limited = this.limited;
    let unlimited = this.unlimited;
    if (limited === null || unlimited === null) {
      limited = new CachePair(<i32>capacity, WHOLE_WAY, NEAR_WAY);
      unlimited = new CachePair(-1, WHOLE_UNBOUNDED_WAY, NEAR_UNBOUNDED_WAY);
      this.limited = limited;
      this.unlimited = unlimited;
      this.addSizes();
    }
    fresh.hasText = hasText(this.context, fresh.fingerprint);
    limited.take(fresh, always, this);
    unlimited.take(fresh, always, this);
    for (let at = 0; at < this.sized.length; at++) this.takeSized(this.sizedAt(at), fresh, always, text, result);
  }

  takeSized(sized: SizedRuns, fresh: Entry, always: i32, text: Source | null, result: Result): void {
    const lines = this.runs;
    const outcome = this.outcome;
    outcome.lookUp(sized.cache, fresh, this.reach, always);
    if (outcome.kind === HIT) {
      if (text !== null) lines.hideAll(text, sized.way);
      measureHint(fresh.chars, outcome.entry!, verbosity);
      return this.saveSized(sized, 1, max<i32>(0, fresh.bytes - hintBytes), max<i32>(0, fresh.chars - hintChars));
    }
    if (text !== null) {
      lines.find(text, result, sized.way);
      if (runs > 0) return this.saveSized(sized, runs, savedBytes, savedChars);
    }
    outcome.store(sized.cache, fresh);
  }

  addSizes(): void {
    let isListed = false;
    for (let size = 0; size < SIZES.length; size++) {
      this.addSize(SIZES[size], size);
      if (<f64>SIZES[size] === spanMinBytes) isListed = true;
    }
    if (!isListed) this.addSize(spanMinBytes, -1);
  }

  addSize(minBytes: f64, size: i32): void {
    this.sized.push(changetype<usize>(new SizedRuns(FIRST_SIZED + this.sized.length, minBytes, size)));
  }

  sizedAt(at: i32): SizedRuns {
    return changetype<SizedRuns>(this.sized.get(at));
  }

  save(way: i32, hints: i32, bytes: i32, chars: i32): void {
    const at = this.row * (WAYS * WAY_WORDS) + way * WAY_WORDS;
    this.rows.set(at, hints);
    this.rows.set(at + 1, bytes);
    this.rows.set(at + 2, chars);
  }

  saveSized(sized: SizedRuns, hints: i32, bytes: i32, chars: i32): void {
    if (sized.size >= 0) {
      const at = this.sizes.extend(SIZE_WORDS);
      this.sizes.set(at, this.row);
      this.sizes.set(at + 1, sized.size);
      this.sizes.set(at + 2, bytes);
      this.sizes.set(at + 3, chars);
    }
    if (sized.way.minBytes === spanMinBytes) this.save(LIVE_WAY, hints, bytes, chars);
  }
}

/** Two caches of one capacity, without and with near-references: only one until their contents differ. */
class CachePair {
  exact: Cache;
  near: Cache | null = null;

  constructor(
    capacity: i32,
    public exactWay: i32,
    public nearWay: i32,
  ) {
    this.exact = cacheOf(capacity);
  }

  invalidateFile(path: i32): void {
    this.exact.invalidateFile(path);
    const near = this.near;
    if (near !== null) near.invalidateFile(path);
  }

  drop(): void {
    this.exact.drop();
    const near = this.near;
    if (near !== null) near.drop();
  }

  take(fresh: Entry, always: i32, ways: OtherWays): void {
    const outcome = ways.outcome;
    outcome.lookUp(this.exact, fresh, ways.reach, always);
    const near = this.near;
    if (outcome.kind === HIT) save(this.exactWay, fresh, outcome.entry!, ways);
    if (near === null) {
      if (outcome.kind === HIT) save(this.nearWay, fresh, outcome.entry!, ways);
      else if (outcome.entry === null && this.isNear(this.exact, fresh, always, ways)) this.near = this.exact.copy();
      outcome.store(this.exact, fresh);
      return;
    }
    outcome.store(this.exact, fresh);
    outcome.lookUp(near, fresh, ways.reach, always);
    if (outcome.kind === HIT) save(this.nearWay, fresh, outcome.entry!, ways);
    else if (outcome.entry !== null || !this.isNear(near, fresh, always, ways)) outcome.store(near, fresh);
  }

  /** Whether the newest reachable entry differs from the new text by only a few values: measures the hint if so. */
  isNear(cache: Cache, fresh: Entry, always: i32, ways: OtherWays): bool {
    if (!fresh.hasText || always !== FREE) return false;
    cache.listTexts();
    for (let at = listed.length - 1; at >= 0; at--) {
      const entry = changetype<Entry>(listed.get(at));
      if (ways.reach.objection(entry, fresh) !== FREE) continue;
      const hint = nearHint(ways.context, entry.fingerprint, fresh.fingerprint);
      if (hint === 0) continue;
      measureNearHint(entry.id, hint >> 8, hint & 0xff);
      saveHint(this.nearWay, fresh, ways);
      return true;
    }
    return false;
  }
}

function save(way: i32, fresh: Entry, entry: Entry, ways: OtherWays): void {
  measureHint(fresh.chars, entry, verbosity);
  saveHint(way, fresh, ways);
}

/** Records the hint measured last. */
function saveHint(way: i32, fresh: Entry, ways: OtherWays): void {
  ways.save(way, 1, max<i32>(0, fresh.bytes - hintBytes), max<i32>(0, fresh.chars - hintChars));
}

/** Live hints with another minimum run. It affects which results are cached: a text with hints in it is not. */
class SizedRuns {
  cache: Cache = cacheOf(<i32>capacity);
  way: RunWay;

  constructor(
    way: i32,
    minBytes: f64,
    /** Which of the sizes; negative if none. */
    public size: i32,
  ) {
    this.way = new RunWay(way, minBytes, LIVE);
  }
}
