/**
 * Live hints look after themselves: where a model often asks again for what hints stood for, fewer are given. Hooks, mod
 * and replay all count here, by nothing but the calls and results of the context: docs/rules.md, "Falling back".
 */
import type { Digest } from "./digest.js";

/** Hints for whole results and runs of lines, for whole results only, or none. */
const HINT_LEVELS = ["all", "whole", "none"] as const;
export type HintLevel = (typeof HINT_LEVELS)[number];

/** Before so many results with hints, nobody can tell a habit from chance. */
const MIN_HINTED = 10;
/** More is too much. Asking again costs a request and the whole text; a hint only ever saves the text. */
const MAX_ASKED_SHARE = 0.15;

type CallOf = Pick<Digest, "id" | "tool" | "path" | "target" | "range">;

/** A call that was answered with hints. */
interface HintedCall {
  readonly id: string;
  readonly key: string;
}

/** As plain data. */
export interface SavedFallback {
  readonly level: HintLevel;
  readonly hinted: number;
  readonly asked: number;
  readonly request: number;
  readonly now: readonly HintedCall[];
  readonly before: readonly HintedCall[];
}

/** What made hints fall back. */
export interface Fall {
  readonly level: HintLevel;
  readonly hinted: number;
  readonly asked: number;
}

const START: SavedFallback = { level: "all", hinted: 0, asked: 0, request: 0, now: [], before: [] };

export class Fallback {
  #state: SavedFallback;

  constructor(saved: SavedFallback = START) {
    this.#state = saved;
  }

  get state(): SavedFallback {
    return this.#state;
  }

  get level(): HintLevel {
    return this.#state.level;
  }

  /**
   * A request begins. What falls back, falls back here: calls of one message run side by side, and whoever gives hints
   * may not know of the others yet.
   */
  turnTo(request: number): Fall | undefined {
    const { level, hinted, asked, now } = this.#state;
    this.#state = { ...this.#state, request, now: [], before: now };
    const next = HINT_LEVELS[HINT_LEVELS.indexOf(level) + 1];
    if (next === undefined || hinted < MIN_HINTED || asked <= hinted * MAX_ASKED_SHARE) return undefined;
    this.#state = { ...this.#state, level: next, hinted: 0, asked: 0 };
    return { level: next, hinted, asked };
  }

  /** A call was answered. Gives the call before it that had been answered with hints, if it is the same call again. */
  answered(call: CallOf): string | undefined {
    const { asked, before } = this.#state;
    if (before.length === 0) return undefined;
    const key = keyOf(call);
    const again = before.find(one => one.key === key);
    if (again === undefined) return undefined;
    this.#state = { ...this.#state, asked: asked + 1, before: before.filter(one => one !== again) };
    return again.id;
  }

  /** Its answer held hints. */
  hint(call: CallOf): void {
    const { hinted, now } = this.#state;
    this.#state = { ...this.#state, hinted: hinted + 1, now: [...now, { id: call.id, key: keyOf(call) }] };
  }

  /** It did not, after all. */
  takeBack(id: string): void {
    const { hinted, now } = this.#state;
    const others = now.filter(one => one.id !== id);
    this.#state = { ...this.#state, hinted: hinted - (now.length - others.length), now: others };
  }

  /** The conversation was compacted: whoever asks now may have lost the text. */
  forget(): void {
    this.#state = { ...this.#state, now: [], before: [] };
  }
}

/** The same tool, asked for the same thing. */
function keyOf({ tool, path, target, range }: CallOf): string {
  return `${tool} ${path ?? target} ${range ?? ""}`;
}
