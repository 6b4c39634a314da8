/** The list of sessions as it travels: thousands of lines, of which few change at a time. */
import type { SessionItem } from "./messages.js";

export interface SessionsDelta {
  /** New or changed. */
  readonly changed: readonly SessionItem[];
  /** The keys of those that are no more. */
  readonly gone: readonly string[];
}

/** Newest first. */
export function byNewest(left: SessionItem, right: SessionItem): number {
  if (left.lastAt !== right.lastAt) return left.lastAt < right.lastAt ? 1 : -1;
  return left.key < right.key ? -1 : 1;
}

/** The user's own sessions; the sample stands in for them where there are none. */
export function ownSessions(list: readonly SessionItem[]): readonly SessionItem[] {
  const own = list.filter(item => !item.sample);
  return own.length > 0 ? own : list;
}

export function mergeSessions(list: readonly SessionItem[], { changed, gone }: SessionsDelta): SessionItem[] {
  const merged = new Map(list.map(item => [item.key, item]));
  for (const item of changed) merged.set(item.key, item);
  for (const key of gone) merged.delete(key);
  return [...merged.values()].sort(byNewest);
}

/** What somebody has been told of the list. An item that has changed is another object. */
export class ToldSessions {
  #told = new Map<string, SessionItem>();

  /** Starts over: the first of the list, and the one that is looked at. */
  anew(list: readonly SessionItem[], most: number, selected: string | undefined): SessionItem[] {
    const first = list.filter(({ key }, at) => at < most || key === selected);
    this.#told = new Map(first.map(item => [item.key, item]));
    return first;
  }

  /** What is to be told next, the first of it where it is much; undefined where there is nothing. */
  next(list: readonly SessionItem[], most: number): SessionsDelta | undefined {
    const changed: SessionItem[] = [];
    for (const item of list) {
      if (this.#told.get(item.key) === item) continue;
      changed.push(item);
      if (changed.length === most) break;
    }
    for (const item of changed) this.#told.set(item.key, item);
    const gone = this.#told.size > list.length ? this.#forgetOthers(list) : [];
    return changed.length + gone.length > 0 ? { changed, gone } : undefined;
  }

  #forgetOthers(list: readonly SessionItem[]): string[] {
    const keys = new Set(list.map(item => item.key));
    const gone = [...this.#told.keys()].filter(key => !keys.has(key));
    for (const key of gone) this.#told.delete(key);
    return gone;
  }
}
