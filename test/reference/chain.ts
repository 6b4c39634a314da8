/**
 * The chain of parents (docs/rules.md "What ends reachability") for the naive reference replay: one object per line, each
 * pointing at its parent.
 */

export interface Link {
  uuid: unknown;
  line: number;
  /** The line makes a call. */
  call: boolean;
  parent: Link | undefined;
  /** The uuid of a parent that has not appeared yet, and the oldest line that waits for it. */
  waitsFor: string | undefined;
  waitsSince: number;
}

/** Claude Code writes lines concurrently: a parent may come this many lines after its child. */
const PATIENCE = 16;

/** Adds a line after `newest`, the previous line of its context; returns its link, for a copy the original's. */
export function addLink(
  links: Link[],
  newest: Link | undefined,
  { uuid, line, parent, call }: { uuid: unknown; line: number; parent: unknown; call: boolean },
): Link {
  const first = links.find(link => typeof uuid === "string" && link.uuid === uuid);
  if (first !== undefined) return first;
  const known = links.find(link => typeof parent === "string" && link.uuid === parent);
  const fresh: Link = {
    uuid,
    line,
    call,
    parent: parent === undefined ? newest : known,
    waitsFor: typeof parent === "string" && known === undefined ? parent : undefined,
    waitsSince: line,
  };
  links.push(fresh);
  for (const child of links.filter(link => typeof uuid === "string" && link.waitsFor === uuid))
    adopt(links, fresh, child);
  return fresh;
}

function adopt(links: Link[], parent: Link, child: Link): void {
  if (parent.line - child.waitsSince > PATIENCE) return;
  child.waitsFor = undefined;
  const call = nearestCall(parent);
  const calls = links.filter(link => link.call && leadsTo(link, child)).map(link => link.line);
  // Ignore a parent that descends from its own child, or from a call after one of the child's.
  if (leadsTo(parent, child) || calls.some(line => line <= (call?.line ?? 0))) return;
  child.parent = parent;
  // If all of them wait for the same line, they wait only as long as the oldest does.
  const root = ancestors(parent).at(-1);
  if (root !== undefined && call === undefined) root.waitsSince = Math.min(root.waitsSince, child.waitsSince);
}

/** The link and all its ancestors. */
function ancestors(link: Link | undefined): Link[] {
  const all: Link[] = [];
  for (let at = link; at !== undefined; at = at.parent) all.push(at);
  return all;
}

/** Whether it was written after the last compaction but belongs to a call before it. */
export function isFromBefore({ line, call }: { line: number; call: Link | undefined }, boundary: number): boolean {
  return line > boundary && (call?.line ?? 0) <= boundary;
}

export function leadsTo(link: Link | undefined, ancestor: Link | undefined): boolean {
  return ancestor !== undefined && ancestors(link).includes(ancestor);
}

export function nearestCall(link: Link | undefined): Link | undefined {
  return ancestors(link).find(one => one.call);
}
