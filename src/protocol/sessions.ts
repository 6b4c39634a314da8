/** The list of sessions on its way to a page: thousands of items, few of which change at a time. */
import type { SessionItem } from "./messages.js";

export interface SessionsDelta {
  /** New or changed. */
  readonly changed: readonly SessionItem[];
  /** The keys of sessions that no longer exist. */
  readonly gone: readonly string[];
}

/** Newest first. */
export function byNewest(left: SessionItem, right: SessionItem): number {
  if (left.lastAt !== right.lastAt) return left.lastAt < right.lastAt ? 1 : -1;
  return left.key < right.key ? -1 : 1;
}

export function mergeSessions(list: readonly SessionItem[], { changed, gone }: SessionsDelta): SessionItem[] {
  const merged = new Map(list.map(item => [item.key, item]));
  for (const item of changed) merged.set(item.key, item);
  for (const key of gone) merged.delete(key);
  return [...merged.values()].sort(byNewest);
}

/** Tracks which items a page has been sent. A changed item is a new object. */
export class SentSessions {
  #sent = new Map<string, SessionItem>();

  /** Starts over with the first `max` of the list and the selected one. */
  restart(list: readonly SessionItem[], max: number, selected: string | undefined): SessionItem[] {
    const first = list.filter(({ key }, at) => at < max || key === selected);
    this.#sent = new Map(first.map(item => [item.key, item]));
    return first;
  }

  /** What to send next, at most `max` changed items at a time; undefined if nothing. */
  next(list: readonly SessionItem[], max: number): SessionsDelta | undefined {
    const changed: SessionItem[] = [];
    for (const item of list) {
      if (this.#sent.get(item.key) === item) continue;
      changed.push(item);
      if (changed.length === max) break;
    }
    for (const item of changed) this.#sent.set(item.key, item);
    const gone = this.#sent.size > list.length ? this.#forgetOthers(list) : [];
    return changed.length + gone.length > 0 ? { changed, gone } : undefined;
  }

  #forgetOthers(list: readonly SessionItem[]): string[] {
    const keys = new Set(list.map(item => item.key));
    const gone = [...this.#sent.keys()].filter(key => !keys.has(key));
    for (const key of gone) this.#sent.delete(key);
    return gone;
  }
}
