import type { Entry } from "./cache.js";
import type { Fingerprint } from "./fingerprint.js";

/** The entries of a cache, from the least to the most recent. */
export interface Entries<E extends Entry> extends Iterable<E> {
  readonly size: number;
  /** The entry with this text, the oldest one if several are equal. */
  find(fingerprint: Fingerprint): E | undefined;
  add(entry: E): void;
  remove(entry: E): void;
  /** Removes the least recent entry. */
  shift(): E | undefined;
  /** Removes the matching entries, least recent first. */
  drop(condition: (entry: E) => boolean): E[];
  dropReadsOf(path: string): E[];
  /** The entries that keep their text, most recent first; only the last few if there are many. */
  withText(): Iterable<E>;
}

/** Up to this many entries, a plain list is faster than any index. */
const FEW = 64;

export function entriesFor<E extends Entry>(capacity: number): Entries<E> {
  return capacity <= FEW ? new FewEntries<E>() : new ManyEntries<E>();
}

class FewEntries<E extends Entry> implements Entries<E> {
  #list: E[] = [];

  get size(): number {
    return this.#list.length;
  }

  [Symbol.iterator](): Iterator<E> {
    return this.#list[Symbol.iterator]();
  }

  find(fingerprint: Fingerprint): E | undefined {
    for (const entry of this.#list) if (entry.fingerprint === fingerprint) return entry;
    return undefined;
  }

  add(entry: E): void {
    this.#list.push(entry);
  }

  remove(entry: E): void {
    const at = this.#list.lastIndexOf(entry);
    if (at >= 0) this.#list.splice(at, 1);
  }

  shift(): E | undefined {
    return this.#list.shift();
  }

  drop(condition: (entry: E) => boolean): E[] {
    // Usually nothing is dropped, and nothing needs to be copied.
    if (!this.#list.some(condition)) return [];
    const dropped: E[] = [];
    const kept: E[] = [];
    for (const entry of this.#list) (condition(entry) ? dropped : kept).push(entry);
    this.#list = kept;
    return dropped;
  }

  dropReadsOf(path: string): E[] {
    for (const entry of this.#list) if (isReadOf(entry, path)) return this.drop(one => isReadOf(one, path));
    return [];
  }

  withText(): Iterable<E> {
    return this.#list.some(hasText) ? this.#list.filter(hasText).reverse() : NONE;
  }
}

/** An unlimited cache holds a whole partition: nothing that happens on every call may scan all of it. */
class ManyEntries<E extends Entry> implements Entries<E> {
  readonly #all = new Set<E>();
  readonly #byText = new Map<Fingerprint, E | Set<E>>();
  readonly #byPath = new Map<string, E | Set<E>>();
  readonly #withText = new Set<E>();

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<E> {
    return this.#all[Symbol.iterator]();
  }

  find(fingerprint: Fingerprint): E | undefined {
    return first(this.#byText.get(fingerprint));
  }

  withText(): Iterable<E> {
    return this.#withText.size === 0 ? NONE : [...this.#withText].reverse();
  }

  add(entry: E): void {
    this.#all.add(entry);
    if (hasText(entry)) this.#withText.add(entry);
    // Each new text is compared with all of them: without a limit, the time would be quadratic.
    if (this.#withText.size > FEW) this.#withText.delete(first(this.#withText) as E);
    addTo(this.#byText, entry.fingerprint, entry);
    if (entry.path !== undefined) addTo(this.#byPath, entry.path, entry);
  }

  shift(): E | undefined {
    const entry = first(this.#all);
    if (entry !== undefined) this.remove(entry);
    return entry;
  }

  drop(condition: (entry: E) => boolean): E[] {
    return this.#removeAll([...this.#all].filter(condition));
  }

  dropReadsOf(path: string): E[] {
    return this.#removeAll(all(this.#byPath.get(path)).filter(entry => isReadOf(entry, path)));
  }

  #removeAll(entries: E[]): E[] {
    for (const entry of entries) this.remove(entry);
    return entries;
  }

  remove(entry: E): void {
    this.#all.delete(entry);
    this.#withText.delete(entry);
    removeFrom(this.#byText, entry.fingerprint, entry);
    if (entry.path !== undefined) removeFrom(this.#byPath, entry.path, entry);
  }
}

const NONE: readonly never[] = [];

function hasText({ body }: Entry): boolean {
  return body !== undefined;
}

function isReadOf(entry: Entry, path: string): boolean {
  return entry.kind === "read" && entry.path === path;
}

function first<E>(entries: E | Set<E> | undefined): E | undefined {
  return entries instanceof Set ? entries.values().next().value : entries;
}

function all<E>(entries: E | Set<E> | undefined): E[] {
  return entries === undefined ? [] : entries instanceof Set ? [...entries] : [entries];
}

/** Most texts and files occur once; only the others need a set. */
function addTo<K, E>(index: Map<K, E | Set<E>>, key: K, entry: E): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, entry);
  else if (known instanceof Set) known.add(entry);
  else index.set(key, new Set([known, entry]));
}

function removeFrom<K, E>(index: Map<K, E | Set<E>>, key: K, entry: E): void {
  const known = index.get(key);
  if (known instanceof Set) known.delete(entry);
  if (known === entry || (known instanceof Set && known.size === 0)) index.delete(key);
}
