/** Replays the strategies: all of them side by side for their figures, or one of them for the texts it would emit. */

import type { Decision } from "../dedup/decision.js";
import { digest } from "../dedup/digest.js";
import { type Emission, emissionOf, emittedBy } from "../dedup/emission.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { OtherWays, type OtherWaysSink, type WaySaving } from "../dedup/otherWays.js";
import { ContextReplay } from "../dedup/replay.js";
import { LineScanner } from "../dedup/runs/lines.js";
import type { DedupSettings } from "../dedup/settings.js";
import { RunSizeRows } from "../inspect/runSizes.js";
import { type RunStrategy, STRATEGIES, type Strategy } from "../inspect/strategies.js";
import { StrategyRows } from "../inspect/strategyRows.js";
import { LogReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";

/** What every strategy saves in one context. A replay takes its facts and calls `ways`. */
export class StrategyRecorder implements OtherWaysSink {
  readonly rows = new StrategyRows();
  readonly sizes = new RunSizeRows();
  readonly ways: OtherWays;
  /** By strategy and row, what replaces a text; undefined if not needed. */
  readonly #emissions: Map<Strategy, Map<number, Emission>> | undefined;

  constructor(settings: DedupSettings, { keepEmissions }: { readonly keepEmissions: boolean }) {
    this.#emissions = keepEmissions ? new Map() : undefined;
    this.ways = new OtherWays(settings, this);
  }

  /** What a strategy replaces a row's text with; undefined if it stays unchanged. */
  emissionOf(row: number, strategy: RunStrategy): Emission | undefined {
    return this.#emissions?.get(strategy)?.get(row);
  }

  /** Begins a result. */
  begin(): void {
    this.rows.begin();
  }

  saved(way: Strategy, saving: WaySaving, emission?: Emission): void {
    this.rows.set(this.#row, way, saving);
    if (emission === undefined || this.#emissions === undefined) return;
    const kept = this.#emissions.get(way) ?? new Map<number, Emission>();
    this.#emissions.set(way, kept.set(this.#row, emission));
  }

  sized(minBytes: number, saving: WaySaving): void {
    this.sizes.add(this.#row, minBytes, saving);
  }

  get #row(): number {
    return this.rows.length - 1;
  }
}

/** What the model would have received for one result. */
export interface EmittedResult {
  readonly partition: number;
  readonly id: string;
  readonly tool: string;
  readonly bytes: number;
  /** Null if the result was not only text. */
  readonly emitted: string | null;
  /** The calls that the emitted text refers to. */
  readonly refs: readonly string[];
}

export interface EmissionSettings {
  readonly strategy: Strategy;
  /** Near-references, if enabled here, apply to any cache. */
  readonly settings: DedupSettings;
}

/** Reads a log and emits what one strategy would replace each result with, in the order of the log. */
export function emissionReader(
  path: string,
  settings: EmissionSettings,
  emit: (context: string, emission: EmittedResult) => void,
): LogReader {
  const scanner = new LineScanner();
  const replays = new Map<string, ContextReplay>();
  return new LogReader(
    ({ id }, fact) => {
      const replay = replays.get(id) ?? emitterOf(settings, emission => emit(id, emission));
      replays.set(id, replay);
      replay.take(digest(fact, true, fingerprint, scanner));
    },
    { agentOfFile: agentOfFile(path), withCalls: true },
  );
}

/** Replays one context by one strategy. */
function emitterOf({ strategy, settings }: EmissionSettings, emit: (emission: EmittedResult) => void): ContextReplay {
  const { replay } = STRATEGIES[strategy];
  const sink = { event: () => {}, decided: (decision: Decision) => emit(emittedOf(decision)) };
  switch (replay.kind) {
    case "live":
      return new ContextReplay({ ...settings, runs: true }, sink);
    case "cache": {
      const nearRef = replay.nearRef || settings.nearRef;
      const capacity = replay.limited ? settings.capacity : Number.POSITIVE_INFINITY;
      return new ContextReplay({ ...settings, nearRef, capacity, runs: false }, sink);
    }
    case "span":
      return otherWayEmitter(strategy, settings, emit);
    default:
      return replay satisfies never;
  }
}

/** For a strategy that no replay can decide by: its emissions are recorded next to one. */
function otherWayEmitter(
  strategy: Strategy,
  settings: DedupSettings,
  emit: (emission: EmittedResult) => void,
): ContextReplay {
  let found: Emission | undefined;
  const others = new OtherWays(settings, {
    sized: () => {},
    saved: (way, _, emission) => {
      if (way === strategy) found = emission;
    },
  });
  const sink = {
    event: () => {},
    decided: ({ event, result }: Decision) => {
      emit(emittedOf({ event, result, ...found }));
      found = undefined;
    },
  };
  return new ContextReplay({ ...settings, runs: false }, sink, { others });
}

function emittedOf(decision: Omit<Decision, "savedChars" | "sweepHits">): EmittedResult {
  const { event, result, hint, runs = [] } = decision;
  const { partition, id, tool, bytes } = event;
  const { body = null } = result;
  const emission = emissionOf(decision);
  const emitted = emission === undefined || body === null ? body : emittedBy(body, emission);
  const whole = hint !== undefined && "ref" in event && event.ref !== undefined ? [event.ref] : [];
  return { partition, id, tool, bytes, emitted, refs: [...new Set([...whole, ...runs.map(run => run.hint.id)])] };
}
