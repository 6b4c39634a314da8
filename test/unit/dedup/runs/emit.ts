/** What one strategy for runs would emit for facts that a test makes up. */

import type { Decision } from "../../../../src/dedup/decision.js";
import { digest } from "../../../../src/dedup/digest.js";
import { fingerprint } from "../../../../src/dedup/fingerprint.js";
import { OtherWays } from "../../../../src/dedup/otherWays.js";
import { ContextReplay } from "../../../../src/dedup/replay.js";
import { emittedText } from "../../../../src/dedup/runs/contextRuns.js";
import { LineScanner } from "../../../../src/dedup/runs/lines.js";
import type { Run } from "../../../../src/dedup/runs/matcher.js";
import { BOUND_RUN_BYTES, DEFAULT_SETTINGS, type DedupSettings } from "../../../../src/dedup/settings.js";
import type { RunStrategy } from "../../../../src/inspect/strategies.js";
import type { CallFact, Fact, ResultFact } from "../../../../src/log/facts.js";

export { BOUND_RUN_BYTES };

const place = { offset: 0, at: null };
let line = 0;

export function result(id: string, body: string | null, more: Partial<ResultFact> = {}): ResultFact {
  const call = { tool: "Bash", kind: "other" as const, path: undefined, target: "", callOffset: 0, callLine: 1 };
  const told = { id, uuid: `u-${id}`, ...call, body, error: false, native: false };
  return { fact: "result", ...place, line: ++line, ...told, ...more };
}

export function call(id: string, strings: CallFact["strings"]): CallFact {
  return { fact: "call", ...place, line: ++line, callLine: 1, id, tool: "Write", target: "", uuid: `c-${id}`, strings };
}

export function request(input = 0): Fact {
  const usage = { model: "m", input, written5m: 0, written1h: 0, cacheRead: 0, output: 0, continued: false };
  return { fact: "request", ...place, line: ++line, ...usage };
}

/** Before all calls, which are on the same line: nothing comes too late for it. */
export function boundary(preserved: string[] = []): Fact {
  const rest = { trigger: undefined, preTokens: undefined, postTokens: undefined };
  return { fact: "boundary", ...place, line: 0, preserved, ...rest };
}

export function cleared(ids: string[]): Fact {
  return { fact: "clear", ...place, line: ++line, ids, by: "microcompact" };
}

/** Everything is gone after this fact. */
export function rewind(to: Fact): Fact {
  return { fact: "rewind", ...place, line: ++line, toLine: "line" in to ? to.line : 0 };
}

/** Takes facts one by one; returns what is emitted for each result, null if it is not text. */
export class Emitter {
  readonly #replay: ContextReplay;
  readonly #scanner = new LineScanner();
  #emitted: string | null | undefined;
  #runs: readonly Run[] = [];

  /** Hints in their plain form, unless the settings say otherwise. */
  constructor(way: RunStrategy, settings: Partial<DedupSettings> = {}) {
    const all: DedupSettings = { ...DEFAULT_SETTINGS, verbosity: "standard", runs: way === "live", ...settings };
    const others = new OtherWays(all, {
      sized: () => {},
      saved: (by, _, emission) => {
        if (by === way && emission !== undefined && "runs" in emission) this.#runs = emission.runs;
      },
    });
    const decided = ({ result: { body }, hint, runs = [] }: Decision) => {
      const text = () => (body === undefined ? null : emittedText(body, way === "live" ? runs : this.#runs));
      this.#emitted = (way === "live" ? hint : undefined) ?? text();
    };
    this.#replay = new ContextReplay(all, { event: () => {}, decided }, way === "live" ? {} : { others });
  }

  take(fact: Fact): string | null | undefined {
    this.#emitted = undefined;
    this.#runs = [];
    this.#replay.take(digest(fact, true, fingerprint, this.#scanner));
    return this.#emitted;
  }
}

export function emissions(
  way: RunStrategy,
  facts: readonly Fact[],
  settings: Partial<DedupSettings> = {},
): (string | null)[] {
  const emitter = new Emitter(way, settings);
  return facts.flatMap(fact => {
    const emitted = emitter.take(fact);
    return emitted === undefined ? [] : [emitted];
  });
}
