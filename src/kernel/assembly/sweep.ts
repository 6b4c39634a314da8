/**
 * Whole results only, at every capacity at once: src/dedup/sweep.ts, with all limited caches in one list. That works
 * because caches that hold the same entry agree on its age: an entry is used by all of its holders at once.
 */
import {
  HIT,
  SWEEP_ROW,
  SWEEP_SAVED_BYTES,
  SWEEP_SAVED_CHARS,
  SWEEP_SLOTS,
  SWEEP_UNBOUNDED,
  SWEEP_WORDS,
} from "../layout";
import { Cache, cacheOf, isReadOf } from "./entries";
import { hintBytes, hintChars, measureHint } from "./hints";
import { leaves } from "./leaving";
import { List, Table } from "./lists";
import { Outcome } from "./lookup";
import { enlarged, Numbers, roomFor, zeros } from "./numbers";
import { FREE, Reach } from "./reach";
import { Entry } from "./result";
import { verbosity } from "./settings";

/** The capacities 1 … 32, each with its own bit: bit i for a cache of i + 1 entries. */
const CACHES: i32 = 32;
const ALL: u32 = 0xffffffff;
/** The size of the list; half of it is always more than a result can add, which is one entry for each cache. */
const FEWEST: i32 = 4 * CACHES;

export class Sweep {
  /** Null until there is something to hold: a log may have thousands of contexts without a result. */
  caches: SweptCaches | null = null;
  everHeld: Table = new Table();
  /** Files with reads that a cache may hold. */
  read: Table = new Table();

  invalidateFile(path: i32): void {
    if (this.read.get(path) === 0) return;
    this.read.set(path, 0);
    const caches = this.caches;
    if (caches === null) return;
    caches.limited.invalidateFile(path);
    caches.unlimited.invalidateFile(path);
  }

  drop(): void {
    const caches = this.caches;
    if (caches === null) return;
    caches.limited.drop();
    caches.unlimited.drop();
  }

  /** Looks a result up at every capacity, inserts it where it misses, and records where it hit, for the next row. */
  take(fresh: Entry, reach: Reach, always: i32, rows: List<u32>, row: i32): void {
    let caches = this.caches;
    if (caches === null) {
      caches = new SweptCaches();
      this.caches = caches;
    }
    if (fresh.path >= 0) this.read.set(fresh.path, 1);
    // Most bodies are new: no cache can hold one that was never inserted anywhere.
    if (this.everHeld.get(fresh.fingerprint) === 0) {
      this.everHeld.set(fresh.fingerprint, 1);
      caches.limited.insert(fresh, ALL);
      caches.unlimited.insert(fresh);
      return;
    }
    const first = rows.length;
    caches.limited.take(fresh, reach, always, rows);
    const outcome = caches.outcome;
    outcome.lookUp(caches.unlimited, fresh, reach, always);
    outcome.store(caches.unlimited, fresh);
    if (outcome.kind === HIT) rows.set(rowOf(outcome.entry!, fresh, rows, first) + SWEEP_UNBOUNDED, 1);
    // Until now, this field had the call that each one points at.
    for (let at = first; at < rows.length; at += SWEEP_WORDS) rows.set(at + SWEEP_ROW, row);
  }
}

class SweptCaches {
  limited: LimitedCaches = new LimitedCaches();
  unlimited: Cache = cacheOf(-1);
  outcome: Outcome = new Outcome();
}

/** The caches of 1 … 32 entries. */
class LimitedCaches {
  /** Least recent first, each with the caches that hold it; none do once it has left them all. */
  entries: Numbers<usize> = roomFor<usize>(FEWEST);
  holders: Numbers<u32> = roomFor<u32>(FEWEST);
  room: i32 = FEWEST;
  /** Where the entries begin and end. */
  start: i32 = 0;
  end: i32 = 0;
  /** By cache, the number of its entries. */
  sizes: Numbers<i32> = zeros<i32>(CACHES);
  full: u32 = 0;

  /** These caches, which do not hold its text, get an entry as their most recent. */
  insert(entry: Entry, into: u32): void {
    this.reserve();
    this.evict(into & this.full);
    for (let left = into & ~this.full; left !== 0; left &= left - 1) {
      const cache = <i32>ctz(left);
      if (this.sizes[cache]++ === cache) this.full |= 1 << cache;
    }
    this.add(entry, into);
  }

  /** Looks a result up in each cache, inserts it where it misses, and adds rows where it hits. */
  take(fresh: Entry, reach: Reach, always: i32, rows: List<u32>): void {
    this.reserve();
    const end = this.end;
    let missing = ALL;
    let refused: u32 = 0;
    let hits: u32 = 0;
    for (let at = this.start; at < end; at++) {
      const holders = this.holders[at];
      const held = this.entryAt(at);
      if (holders === 0 || held.fingerprint !== fresh.fingerprint) continue;
      missing &= ~holders;
      this.holders[at] = 0;
      if (always !== FREE || reach.objection(held, fresh) !== FREE) {
        refused |= holders;
      } else {
        hits |= holders;
        this.add(held, holders);
      }
    }
    this.addRows(end, hits, fresh, rows);
    // Where it takes the place of an entry, none is evicted.
    if (refused !== 0) this.add(fresh, refused);
    if (missing !== 0) this.insert(fresh, missing);
  }

  /** `from`: where the entries that were hit begin. The smallest cache comes first. */
  addRows(from: i32, hits: u32, fresh: Entry, rows: List<u32>): void {
    const first = rows.length;
    let left = hits;
    while (left !== 0) {
      const smallest = left & (0 - left);
      let at = from;
      while ((this.holders[at] & smallest) === 0) at++;
      const row = rowOf(this.entryAt(at), fresh, rows, first);
      rows.set(row + SWEEP_SLOTS, rows.get(row + SWEEP_SLOTS) | this.holders[at]);
      left &= ~this.holders[at];
    }
  }

  /** A file has changed: drops what was read from exactly that path. */
  invalidateFile(path: i32): void {
    for (let at = this.start; at < this.end; at++) if (isReadOf(this.entryAt(at), path)) this.remove(at);
  }

  /** Removes what leaves: see leaving.ts. */
  drop(): void {
    for (let at = this.start; at < this.end; at++) {
      if (this.holders[at] !== 0 && leaves(this.entryAt(at))) this.remove(at);
    }
  }

  /** Each of these caches, which are full, loses its least recent entry. */
  evict(from: u32): void {
    let left = from;
    for (let at = this.start; left !== 0; at++) {
      const holders = this.holders[at];
      this.holders[at] = holders & ~left;
      left &= ~holders;
    }
    while (this.start < this.end && this.holders[this.start] === 0) this.start++;
  }

  remove(at: i32): void {
    const holders = this.holders[at];
    for (let left = holders; left !== 0; left &= left - 1) this.sizes[<i32>ctz(left)]--;
    this.full &= ~holders;
    this.holders[at] = 0;
  }

  /** Only after `reserve`. */
  add(entry: Entry, holders: u32): void {
    this.entries[this.end] = changetype<usize>(entry);
    this.holders[this.end] = holders;
    this.end++;
  }

  /** Makes room for one result: moves entries that some cache holds to the beginning. */
  reserve(): void {
    if (this.end + CACHES <= this.room) return;
    let kept = 0;
    for (let at = this.start; at < this.end; at++) {
      const holders = this.holders[at];
      if (holders === 0) continue;
      this.entries[kept] = this.entries[at];
      this.holders[kept++] = holders;
    }
    this.start = 0;
    this.end = kept;
    if (2 * kept <= this.room) return;
    this.entries = enlarged<usize>(this.entries, this.room, 2 * this.room);
    this.holders = enlarged<u32>(this.holders, this.room, 2 * this.room);
    this.room *= 2;
  }

  entryAt(at: i32): Entry {
    return changetype<Entry>(this.entries[at]);
  }
}

/** The row for the call that hints point at, from the first one of this result. */
function rowOf(entry: Entry, fresh: Entry, rows: List<u32>, first: i32): i32 {
  let at = first;
  while (at < rows.length && rows.get(at + SWEEP_ROW) !== <u32>entry.id) at += SWEEP_WORDS;
  if (at < rows.length) return at;
  rows.extend(SWEEP_WORDS);
  measureHint(fresh.chars, entry, verbosity);
  rows.set(at + SWEEP_ROW, entry.id);
  rows.set(at + SWEEP_SAVED_BYTES, max<i32>(0, fresh.bytes - hintBytes));
  rows.set(at + SWEEP_SAVED_CHARS, max<i32>(0, fresh.chars - hintChars));
  return at;
}
