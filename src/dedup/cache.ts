import type { ToolKind } from "../log/tools.js";
import { type Entries, entriesFor } from "./entries.js";
import type { Fingerprint } from "./fingerprint.js";
import { mayBeNear, type NearDelta, NearMatcher } from "./near.js";

/** One result the model has seen in full and still has. */
export interface Entry {
  readonly fingerprint: Fingerprint;
  /** The tool call's id, which hints name. */
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
 * clearing drop entries that a hint may no longer point at. Every operation that drops entries returns them, so that the
 * caller can report what happened and why.
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

  /** A cache with the same contents. */
  copy(): DedupCache<E> {
    const copy = new DedupCache<E>(this.capacity, this.#partition);
    for (const entry of this.#entries) copy.insert(entry);
    return copy;
  }

  /** The entry with this text, which becomes the most recent; the oldest one if several are equal. */
  check(fingerprint: Fingerprint): E | undefined {
    const entry = this.find(fingerprint);
    if (entry !== undefined) this.refresh(entry);
    return entry;
  }

  /** The same without using it. */
  find(fingerprint: Fingerprint): E | undefined {
    return this.#entries.find(fingerprint);
  }

  /** An entry of the cache was used: it becomes the most recent. */
  refresh(entry: E): void {
    this.replace(entry, entry);
  }

  /** Replaces an entry of the cache; the new one becomes the most recent. */
  replace(old: E, entry: E): void {
    this.#entries.remove(old);
    this.#entries.add(entry);
  }

  /** Adds an entry as the most recent and returns the evicted one. Equal texts are not merged. */
  insert(entry: E): E | undefined {
    const evicted = this.#entries.size >= this.capacity ? this.#entries.shift() : undefined;
    this.#entries.add(entry);
    return evicted;
  }

  /** The newest reachable entry that differs from the new text by a few top-level values. Does not refresh recency. */
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

  /** A file has changed: drops what was read from exactly that path. */
  invalidateFile(path: string): E[] {
    return this.#entries.dropReadsOf(path);
  }

  /** Drops the results of these tools. */
  invalidateByTool(tools: readonly string[]): E[] {
    return tools.length === 0 ? [] : this.drop(entry => tools.includes(entry.tool));
  }

  /** The context was compacted: a new partition begins, and only what `survives` stays. */
  compact(survives: (entry: E) => boolean = () => false): E[] {
    this.#partition++;
    return this.drop(entry => !survives(entry));
  }

  /** Drops the matching entries and returns them, oldest first. */
  drop(condition: (entry: E) => boolean): E[] {
    return this.#entries.drop(condition);
  }
}
