import type { ClearedBy } from "../log/facts.js";

/** A real log has far fewer at a time. */
const MAX_WAITING = 4096;

/** Results that were cleared before they were read: lines are written in parallel. */
export class EarlyClears {
  readonly #waiting: Map<string, ClearedBy>;

  constructor(saved?: ReadonlyMap<string, ClearedBy>) {
    this.#waiting = new Map(saved);
  }

  get state(): ReadonlyMap<string, ClearedBy> {
    return new Map(this.#waiting);
  }

  /** `isRead`: whether a result has been read. */
  note(ids: Iterable<string>, by: ClearedBy, isRead: (id: string) => boolean): void {
    for (const id of ids) {
      if (this.#waiting.size >= MAX_WAITING) return;
      if (!isRead(id) && !this.#waiting.has(id)) this.#waiting.set(id, by);
    }
  }

  /** How the result that has just been read was cleared; undefined if it was not. */
  take(id: string): ClearedBy | undefined {
    const by = this.#waiting.get(id);
    this.#waiting.delete(id);
    return by;
  }
}
