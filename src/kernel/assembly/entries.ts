/** The entries of a cache, least recent first: src/dedup/entries.ts and cache.ts. No two have the same text. */
import { READ_TOOL } from "../layout";
import { leaves } from "./leaving";
import { List, Table } from "./lists";
import { Entry } from "./result";

/** Up to this many entries, a plain list is faster than any index. */
const FEW: i32 = 64;

/** What the last operation dropped. */
export let dropped = new List<usize>();
/** What the last operation listed. */
export let listed = new List<usize>();

export function beginEntries(): void {
  dropped = new List<usize>();
  listed = new List<usize>();
}

export abstract class Cache {
  /** Negative: unlimited. */
  capacity: i32 = 0;
  size: i32 = 0;

  /** The entry with this text. */
  abstract find(fingerprint: i32): Entry | null;
  /** An entry of the cache was used: it becomes the most recent. */
  abstract refresh(entry: Entry): void;
  abstract add(entry: Entry): void;
  abstract remove(entry: Entry): void;
  /** Removes the least recent entry. */
  abstract shift(): Entry | null;
  /** Removes what leaves: see leaving.ts. */
  abstract drop(): void;
  /** A file has changed: drops what was read from exactly that path. */
  abstract invalidateFile(path: i32): void;
  /** Lists all, least recent first. */
  abstract list(): void;
  /** Lists those with a text, least recent first; only the last few if there are many. */
  abstract listTexts(): void;

  /** Adds an entry as the most recent and returns the evicted one. */
  insert(entry: Entry): Entry | null {
    const evicted = this.capacity >= 0 && this.size >= this.capacity ? this.shift() : null;
    this.add(entry);
    return evicted;
  }

  replace(old: Entry, entry: Entry): void {
    this.remove(old);
    this.add(entry);
  }

  /** A cache with the same contents. */
  copy(): Cache {
    const copy = cacheOf(this.capacity);
    this.list();
    for (let at = 0; at < listed.length; at++) copy.insert(changetype<Entry>(listed.get(at)));
    return copy;
  }
}

export function cacheOf(capacity: i32): Cache {
  const cache: Cache = capacity >= 0 && capacity <= FEW ? new FewEntries() : new ManyEntries();
  cache.capacity = capacity;
  return cache;
}

class FewEntries extends Cache {
  entries: List<usize> = new List<usize>();

  at(place: i32): Entry {
    return changetype<Entry>(this.entries.items[place]);
  }

  find(fingerprint: i32): Entry | null {
    for (let place = 0; place < this.size; place++) {
      const entry = this.at(place);
      if (entry.fingerprint === fingerprint) return entry;
    }
    return null;
  }

  refresh(entry: Entry): void {
    this.replace(entry, entry);
  }

  add(entry: Entry): void {
    this.entries.push(changetype<usize>(entry));
    this.size++;
  }

  remove(entry: Entry): void {
    for (let place = 0; place < this.size; place++) if (this.at(place) === entry) return this.cut(place);
  }

  shift(): Entry | null {
    if (this.size === 0) return null;
    const first = this.at(0);
    this.cut(0);
    return first;
  }

  drop(): void {
    dropped.length = 0;
    let kept = 0;
    for (let place = 0; place < this.size; place++) {
      const entry = this.at(place);
      if (leaves(entry)) dropped.push(changetype<usize>(entry));
      else this.entries.items[kept++] = changetype<usize>(entry);
    }
    this.entries.length = this.size = kept;
  }

  invalidateFile(path: i32): void {
    dropped.length = 0;
    let kept = 0;
    for (let place = 0; place < this.size; place++) {
      const entry = this.at(place);
      if (isReadOf(entry, path)) dropped.push(changetype<usize>(entry));
      else this.entries.items[kept++] = changetype<usize>(entry);
    }
    this.entries.length = this.size = kept;
  }

  list(): void {
    listed.length = 0;
    for (let place = 0; place < this.size; place++) listed.push(this.entries.get(place));
  }

  listTexts(): void {
    listed.length = 0;
    for (let place = 0; place < this.size; place++) {
      if (this.at(place).hasText) listed.push(this.entries.get(place));
    }
  }

  cut(place: i32): void {
    this.size--;
    this.entries.cut(place);
  }
}

/** A node in the list of all entries, and in that of the entries with the same path. */
class Node {
  entry: Entry | null = null;
  older: Node | null = null;
  newer: Node | null = null;
  next: Node | null = null;
  previous: Node | null = null;
}

/** An unlimited cache holds a whole partition: nothing that happens on every call may scan all of it. */
class ManyEntries extends Cache {
  oldest: Node | null = null;
  newest: Node | null = null;
  free: Node | null = null;
  byText: Table = new Table();
  /** The first one of each file. */
  byPath: Table = new Table();
  /** The last few entries with a text, least recent first. */
  texts: List<usize> = new List<usize>();

  find(fingerprint: i32): Entry | null {
    const node = this.nodeOf(fingerprint);
    return node === null ? null : node.entry;
  }

  refresh(entry: Entry): void {
    const node = this.nodeOf(entry.fingerprint)!;
    this.unlink(node);
    this.append(node);
    if (!entry.hasText) return;
    this.removeText(entry);
    this.addText(entry);
  }

  nodeOf(fingerprint: i32): Node | null {
    return changetype<Node | null>(<usize>this.byText.get(fingerprint));
  }

  add(entry: Entry): void {
    let node = this.free;
    if (node === null) node = new Node();
    else this.free = node.newer;
    node.entry = entry;
    this.append(node);
    this.byText.set(entry.fingerprint, <u32>changetype<usize>(node));
    if (entry.path >= 0) this.file(node, entry.path);
    if (entry.hasText) this.addText(entry);
    this.size++;
  }

  remove(entry: Entry): void {
    const node = this.nodeOf(entry.fingerprint);
    if (node !== null) this.take(node);
  }

  shift(): Entry | null {
    const node = this.oldest;
    if (node === null) return null;
    const entry = node.entry;
    this.take(node);
    return entry;
  }

  drop(): void {
    dropped.length = 0;
    let node = this.oldest;
    while (node !== null) {
      const next = node.newer;
      const entry = node.entry!;
      if (leaves(entry)) {
        dropped.push(changetype<usize>(entry));
        this.take(node);
      }
      node = next;
    }
  }

  invalidateFile(path: i32): void {
    dropped.length = 0;
    let node = changetype<Node | null>(<usize>this.byPath.get(path));
    while (node !== null) {
      const next = node.next;
      const entry = node.entry!;
      if (isReadOf(entry, path)) {
        dropped.push(changetype<usize>(entry));
        this.take(node);
      }
      node = next;
    }
  }

  list(): void {
    listed.length = 0;
    let node = this.oldest;
    while (node !== null) {
      listed.push(changetype<usize>(node.entry));
      node = node.newer;
    }
  }

  listTexts(): void {
    listed.length = 0;
    for (let at = 0; at < this.texts.length; at++) listed.push(this.texts.get(at));
  }

  /** Each new text is compared with all of them: without a limit, the time would be quadratic. */
  addText(entry: Entry): void {
    this.texts.push(changetype<usize>(entry));
    if (this.texts.length > FEW) this.texts.cut(0);
  }

  removeText(entry: Entry): void {
    for (let at = 0; at < this.texts.length; at++) {
      if (this.texts.get(at) === changetype<usize>(entry)) return this.texts.cut(at);
    }
  }

  append(node: Node): void {
    const newest = this.newest;
    node.older = newest;
    node.newer = null;
    if (newest === null) this.oldest = node;
    else newest.newer = node;
    this.newest = node;
  }

  unlink(node: Node): void {
    const older = node.older;
    const newer = node.newer;
    if (older === null) this.oldest = newer;
    else older.newer = newer;
    if (newer === null) this.newest = older;
    else newer.older = older;
  }

  file(node: Node, path: i32): void {
    const first = changetype<Node | null>(<usize>this.byPath.get(path));
    node.previous = null;
    node.next = first;
    if (first !== null) first.previous = node;
    this.byPath.set(path, <u32>changetype<usize>(node));
  }

  take(node: Node): void {
    const entry = node.entry!;
    this.unlink(node);
    this.byText.set(entry.fingerprint, 0);
    if (entry.hasText) this.removeText(entry);
    if (entry.path >= 0) {
      const next = node.next;
      const previous = node.previous;
      if (next !== null) next.previous = previous;
      if (previous === null) this.byPath.set(entry.path, <u32>changetype<usize>(next));
      else previous.next = next;
    }
    this.size--;
    node.newer = this.free;
    this.free = node;
  }
}

export function isReadOf(entry: Entry, path: i32): bool {
  return entry.kind === READ_TOOL && entry.path === path;
}
