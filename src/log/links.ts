import { type IndexedLine, LineIndex, type SavedLineIndex } from "./lineIndex.js";

/** A line as far as its place among the others goes. */
export interface Link {
  readonly line: number;
  readonly uuid: string | undefined;
  /** What the line says of its parent: a uuid, null, anything; undefined where it says nothing. */
  readonly parent: unknown;
  /** The line makes a call. */
  readonly isCall: boolean;
}

/** A call that does not go on from the call before it, or of which that has only now become known: see `Chain`. */
export type BranchSink = (call: number, from: number) => void;

/** Finds a line that the index no longer holds. */
export type LineLookup = (uuid: string) => IndexedLine | undefined;

/** Lines whose parent has not been seen, and what has gone on from them. */
interface Orphans {
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
/** A node above this stands for orphans, whose line it is counted from. */
const ORPHANS = 2 ** 31;

/**
 * How the lines of one context hang together. Only calls matter in the end, so each line is remembered with one number,
 * its node: the newest call that it comes from, or its own line where it makes a call; 0 where it comes from none, or
 * from a line that is not there. A parent that comes after its child counts once it is there.
 */
export class Links {
  readonly #index: LineIndex;
  /** The newest call of all, and the node of the newest line. */
  #newestCall: number;
  #newestNode: number;
  #orphans: readonly Orphans[];
  readonly #lookUp: LineLookup | undefined;

  constructor(saved?: SavedLinks, lookUp?: LineLookup) {
    this.#index = new LineIndex(saved?.index);
    this.#newestCall = saved?.newestCall ?? 0;
    this.#newestNode = saved?.newestNode ?? 0;
    this.#orphans = saved?.orphans ?? [];
    this.#lookUp = lookUp;
  }

  get state(): SavedLinks {
    return this.since(1);
  }

  /** As much of it as tells of this line and those after it. */
  since(line: number): SavedLinks {
    const [newestCall, newestNode, orphans] = [this.#newestCall, this.#newestNode, this.#orphans];
    return { index: this.#index.since(line), newestCall, newestNode, orphans };
  }

  /** The line with this uuid, the newest one where it has copies. */
  lineOf(uuid: string): number | undefined {
    return this.#find(uuid)?.line;
  }

  /** Takes a line in. Gives the newest call that it comes from, or its own line where it makes one; 0 where none is known. */
  add(link: Link, tell: BranchSink): number {
    const { line, uuid } = link;
    if (this.#orphans.length > 0) this.#orphans = this.#orphans.filter(({ since }) => line - since <= MAX_WAIT_LINES);
    const known = uuid === undefined ? undefined : this.#index.get(uuid);
    // A copy of a line is the line: it keeps its place.
    const node = known === undefined ? this.#place(link, tell) : this.#current(known.node);
    this.#newestNode = node;
    if (uuid !== undefined) {
      this.#index.set(uuid, line, node);
      if (known === undefined && this.#orphans.length > 0) this.#adopt(uuid, node, tell);
    }
    return node < ORPHANS ? node : 0;
  }

  #find(uuid: string): IndexedLine | undefined {
    const known = this.#index.get(uuid);
    if (known !== undefined || this.#lookUp === undefined) return known;
    const found = this.#lookUp(uuid);
    if (found !== undefined) this.#index.set(uuid, found.line, found.node);
    return found;
  }

  #place(link: Link, tell: BranchSink): number {
    const parent = this.#parentOf(link);
    const orphans = this.#orphans.find(({ node }) => node === parent);
    if (!link.isCall) {
      if (orphans !== undefined && link.uuid !== undefined) {
        this.#replace(orphans, { ...orphans, uuids: [...orphans.uuids, link.uuid] });
      }
      return parent;
    }
    if (orphans !== undefined) this.#replace(orphans, { ...orphans, calls: [...orphans.calls, link.line] });
    if (parent !== this.#newestCall) tell(link.line, orphans === undefined ? parent : 0);
    this.#newestCall = link.line;
    return link.line;
  }

  #parentOf({ line, parent }: Link): number {
    // What says nothing of its parent goes on from the line before it.
    if (parent === undefined) return this.#current(this.#newestNode);
    if (typeof parent !== "string") return 0;
    const known = this.#find(parent);
    if (known !== undefined) return this.#current(known.node);
    const node = ORPHANS + line;
    this.#orphans = [...this.#orphans, { node, parent, since: line, uuids: [], calls: [] }];
    return node;
  }

  /** Orphans that nobody waits for any longer come from nowhere. */
  #current(node: number): number {
    return node < ORPHANS || this.#orphans.some(orphans => orphans.node === node) ? node : 0;
  }

  #replace(before: Orphans, after: Orphans | undefined): void {
    this.#orphans = this.#orphans.flatMap(one => (one === before ? (after ?? []) : one));
  }

  /** The line that some orphans have been waiting for is there. */
  #adopt(uuid: string, node: number, tell: BranchSink): void {
    for (const waiting of this.#orphans.filter(({ parent }) => parent === uuid)) {
      const orphans = this.#orphans.find(one => one.node === waiting.node);
      if (orphans === undefined) continue;
      this.#replace(orphans, undefined);
      // A parent that comes from its own child, or from a call after the child's, is none.
      if (orphans.node === node || (node < ORPHANS && orphans.calls.some(call => call <= node))) continue;
      for (const one of orphans.uuids) this.#index.set(one, this.#index.get(one)?.line ?? 0, node);
      if (this.#newestNode === orphans.node) this.#newestNode = node;
      const others = this.#orphans.find(one => one.node === node);
      if (others !== undefined) this.#replace(others, joined(others, orphans));
      else if (node > 0) for (const call of orphans.calls) tell(call, node);
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
