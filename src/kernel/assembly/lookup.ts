/** Looks results up in a cache, the same way for every cache: src/dedup/lookup.ts and past.ts. */
import { HIT, MISS_EVICTED, MISS_NEW } from "../layout";
import { Cache, cacheOf, dropped } from "./entries";
import { Table } from "./lists";
import { FREE, Reach } from "./reach";
import { Entry } from "./result";

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
