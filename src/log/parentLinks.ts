import { hash64, type IndexedLine, LineIndex, type SavedLineIndex } from "./lineIndex.js";

/** What a line gives as its parent: a uuid, none explicitly, or nothing. */
export type ParentKind = "uuid" | "none" | "unspecified";

/**
 * How a line is linked to others. Uuids are compared by their hashes (see `hash64`), as signed numbers; strings are
 * created on demand.
 */
export interface Link {
  readonly line: number;
  readonly hasUuid: boolean;
  readonly uuidHigh: number;
  readonly uuidLow: number;
  uuid(): string;
  readonly parent: ParentKind;
  readonly parentHigh: number;
  readonly parentLow: number;
  parentUuid(): string;
  /** Uuids to use if the parent is missing; the first one that exists wins. */
  readonly standIns: readonly string[] | undefined;
  /** The context was compacted. */
  readonly isBoundary: boolean;
  /** The line makes a call. */
  readonly isCall: boolean;
}

/** A call that does not continue from the call before it, or its origin has only now become known: see `Chain`. */
export interface Branch {
  readonly call: number;
  readonly from: number;
}

/** Finds a line that is no longer in the index. */
export type LineLookup = (uuid: string) => IndexedLine | undefined;

/** Lines whose parent has not been seen yet, and their descendants. */
interface Orphans {
  /** Negative, to differ from any call's line. */
  readonly node: number;
  readonly parent: string;
  /** The line of the oldest one. */
  readonly since: number;
  readonly uuids: readonly string[];
  /** Calls that continue from them, with no other call in between. */
  readonly calls: readonly number[];
}

export interface SavedLinks {
  readonly index: SavedLineIndex;
  readonly newestCall: number;
  readonly newestNode: number;
  readonly orphans: readonly Orphans[];
}

/** What is remembered of a context's lines. The compiled reader, which reads most lines itself, has its own. */
export interface LinkMemory {
  readonly index: Pick<LineIndex, "get" | "lineOf" | "nodeOf" | "put" | "since">;
  /** The line of the newest call. */
  newestCall: number;
  /** The node of the newest line. */
  newestNode: number;
  /** The hash of its uuid, if it has one. */
  hasNewest: boolean;
  newestHigh: number;
  newestLow: number;
  /** Some lines are waiting for their parent. */
  hasOrphans: boolean;
}

function linkMemory(saved?: SavedLinks): LinkMemory {
  return {
    index: new LineIndex(saved?.index),
    newestCall: saved?.newestCall ?? 0,
    newestNode: saved?.newestNode ?? 0,
    hasNewest: false,
    newestHigh: 0,
    newestLow: 0,
    hasOrphans: false,
  };
}

/** Claude Code writes lines in parallel: a parent may come a little after its child. */
const MAX_WAIT_LINES = 16;

/**
 * The parents of the lines of one context. Only calls matter in the end, so each line is stored with one number, its
 * node: its own line if it makes a call, otherwise the newest call that it descends from; 0 if there is none, or if an
 * ancestor is missing. A parent that comes after its child counts as soon as it arrives.
 */
export class ParentLinks {
  readonly #memory: LinkMemory;
  readonly #index: LinkMemory["index"];
  readonly #lookUp: LineLookup | undefined;
  // Undefined if empty, which is nearly always the case: this is a hot path.
  #orphans: readonly Orphans[] | undefined;
  #branches: Branch[] | undefined;

  constructor(saved?: SavedLinks, lookUp?: LineLookup, memory = linkMemory(saved)) {
    this.#memory = memory;
    this.#index = memory.index;
    this.#lookUp = lookUp;
    this.#keep(saved?.orphans ?? []);
  }

  /** The part about this line and later ones. */
  since(line: number): SavedLinks {
    const [newestCall, newestNode] = [this.#memory.newestCall, this.#memory.newestNode];
    return { index: this.#index.since(line), newestCall, newestNode, orphans: this.#orphans ?? [] };
  }

  /** The line with this uuid; the newest one if there are copies. */
  lineOf(uuid: string): number | undefined {
    return this.#find(uuid)?.line;
  }

  /** The line with the uuid of a parent. */
  lineOfParent(link: Link): number | undefined {
    return this.#index.lineOf(link.parentHigh, link.parentLow) || this.lineOf(link.parentUuid());
  }

  /** Whether a line is a copy of an earlier one. */
  isCopy({ hasUuid, uuidHigh, uuidLow }: Link): boolean {
    return hasUuid && this.#index.lineOf(uuidHigh, uuidLow) !== 0;
  }

  /** Adds a line. Returns its own line if it makes a call, otherwise the newest call that it descends from, or 0. */
  add(link: Link): number {
    const { line, hasUuid, uuidHigh, uuidLow } = link;
    const isKnown = this.isCopy(link);
    if (this.#orphans !== undefined) this.#giveUp(line - MAX_WAIT_LINES);
    const index = this.#index;
    // A copy of a line keeps the line's place.
    const node = isKnown ? this.#current(index.nodeOf(uuidHigh, uuidLow)) : this.#place(link);
    this.#memory.newestNode = node;
    this.#memory.hasNewest = hasUuid;
    this.#memory.newestHigh = uuidHigh;
    this.#memory.newestLow = uuidLow;
    if (hasUuid) {
      index.put(uuidHigh, uuidLow, line, node);
      if (!isKnown && this.#orphans !== undefined) this.#adopt(link.uuid(), node);
    }
    return node < 0 ? 0 : node;
  }

  /** The branches since the last call of this method; undefined for none. */
  takeBranches(): readonly Branch[] | undefined {
    const branches = this.#branches;
    this.#branches = undefined;
    return branches;
  }

  #find(uuid: string): IndexedLine | undefined {
    const known = this.#index.get(uuid);
    if (known !== undefined || this.#lookUp === undefined) return known;
    const found = this.#lookUp(uuid);
    if (found !== undefined) this.#set(uuid, found.line, found.node);
    return found;
  }

  #set(uuid: string, line: number, node: number): void {
    const [high, low] = hash64(uuid);
    this.#index.put(high, low, line, node);
  }

  #place(link: Link): number {
    const parent = this.#parentOf(link);
    if (parent < 0) return this.#placeOrphan(link, parent);
    if (!link.isCall) return parent;
    if (parent !== this.#memory.newestCall) this.#branch(link.line, parent);
    this.#memory.newestCall = link.line;
    return link.line;
  }

  #parentOf(link: Link): number {
    // Most lines continue from the line before them, as does a line that gives no parent.
    if (link.parentLow === this.#memory.newestLow && this.#continuesNewest(link))
      return this.#current(this.#memory.newestNode);
    return this.#parentBefore(link);
  }

  #parentBefore(link: Link): number {
    if (link.parent === "unspecified") return this.#current(this.#memory.newestNode);
    if (link.parent === "none") return 0;
    const { line, parentHigh, parentLow, standIns } = link;
    if (this.#index.lineOf(parentHigh, parentLow) !== 0) {
      return this.#current(this.#index.nodeOf(parentHigh, parentLow));
    }
    const parent = link.parentUuid();
    const known = this.#find(parent) ?? this.#firstOf(standIns);
    if (known !== undefined) return this.#current(known.node);
    // A line that is written after a compaction cannot be part of what it kept.
    if (link.isBoundary) return 0;
    this.#keep([...(this.#orphans ?? []), { node: -line, parent, since: line, uuids: [], calls: [] }]);
    return -line;
  }

  #continuesNewest({ parent, parentHigh, parentLow }: Link): boolean {
    return (
      this.#memory.hasNewest &&
      parent === "uuid" &&
      parentLow === this.#memory.newestLow &&
      parentHigh === this.#memory.newestHigh
    );
  }

  #firstOf(uuids: readonly string[] = []): IndexedLine | undefined {
    for (const uuid of uuids) {
      const known = this.#find(uuid);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  #placeOrphan(link: Link, node: number): number {
    const { line, isCall } = link;
    const orphans = this.#orphansAt(node);
    if (orphans === undefined) return 0;
    const { uuids, calls } = orphans;
    if (!isCall) {
      this.#replace(orphans, { ...orphans, uuids: link.hasUuid ? [...uuids, link.uuid()] : uuids });
      return node;
    }
    this.#replace(orphans, { ...orphans, calls: [...calls, line] });
    this.#branch(line, 0);
    this.#memory.newestCall = line;
    return line;
  }

  #branch(call: number, from: number): void {
    this.#branches = [...(this.#branches ?? []), { call, from }];
  }

  /** Orphans that were given up on have no ancestors. */
  #current(node: number): number {
    return node >= 0 || this.#orphansAt(node) !== undefined ? node : 0;
  }

  #orphansAt(node: number): Orphans | undefined {
    return this.#orphans?.find(orphans => orphans.node === node);
  }

  #giveUp(before: number): void {
    this.#keep(this.#orphans?.filter(({ since }) => since >= before) ?? []);
  }

  #keep(orphans: readonly Orphans[]): void {
    this.#orphans = orphans.length > 0 ? orphans : undefined;
    this.#memory.hasOrphans = orphans.length > 0;
  }

  #replace(before: Orphans, after: Orphans | undefined): void {
    this.#keep(this.#orphans?.flatMap(one => (one === before ? (after ?? []) : one)) ?? []);
  }

  /** The parent that some orphans were waiting for has arrived. */
  #adopt(uuid: string, node: number): void {
    for (const waiting of this.#orphans?.filter(({ parent }) => parent === uuid) ?? []) {
      const orphans = this.#orphansAt(waiting.node);
      if (orphans === undefined) continue;
      this.#replace(orphans, undefined);
      // Ignores a parent that descends from its own child, or from a later call than the child.
      if (orphans.node === node || orphans.calls.some(call => call <= node)) continue;
      for (const one of orphans.uuids) this.#set(one, this.#index.get(one)?.line ?? 0, node);
      if (this.#memory.newestNode === orphans.node) this.#memory.newestNode = node;
      const others = this.#orphansAt(node);
      if (others !== undefined) this.#replace(others, joined(others, orphans));
      else if (node > 0) for (const call of orphans.calls) this.#branch(call, node);
    }
  }
}

function joined(to: Orphans, from: Orphans): Orphans {
  return {
    ...to,
    since: Math.min(to.since, from.since),
    uuids: [...to.uuids, ...from.uuids],
    calls: [...to.calls, ...from.calls],
  };
}
