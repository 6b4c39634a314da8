/** What is chosen from the list of sessions and summed up in it, by everything that shows the list. */
import type { SavedInSessions } from "./figures.js";

interface Listed {
  /** In a folder that is open in the window. */
  readonly here?: true;
  /** The bundled sample, not one of the user's own sessions. */
  readonly sample?: true;
}

/** The sessions that a window follows: those of its own folders or, if there are none, all. Never the sample. */
export function followedSessions<T extends Listed>(list: readonly T[]): readonly T[] {
  const own = list.filter(item => !item.sample);
  const here = own.filter(item => item.here);
  return here.length > 0 ? here : own;
}

/** The list in two groups, each in its order; one of them may be empty. */
export function groupsOf<T extends Listed>(list: readonly T[]): readonly [here: T[], others: T[]] {
  return [list.filter(item => item.here), list.filter(item => !item.here)];
}

/** What live hints would have saved in the user's own sessions. */
export function savedIn(list: readonly (Listed & Omit<SavedInSessions, "sessions">)[]): SavedInSessions {
  const own = list.filter(item => !item.sample);
  const sum = (of: (item: Omit<SavedInSessions, "sessions">) => number) =>
    own.reduce((total, item) => total + of(item), 0);
  return {
    sessions: own.length,
    tokens: sum(item => item.tokens),
    savedTokens: sum(item => item.savedTokens),
    wholeTokens: sum(item => item.wholeTokens),
  };
}
