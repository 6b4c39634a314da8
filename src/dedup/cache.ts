import type { ToolKind } from "../log/tools.js";
import { type Entries, entriesFor } from "./entries.js";
import type { Fingerprint } from "./fingerprint.js";
import { mayBeNear, type NearDelta, NearMatcher } from "./near.js";

/** One result the model has seen in full and still has. */
export interface Entry {
  readonly fingerprint: Fingerprint;
  /** The tool call's id: what a hint names. */
  readonly id: string;
  readonly tool: string;
  readonly kind: ToolKind;
  /** The file a read or mutate call names. */
  readonly path?: string | undefined;
  /** The text itself; only needed for near-references. */
  readonly body?: string | undefined;
}

/**
 * The last few distinct results of one context, least recent first. Hits refresh recency; edits, compactions and
 * clearing drop what a hint may no longer point at. Every operation that drops entries returns them, so that a caller
 * can say what happened and why.
 */
export class DedupCache<E extends Entry = Entry> {
  readonly capacity: number;
  readonly #entries: Entries<E>;
  #partition: number;

  /** A capacity below 1 becomes 1. */
  constructor(capacity: number, partition = 0) {
    this.#partition = partition;
    this.capacity = Number.isNaN(capacity) ? 1 : Math.max(1, Math.floor(capacity));
    this.#entries = entriesFor(this.capacity);
  }

  /** How many compactions this cache has seen. */
  get partition(): number {
    return this.#partition;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Oldest first. */
  get entries(): readonly E[] {
    return [...this.#entries];
  }

  /** Another cache that holds the same. */
  copy(): DedupCache<E> {
    const copy = new DedupCache<E>(this.capacity, this.#partition);
    for (const entry of this.#entries) copy.insert(entry);
    return copy;
  }

  /** The entry with this text, which thereby becomes the most recent; the oldest one where several are equal. */
  check(fingerprint: Fingerprint): E | undefined {
    return this.#entries.use(fingerprint);
  }

  /** Puts an entry, as the most recent, in the place of another that the cache holds. */
  replace(old: E, entry: E): void {
    this.#entries.remove(old);
    this.#entries.add(entry);
  }

  /** Adds an entry as the most recent and returns the one it pushed out. Equal texts are not merged. */
  insert(entry: E): E | undefined {
    const evicted = this.#entries.size >= this.capacity ? this.#entries.shift() : undefined;
    this.#entries.add(entry);
    return evicted;
  }

  /** The newest entry that is in reach and from which the new text differs by a few top-level values. Does not refresh recency. */
  findNear(
    body: string,
    matcher = new NearMatcher(),
    isInReach: (entry: E) => boolean = () => true,
  ): { entry: E; delta: NearDelta } | undefined {
    if (!mayBeNear(body)) return undefined;
    for (const entry of this.#entries.withText()) {
      if (!isInReach(entry)) continue;
      const delta = matcher.delta(entry.body ?? "", body);
      if (delta !== undefined) return { entry, delta };
    }
    return undefined;
  }

  /** A file has changed: what was read from exactly that path is dropped. */
  invalidateFile(path: string): E[] {
    return this.#entries.dropReadsOf(path);
  }

  /** Drops what the named tools returned. */
  invalidateByTool(tools: readonly string[]): E[] {
    return tools.length === 0 ? [] : this.drop(entry => tools.includes(entry.tool));
  }

  /** The context was compacted: a new partition begins, and only what `survives` stays. */
  compact(survives: (entry: E) => boolean = () => false): E[] {
    this.#partition++;
    return this.drop(entry => !survives(entry));
  }

  /** Drops what the condition names and returns it, oldest first. */
  drop(condition: (entry: E) => boolean): E[] {
    return this.#entries.drop(condition);
  }
}
