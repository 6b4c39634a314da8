/**
 * Live hints look after themselves: where a model often asks again for what hints stood for, fewer are given. Hooks, mod
 * and replay all count here, by nothing but the calls and results of the context: docs/rules.md, "Falling back".
 */
import type { Digest } from "./digest.js";

/** Hints for whole results and runs of lines, for whole results only, or none. */
export const HINT_LEVELS = ["all", "whole", "none"] as const;
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

export class Fallback {
  #level: HintLevel;
  #hinted: number;
  #asked: number;
  #request: number;
  #now: HintedCall[];
  /** By key, the first one last. Nothing may look at all of them for every call: whoever writes a log decides how many there are. */
  #before: Map<string, HintedCall[]>;

  constructor(saved?: SavedFallback) {
    this.#level = saved?.level ?? "all";
    this.#hinted = saved?.hinted ?? 0;
    this.#asked = saved?.asked ?? 0;
    this.#request = saved?.request ?? 0;
    this.#now = [...(saved?.now ?? [])];
    this.#before = byKey(saved?.before ?? []);
  }

  get state(): SavedFallback {
    const [level, hinted, asked, request] = [this.#level, this.#hinted, this.#asked, this.#request];
    const before = [...this.#before.values()].flatMap(calls => calls.toReversed());
    return { level, hinted, asked, request, now: [...this.#now], before };
  }

  get level(): HintLevel {
    return this.#level;
  }

  /**
   * A request begins. What falls back, falls back here: calls of one message run side by side, and whoever gives hints
   * may not know of the others yet.
   */
  turnTo(request: number): Fall | undefined {
    this.#request = request;
    if (this.#now.length > 0 || this.#before.size > 0) this.#before = byKey(this.#now);
    this.#now = [];
    const [hinted, asked] = [this.#hinted, this.#asked];
    const next = HINT_LEVELS[HINT_LEVELS.indexOf(this.#level) + 1];
    if (next === undefined || hinted < MIN_HINTED || asked <= hinted * MAX_ASKED_SHARE) return undefined;
    this.#level = next;
    this.#hinted = this.#asked = 0;
    return { level: next, hinted, asked };
  }

  /** A call was answered. Gives the call before it that had been answered with hints, if it is the same call again. */
  answered(call: CallOf): string | undefined {
    if (this.#before.size === 0) return undefined;
    const again = this.#before.get(keyOf(call))?.pop();
    if (again !== undefined) this.#asked++;
    return again?.id;
  }

  /** Its answer held hints. */
  hint(call: CallOf): void {
    this.#hinted++;
    this.#now.push({ id: call.id, key: keyOf(call) });
  }

  /** It did not, after all. */
  takeBack(id: string): void {
    const others = this.#now.filter(one => one.id !== id);
    this.#hinted -= this.#now.length - others.length;
    this.#now = others;
  }

  /** The conversation was compacted: whoever asks now may have lost the text. */
  forget(): void {
    this.#now = [];
    this.#before = new Map();
  }
}

function byKey(calls: readonly HintedCall[]): Map<string, HintedCall[]> {
  const known = new Map<string, HintedCall[]>();
  for (const call of calls.toReversed()) {
    const others = known.get(call.key);
    if (others === undefined) known.set(call.key, [call]);
    else others.push(call);
  }
  return known;
}

/** The same tool, asked for the same thing. */
function keyOf({ tool, path, target, range }: CallOf): string {
  return JSON.stringify([tool, path ?? [target], range]);
}
