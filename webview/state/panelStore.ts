import { signal } from "@preact/signals";
import { applyDelta, type LiveContext, type LiveState, openState } from "../../src/protocol/apply.js";
import type { PanelUpdate, ToHost } from "../../src/protocol/messages.js";
import { unpackState } from "../../src/protocol/packing.js";

/**
 * The page's data: replaced by snapshots, extended in place by deltas. Views are updated once per frame, however many
 * deltas have arrived; reading `members` or `context` subscribes to these updates.
 */
export class PanelStore {
  readonly #send: (message: ToHost) => void;
  readonly #nextFrame: (flush: () => void) => void;
  readonly #membersVersion = signal(0);
  readonly #contextVersion = signal(0);
  #live: LiveState | null = null;
  #seq = -1;
  /** After a gap, deltas are ignored until the next snapshot. */
  #waiting = true;
  #scheduled = false;
  #grown = false;

  constructor(send: (message: ToHost) => void, nextFrame: (flush: () => void) => void) {
    this.#send = send;
    this.#nextFrame = nextFrame;
  }

  /** Everything but the context; null before the first snapshot. */
  get members(): LiveState | null {
    this.#membersVersion.value;
    return this.#live;
  }

  get context(): LiveContext | null {
    this.#contextVersion.value;
    return this.#live?.context ?? null;
  }

  /** Incremented whenever the context grows. */
  get contextVersion(): number {
    return this.#contextVersion.value;
  }

  /** The current data, without subscribing. */
  peek(): LiveState | null {
    return this.#live;
  }

  /** Identifies what answers about a call depend on: the conversation and the settings. Without subscribing. */
  get basis(): string {
    const { selected, basis } = this.#live ?? {};
    return JSON.stringify([selected?.session, selected?.context, basis]);
  }

  /** Requests a snapshot: at the start, when visible again, and after a gap. */
  ready(): void {
    this.#waiting = true;
    this.#send({ type: "ready" });
  }

  take(message: PanelUpdate): void {
    if (message.type === "snapshot") {
      this.#live = openState(unpackState(message.state));
      this.#seq = message.seq;
      this.#waiting = false;
      this.#grown = true;
      this.#flush();
      return;
    }
    if (this.#waiting || this.#live === null) return;
    const { seq, delta } = message;
    if (seq !== this.#seq + 1 || !applyDelta(this.#live, delta)) {
      this.ready();
      return;
    }
    this.#seq = seq;
    this.#grown ||= delta.grown !== undefined;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#nextFrame(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    this.#membersVersion.value++;
    if (this.#grown) this.#contextVersion.value++;
    this.#grown = false;
  }
}
