import type { ReplayFact } from "../dedup/digest.js";
import { type CacheSaving, type CacheSink, OtherCaches } from "../dedup/otherCaches.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { Run } from "../dedup/span/matcher.js";
import { SpanReplay } from "../dedup/span/replay.js";
import {
  cacheStrategies,
  SPAN_STRATEGIES,
  type StrategyOptions,
  StrategyRows,
  savingOfRuns,
} from "../inspect/strategies.js";
import type { Fact } from "../log/facts.js";

export interface StrategyModelOptions extends StrategyOptions {
  /** Remember which lines of a result are runs. */
  readonly keepRuns?: boolean;
}

/** What runs of lines save: the same under all settings of the cache. */
interface Spans {
  readonly replay: SpanReplay;
  /** By row, for each of the strategies; only where it has any. */
  readonly runs: Map<number, readonly (readonly Run[])[]>;
  readonly keepRuns: boolean;
}

/**
 * What every strategy saves of one context. Runs of lines are replayed here, from the texts; the caches belong to the
 * replay of whole results, which takes each fact after this.
 */
export class StrategyModel implements CacheSink {
  readonly rows: StrategyRows;
  readonly caches: OtherCaches;
  readonly #spans: Spans;
  /** The row of the newest result. */
  #row = -1;

  constructor(settings: DedupSettings, options: StrategyModelOptions | StrategyModel) {
    const before = options instanceof StrategyModel ? options : undefined;
    this.rows = before?.rows.withSpansOnly() ?? new StrategyRows();
    this.#spans = options instanceof StrategyModel ? options.#spans : spansWith(options);
    this.caches = new OtherCaches(settings, this, before?.caches.matcher);
  }

  /** The same runs of lines beside other settings; the facts are to be taken again. */
  under(settings: DedupSettings): StrategyModel {
    return new StrategyModel(settings, this);
  }

  get runs(): ReadonlyMap<number, readonly (readonly Run[])[]> {
    return this.#spans.runs;
  }

  /** With its text, where it is a result. */
  take(fact: Fact): void {
    const runs = this.#spans.replay.take(fact)?.runs;
    if (runs === undefined) return;
    this.rows.begin();
    this.#row++;
    if (runs.every(({ length }) => length === 0)) return;
    for (const [variant, strategy] of SPAN_STRATEGIES.entries()) {
      const saving = savingOfRuns(runs[variant] ?? []);
      if (saving !== undefined) this.rows.set(this.#row, strategy, saving);
    }
    if (this.#spans.keepRuns) this.#spans.runs.set(this.#row, runs);
  }

  cacheHit(nearRef: boolean, unbounded: boolean, { savedBytes, savedChars }: CacheSaving): void {
    const strategy = cacheStrategies(nearRef)[unbounded ? "unbounded" : "bounded"];
    this.rows.set(this.#row, strategy, { hints: 1, savedBytes, savedChars });
  }

  /** A fact that an earlier model of the same runs has taken. */
  retake({ fact }: ReplayFact): void {
    if (fact === "result") this.#row++;
  }
}

function spansWith({ spanMinBytes: minBytes, keepRuns = false }: StrategyModelOptions): Spans {
  return {
    replay: new SpanReplay({ minBytes, inputs: false }, { minBytes, inputs: true }),
    runs: new Map(),
    keepRuns,
  };
}
