import type { SessionItem } from "../protocol/messages.js";

/**
 * Which live session to show. While several are written to at the same time, the one that is shown stays, until another
 * one begins or continues after a silence: otherwise, every line of a log would switch to it.
 */
export class LiveChoice {
  #live: ReadonlySet<string> = new Set();

  /** `followed`: newest first. Undefined if none is live. */
  next<T extends Pick<SessionItem, "key" | "live">>(followed: readonly T[], shown: string | undefined): T | undefined {
    const live = followed.filter(item => item.live);
    const known = this.#live;
    this.#live = new Set(live.map(({ key }) => key));
    const at = live.findIndex(item => item.key === shown);
    return at < 0 ? live[0] : (live.slice(0, at).find(item => !known.has(item.key)) ?? live[at]);
  }
}
