import type { ReplayFact } from "../dedup/digest.js";
import { ContextReplay } from "../dedup/replay.js";
import type { DedupSettings } from "../dedup/settings.js";
import type { Run } from "../dedup/span/matcher.js";
import { SpanReplay } from "../dedup/span/replay.js";
import type { Fact } from "../log/facts.js";
import {
  cacheStrategies,
  type Saving,
  SPAN_STRATEGIES,
  type Strategy,
  type StrategyOptions,
  StrategyRows,
  savingOfDecision,
  savingOfRuns,
} from "./strategies.js";

export interface StrategyModelOptions extends StrategyOptions {
  /** Remember which lines of a result are runs. */
  readonly keepRuns?: boolean;
}

/** What runs of lines save: the same under all settings of the cache. */
interface Spans {
  readonly replay: SpanReplay;
  readonly savings: StrategyRows;
  /** By row, for each of the strategies; only where it has any. */
  readonly runs: Map<number, readonly (readonly Run[])[]>;
  readonly keepRuns: boolean;
}

/**
 * Replays one context under the strategies that its rows do not tell of: near-references where whole results are
 * replayed anyway, or the other way round, and runs of lines. It needs the texts: facts without them are not enough.
 */
export class StrategyModel {
  readonly rows = new StrategyRows();
  readonly #replays: readonly ContextReplay[];
  readonly #spans: Spans;

  constructor(settings: DedupSettings, options: StrategyModelOptions | StrategyModel) {
    const own = cacheStrategies(settings.nearRef);
    const others = cacheStrategies(!settings.nearRef);
    const other = { ...settings, nearRef: !settings.nearRef };
    const capacity = Number.POSITIVE_INFINITY;
    this.#replays = [
      this.#replay(own.unbounded, { ...settings, capacity }),
      this.#replay(others.bounded, other),
      this.#replay(others.unbounded, { ...other, capacity }),
    ];
    this.#spans = options instanceof StrategyModel ? options.#spans : spansWith(options);
  }

  /** The same runs of lines beside other settings; the facts are to be taken again. */
  under(settings: DedupSettings): StrategyModel {
    return new StrategyModel(settings, this);
  }

  get runs(): ReadonlyMap<number, readonly (readonly Run[])[]> {
    return this.#spans.runs;
  }

  /** `digest`: the same fact with its fingerprint and its text. */
  take(fact: Fact, digest: ReplayFact): void {
    const runs = this.#spans.replay.take(fact)?.runs;
    if (runs !== undefined) this.#remember(runs);
    this.retake(digest);
  }

  /** A fact that an earlier model of the same runs has taken. */
  retake(digest: ReplayFact): void {
    if (digest.fact === "result") {
      const row = this.rows.length;
      this.rows.begin();
      for (const strategy of SPAN_STRATEGIES) this.rows.set(strategy, this.#spans.savings.get(row, strategy));
    }
    for (const replay of this.#replays) replay.take(digest);
  }

  #remember(runs: readonly (readonly Run[])[]): void {
    const { savings, keepRuns } = this.#spans;
    savings.begin();
    for (const [variant, strategy] of SPAN_STRATEGIES.entries()) {
      const saving = savingOfRuns(runs[variant] ?? []);
      if (saving !== undefined) savings.set(strategy, saving);
    }
    if (keepRuns && runs.some(({ length }) => length > 0)) this.#spans.runs.set(savings.length - 1, runs);
  }

  #replay(strategy: Strategy, settings: DedupSettings): ContextReplay {
    return new ContextReplay(settings, {
      event: () => {},
      decided: decision => this.#save(strategy, savingOfDecision(decision)),
    });
  }

  #save(strategy: Strategy, saving: Saving | undefined): void {
    if (saving !== undefined) this.rows.set(strategy, saving);
  }
}

function spansWith({ spanMinBytes: minBytes, keepRuns = false }: StrategyModelOptions): Spans {
  return {
    replay: new SpanReplay({ minBytes, inputs: false }, { minBytes, inputs: true }),
    savings: new StrategyRows(),
    runs: new Map(),
    keepRuns,
  };
}
