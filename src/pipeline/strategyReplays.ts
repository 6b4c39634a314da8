/** Replays the strategies: all of them side by side for their figures, or one of them for the texts it would emit. */
import { digest, type ReplayFact } from "../dedup/digest.js";
import { fingerprint } from "../dedup/fingerprint.js";
import { type CacheSaving, type CacheSink, type CacheVariant, OtherCaches } from "../dedup/otherCaches.js";
import { ContextReplay } from "../dedup/replay.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { Run } from "../dedup/span/matcher.js";
import { emittedText, SpanReplay } from "../dedup/span/replay.js";
import {
  type ReplayKind,
  SPAN_STRATEGIES,
  type SpanStrategy,
  STRATEGIES,
  STRATEGY_IDS,
  type Strategy,
  type StrategyOptions,
} from "../inspect/strategies.js";
import { StrategyRows, savingOfRuns } from "../inspect/strategyRows.js";
import { utf8Length } from "../log/bytes.js";
import type { Fact } from "../log/facts.js";
import { LogReader } from "../log/logReader.js";
import { agentOfFile } from "../log/sessionFiles.js";

export interface StrategyRecorderOptions extends StrategyOptions {
  /** Remember which lines of a result are runs. */
  readonly keepRuns?: boolean;
}

/** What replays each kind of strategy. */
interface Replays extends Record<ReplayKind, object> {
  /** Belongs to the replay of whole results, which takes each fact after this model. */
  readonly cache: OtherCaches;
  readonly span: Spans;
}

/** The replay of runs of lines: the same under all settings of the cache. */
interface Spans {
  readonly replay: SpanReplay;
  /** By row, for each of `SPAN_STRATEGIES`; only rows with any. */
  readonly runs: Map<number, readonly (readonly Run[])[]>;
  readonly keepRuns: boolean;
}

/** What every strategy saves of one context. */
export class StrategyRecorder implements CacheSink {
  readonly rows: StrategyRows;
  readonly #replays: Replays;
  /** The row of the newest result. */
  #row = -1;

  constructor(settings: DedupSettings, options: StrategyRecorderOptions | StrategyRecorder) {
    const before = options instanceof StrategyRecorder ? options : undefined;
    this.rows = before?.rows.only(SPAN_STRATEGIES) ?? new StrategyRows();
    this.#replays = {
      cache: new OtherCaches(settings, this, before?.caches.matcher),
      span: options instanceof StrategyRecorder ? options.#replays.span : spansWith(options),
    };
  }

  /** The same runs of lines with other settings; all facts must be taken again, by `retake`. */
  under(settings: DedupSettings): StrategyRecorder {
    return new StrategyRecorder(settings, this);
  }

  get caches(): OtherCaches {
    return this.#replays.cache;
  }

  /** The runs that a strategy replaces in a row's text, first line first. */
  runsOf(row: number, strategy: SpanStrategy): readonly Run[] {
    return this.#replays.span.runs.get(row)?.[SPAN_STRATEGIES.indexOf(strategy)] ?? [];
  }

  /** A result must come with its text. */
  take(fact: Fact): void {
    const { replay, runs: kept, keepRuns } = this.#replays.span;
    const runs = replay.take(fact)?.runs;
    if (runs === undefined) return;
    this.rows.begin();
    this.#row++;
    if (runs.every(({ length }) => length === 0)) return;
    for (const [variant, strategy] of SPAN_STRATEGIES.entries()) {
      const saving = savingOfRuns(runs[variant] ?? []);
      if (saving !== undefined) this.rows.set(this.#row, strategy, saving);
    }
    if (keepRuns) kept.set(this.#row, runs);
  }

  /** A fact that was taken before the settings changed. */
  retake({ fact }: ReplayFact): void {
    if (fact === "result") this.#row++;
  }

  cacheHit({ nearRef, limited }: CacheVariant, { savedBytes, savedChars }: CacheSaving): void {
    for (const strategy of STRATEGY_IDS) {
      const { replay } = STRATEGIES[strategy];
      if (replay.kind !== "cache" || replay.nearRef !== nearRef || replay.limited !== limited) continue;
      this.rows.set(this.#row, strategy, { hints: 1, savedBytes, savedChars });
    }
  }
}

function spansWith({ spanMinBytes: minBytes, keepRuns = false }: StrategyRecorderOptions): Spans {
  const variants = SPAN_STRATEGIES.map(strategy => ({ minBytes, inputs: STRATEGIES[strategy].replay.inputs }));
  return { replay: new SpanReplay(...variants), runs: new Map(), keepRuns };
}

/** What the model would have been given in place of one result. */
export interface Emission {
  readonly partition: number;
  readonly id: string;
  readonly tool: string;
  readonly bytes: number;
  /** Null if the result was not only text. */
  readonly emitted: string | null;
  /** The calls that the emitted text refers to. */
  readonly refs: readonly string[];
}

/** Reads a log and emits what one strategy would put in the place of each result, in the order of the log. */
export function emissionReader(
  path: string,
  { strategy, settings, options }: EmissionSettings,
  emit: (context: string, emission: Emission) => void,
): LogReader {
  const emitters = new Map<string, (fact: Fact) => void>();
  return new LogReader(
    ({ id }, fact) => {
      const take = emitters.get(id) ?? emitterOf({ strategy, settings, options }, emission => emit(id, emission));
      emitters.set(id, take);
      take(fact);
    },
    { agentOfFile: agentOfFile(path), withCalls: true },
  );
}

export interface EmissionSettings {
  readonly strategy: Strategy;
  /** Near-references, if they are on here, apply to any cache. */
  readonly settings: DedupSettings;
  readonly options: StrategyOptions;
}

/** Replays one context by one strategy; the function returned takes its facts, calls included. */
function emitterOf(
  { strategy, settings, options: { spanMinBytes } }: EmissionSettings,
  emit: (emission: Emission) => void,
): (fact: Fact) => void {
  const { replay } = STRATEGIES[strategy];
  switch (replay.kind) {
    case "cache": {
      const nearRef = replay.nearRef || settings.nearRef;
      const capacity = replay.limited ? settings.capacity : Number.POSITIVE_INFINITY;
      return cacheEmitter({ ...settings, nearRef, capacity }, emit);
    }
    case "span":
      return spanEmitter(new SpanReplay({ minBytes: spanMinBytes, inputs: replay.inputs }), emit);
    default:
      return replay satisfies never;
  }
}

function cacheEmitter(settings: DedupSettings, emit: (emission: Emission) => void): (fact: Fact) => void {
  const replay = new ContextReplay(settings, {
    event: () => {},
    decided: ({ event, result, hint }) => {
      const { partition, id, tool, bytes } = event;
      const emitted = hint ?? result.body ?? null;
      const refs = hint !== undefined && "ref" in event && event.ref !== undefined ? [event.ref] : [];
      emit({ partition, id, tool, bytes, emitted, refs });
    },
  });
  return fact => {
    if (fact.fact !== "call") replay.take(digest(fact, true, fingerprint));
  };
}

function spanEmitter(replay: SpanReplay, emit: (emission: Emission) => void): (fact: Fact) => void {
  return fact => {
    const decision = replay.take(fact);
    if (decision === undefined) return;
    const {
      partition,
      result,
      runs: [runs = []],
    } = decision;
    const { id, tool } = result;
    const body = result.body?.toString() ?? null;
    const bytes = body === null ? 0 : utf8Length(body);
    const emitted = body === null ? null : emittedText(body, runs);
    emit({ partition, id, tool, bytes, emitted, refs: [...new Set(runs.map(run => run.hint.id))] });
  };
}
