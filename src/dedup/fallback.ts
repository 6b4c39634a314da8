/**
 * Live hints regulate themselves: if a model often asks again for what hints replaced, it gets fewer. Hooks, mod and
 * replay share this counter, which uses only the calls and results of the context: docs/rules.md, "Falling back".
 */
import type { Digest } from "./digest.js";

/** Hints for whole results and runs of lines, for whole results only, or none. */
export const HINT_LEVELS = ["all", "whole", "none"] as const;
export type HintLevel = (typeof HINT_LEVELS)[number];

/** With fewer hinted results, a habit cannot be distinguished from chance. */
const MIN_HINTED = 10;
/** Asking again costs a request and the whole text; a hint only ever saves the text. */
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
  /** By key, the first one last. Never scanned on a call: a log may contain any number of them. */
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
   * A request begins. Hints fall back only here: the calls of one message run in parallel, and when hints are given, the
   * other calls may not be known yet.
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

  /** A call was answered. Returns the previous hinted call that it repeats, if any. */
  answered(call: CallOf): string | undefined {
    if (this.#before.size === 0) return undefined;
    const again = this.#before.get(keyOf(call))?.pop();
    if (again !== undefined) this.#asked++;
    return again?.id;
  }

  /** The call's answer contained hints. */
  hint(call: CallOf): void {
    this.#hinted++;
    this.#now.push({ id: call.id, key: keyOf(call) });
  }

  /** Undoes `hint`. */
  takeBack(id: string): void {
    const others = this.#now.filter(one => one.id !== id);
    this.#hinted -= this.#now.length - others.length;
    this.#now = others;
  }

  /** The conversation was compacted: a model that asks now may have lost the text. */
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

/** The same tool with the same subject. */
function keyOf({ tool, path, target, range }: CallOf): string {
  return JSON.stringify([tool, path ?? [target], range]);
}
