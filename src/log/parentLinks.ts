import { type IndexedLine, LineIndex, type SavedLineIndex } from "./lineIndex.js";

/** A line as far as its place among the others goes. */
export interface Link {
  readonly line: number;
  readonly uuid: string | undefined;
  /** What the line says of its parent: a uuid, null, anything; undefined where it says nothing. */
  readonly parent: unknown;
  /** Uuids that stand in for a parent that is not there; the first that is counts. */
  readonly standIns?: readonly string[];
  /** The line makes a call. */
  readonly isCall: boolean;
}

/** A call that does not go on from the call before it, or of which that has only now become known: see `Chain`. */
export interface Branch {
  readonly call: number;
  readonly from: number;
}

/** Finds a line that the index no longer holds. */
export type LineLookup = (uuid: string) => IndexedLine | undefined;

/** Lines whose parent has not been seen, and what has gone on from them. */
interface Orphans {
  /** Below 0: no call's line is. */
  readonly node: number;
  readonly parent: string;
  /** The oldest of them. */
  readonly since: number;
  readonly uuids: readonly string[];
  /** Calls that go on from them, each with no other call between. */
  readonly calls: readonly number[];
}

export interface SavedLinks {
  readonly index: SavedLineIndex;
  readonly newestCall: number;
  readonly newestNode: number;
  readonly orphans: readonly Orphans[];
}

/** Claude Code writes its lines side by side: a parent may come a little later than its child, but not much. */
const MAX_WAIT_LINES = 16;

/**
 * How the lines of one context hang together. Only calls matter in the end, so each line is remembered with one number,
 * its node: the newest call that it comes from, or its own line where it makes a call; 0 where it comes from none, or
 * from a line that is not there. A parent that comes after its child counts once it is there.
 */
export class Links {
  readonly #index: LineIndex;
  readonly #lookUp: LineLookup | undefined;
  /** The newest call of all. */
  #newestCall: number;
  /** Of the newest line. */
  #newestNode: number;
  #newestUuid: string | undefined;
  // Undefined where there are none, as nearly always: every line of every log comes through here.
  #orphans: readonly Orphans[] | undefined;
  #branches: Branch[] | undefined;

  constructor(saved?: SavedLinks, lookUp?: LineLookup) {
    this.#index = new LineIndex(saved?.index);
    this.#lookUp = lookUp;
    this.#newestCall = saved?.newestCall ?? 0;
    this.#newestNode = saved?.newestNode ?? 0;
    this.#keep(saved?.orphans ?? []);
  }

  get state(): SavedLinks {
    return this.since(1);
  }

  /** As much of it as tells of this line and those after it. */
  since(line: number): SavedLinks {
    const [newestCall, newestNode] = [this.#newestCall, this.#newestNode];
    return { index: this.#index.since(line), newestCall, newestNode, orphans: this.#orphans ?? [] };
  }

  /** The line with this uuid, the newest one where it has copies. */
  lineOf(uuid: string): number | undefined {
    return this.#find(uuid)?.line;
  }

  /** Takes a line in. Gives the newest call that it comes from, or its own line where it makes one; 0 where none is known. */
  add(link: Link): number {
    const { uuid } = link;
    if (this.#orphans !== undefined) this.#giveUp(link.line - MAX_WAIT_LINES);
    const known = uuid === undefined ? undefined : this.#index.get(uuid);
    // A copy of a line is the line: it keeps its place.
    const node = known === undefined ? this.#place(link) : this.#current(known.node);
    this.#newestNode = node;
    this.#newestUuid = uuid;
    if (uuid !== undefined) {
      this.#index.set(uuid, link.line, node);
      if (known === undefined && this.#orphans !== undefined) this.#adopt(uuid, node);
    }
    return node < 0 ? 0 : node;
  }

  /** The branches that the lines since the last question made; undefined for none. */
  branches(): readonly Branch[] | undefined {
    const told = this.#branches;
    this.#branches = undefined;
    return told;
  }

  #find(uuid: string): IndexedLine | undefined {
    const known = this.#index.get(uuid);
    if (known !== undefined || this.#lookUp === undefined) return known;
    const found = this.#lookUp(uuid);
    if (found !== undefined) this.#index.set(uuid, found.line, found.node);
    return found;
  }

  #place(link: Link): number {
    const parent = this.#parentOf(link);
    if (parent < 0) return this.#placeOrphan(link, parent);
    if (!link.isCall) return parent;
    if (parent !== this.#newestCall) this.#tell(link.line, parent);
    this.#newestCall = link.line;
    return link.line;
  }

  #parentOf({ line, parent, standIns }: Link): number {
    // Most lines go on from the line before them; so does what says nothing of its parent.
    if (parent === undefined || parent === this.#newestUuid) return this.#current(this.#newestNode);
    if (typeof parent !== "string") return 0;
    const known = this.#find(parent) ?? this.#firstOf(standIns);
    if (known !== undefined) return this.#current(known.node);
    this.#keep([...(this.#orphans ?? []), { node: -line, parent, since: line, uuids: [], calls: [] }]);
    return -line;
  }

  #firstOf(uuids: readonly string[] = []): IndexedLine | undefined {
    for (const uuid of uuids) {
      const known = this.#find(uuid);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  #placeOrphan({ line, uuid, isCall }: Link, node: number): number {
    const orphans = this.#orphansAt(node);
    if (orphans === undefined) return 0;
    const { uuids, calls } = orphans;
    if (!isCall) {
      this.#replace(orphans, { ...orphans, uuids: uuid === undefined ? uuids : [...uuids, uuid] });
      return node;
    }
    this.#replace(orphans, { ...orphans, calls: [...calls, line] });
    this.#tell(line, 0);
    this.#newestCall = line;
    return line;
  }

  #tell(call: number, from: number): void {
    this.#branches = [...(this.#branches ?? []), { call, from }];
  }

  /** Orphans that nobody waits for any longer come from nowhere. */
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
  }

  #replace(before: Orphans, after: Orphans | undefined): void {
    this.#keep(this.#orphans?.flatMap(one => (one === before ? (after ?? []) : one)) ?? []);
  }

  /** The line that some orphans have been waiting for is there. */
  #adopt(uuid: string, node: number): void {
    for (const waiting of this.#orphans?.filter(({ parent }) => parent === uuid) ?? []) {
      const orphans = this.#orphansAt(waiting.node);
      if (orphans === undefined) continue;
      this.#replace(orphans, undefined);
      // A parent that comes from its own child, or from a call after the child's, is none.
      if (orphans.node === node || orphans.calls.some(call => call <= node)) continue;
      for (const one of orphans.uuids) this.#index.set(one, this.#index.get(one)?.line ?? 0, node);
      if (this.#newestNode === orphans.node) this.#newestNode = node;
      const others = this.#orphansAt(node);
      if (others !== undefined) this.#replace(others, joined(others, orphans));
      else if (node > 0) for (const call of orphans.calls) this.#tell(call, node);
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
