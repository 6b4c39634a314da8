/** Looks results up in a cache, the same way for every cache: src/dedup/lookup.ts, past.ts and sweep.ts. */
import {
  HIT,
  MISS_EVICTED,
  MISS_NEW,
  SWEEP_ROW,
  SWEEP_SAVED_BYTES,
  SWEEP_SAVED_CHARS,
  SWEEP_SLOTS,
  SWEEP_UNBOUNDED,
  SWEEP_WORDS,
} from "../layout";
import { Cache, cacheOf, dropped } from "./entries";
import { hintBytes, hintChars, measureHint } from "./hints";
import { List, Table } from "./lists";
import { FREE, Reach } from "./reach";
import { Entry } from "./result";
import { verbosity } from "./settings";

/** The outcome of looking a result up in a cache: a hit, a miss, or the reason why it is not a hit. */
export class Outcome {
  kind: i32 = MISS_NEW;
  /** The entry with the text; null after a plain miss. */
  entry: Entry | null = null;

  /** A hit becomes the most recent. `always`: an objection to any hint. */
  lookUp(cache: Cache, fresh: Entry, reach: Reach, always: i32): void {
    const held = cache.find(fresh.fingerprint);
    this.entry = held;
    this.kind = MISS_NEW;
    if (held === null) return;
    const why = reach.objection(held, fresh);
    this.kind = why !== FREE ? why : always !== FREE ? always : HIT;
    if (this.kind === HIT) cache.refresh(held);
  }

  /** Stores a miss and returns the evicted entry. */
  store(cache: Cache, fresh: Entry): Entry | null {
    if (this.kind === HIT) return null;
    const refused = this.entry;
    if (refused === null) return cache.insert(fresh);
    cache.replace(refused, fresh);
    return null;
  }
}

/** What happened to a body that a context once held. */
class Ended {
  why: i32 = 0;
  cause: i32 = 0;
  entry: Entry | null = null;
}

/** An unlimited cache next to the real one, by the same rules. It explains misses. */
export class Past {
  cache: Cache = cacheOf(-1);
  ended: Table = new Table();
  outcome: Outcome = new Outcome();
  /** What `absence` found: why, the call that invalidated it, and where it was. */
  why: i32 = 0;
  cause: i32 = 0;
  entry: Entry | null = null;

  store(fresh: Entry): void {
    this.outcome.store(this.cache, fresh);
  }

  /** Why the real cache misses what this one looked up last. */
  absence(fingerprint: i32): void {
    this.cause = -1;
    this.entry = this.outcome.entry;
    this.why = this.outcome.kind === HIT ? MISS_EVICTED : this.outcome.kind;
    if (this.entry !== null) return;
    const ended = changetype<Ended | null>(<usize>this.ended.get(fingerprint));
    if (ended === null) return;
    this.why = ended.why;
    this.cause = ended.cause;
    this.entry = ended.entry;
  }

  invalidateFile(path: i32, why: i32, cause: i32): void {
    this.cache.invalidateFile(path);
    this.end(why, cause);
  }

  drop(why: i32, cause: i32): void {
    this.cache.drop();
    this.end(why, cause);
  }

  end(why: i32, cause: i32): void {
    for (let at = 0; at < dropped.length; at++) {
      const entry = changetype<Entry>(dropped.get(at));
      let ended = changetype<Ended | null>(<usize>this.ended.get(entry.fingerprint));
      if (ended === null) {
        ended = new Ended();
        this.ended.set(entry.fingerprint, <u32>changetype<usize>(ended));
      }
      ended.why = why;
      ended.cause = cause;
      ended.entry = entry;
    }
  }
}

/** The capacities 1 … 32; slot 32 is an unlimited cache. */
const SLOTS: i32 = 33;

/** Whole results only, at every capacity at once. */
export class Sweep {
  /** Null until there is something to hold: a log may have thousands of contexts without a result. */
  caches: StaticArray<Cache> | null = null;
  everHeld: Table = new Table();
  /** Files with reads that a cache may hold. */
  read: Table = new Table();
  outcome: Outcome = new Outcome();

  invalidateFile(path: i32): void {
    if (this.read.get(path) === 0) return;
    this.read.set(path, 0);
    const caches = this.caches;
    if (caches === null) return;
    for (let slot = 0; slot < SLOTS; slot++) caches[slot].invalidateFile(path);
  }

  drop(): void {
    const caches = this.caches;
    if (caches === null) return;
    for (let slot = 0; slot < SLOTS; slot++) caches[slot].drop();
  }

  /** Looks a result up at every capacity, inserts it where it misses, and records where it hit, for the next row. */
  take(fresh: Entry, reach: Reach, always: i32, rows: List<u32>, row: i32): void {
    let caches = this.caches;
    if (caches === null) {
      caches = newCaches();
      this.caches = caches;
    }
    if (fresh.path >= 0) this.read.set(fresh.path, 1);
    // Most bodies are new: no cache can hold one that was never inserted anywhere.
    if (this.everHeld.get(fresh.fingerprint) === 0) {
      this.everHeld.set(fresh.fingerprint, 1);
      for (let slot = 0; slot < SLOTS; slot++) caches[slot].insert(fresh);
      return;
    }
    const first = rows.length;
    for (let slot = 0; slot < SLOTS; slot++) {
      const outcome = this.outcome;
      outcome.lookUp(caches[slot], fresh, reach, always);
      outcome.store(caches[slot], fresh);
      if (outcome.kind === HIT) addHit(rows, first, outcome.entry!, fresh, slot);
    }
    // Until now, this field had the call that each one points at.
    for (let at = first; at < rows.length; at += SWEEP_WORDS) rows.set(at + SWEEP_ROW, row);
  }
}

function newCaches(): StaticArray<Cache> {
  const caches = new StaticArray<Cache>(SLOTS);
  for (let slot = 0; slot < SLOTS; slot++) caches[slot] = cacheOf(slot === SLOTS - 1 ? -1 : slot + 1);
  return caches;
}

/** One for each call that hints point at. */
function addHit(rows: List<u32>, first: i32, entry: Entry, fresh: Entry, slot: i32): void {
  let at = first;
  while (at < rows.length && rows.get(at + SWEEP_ROW) !== <u32>entry.id) at += SWEEP_WORDS;
  if (at === rows.length) {
    rows.extend(SWEEP_WORDS);
    measureHint(fresh.chars, entry, verbosity);
    rows.set(at + SWEEP_ROW, entry.id);
    rows.set(at + SWEEP_SAVED_BYTES, max<i32>(0, fresh.bytes - hintBytes));
    rows.set(at + SWEEP_SAVED_CHARS, max<i32>(0, fresh.chars - hintChars));
  }
  if (slot === SLOTS - 1) rows.set(at + SWEEP_UNBOUNDED, 1);
  else rows.set(at + SWEEP_SLOTS, rows.get(at + SWEEP_SLOTS) | (1 << slot));
}
