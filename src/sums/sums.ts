import { BYPASS_REASONS, FORGONE_REASONS } from "../dedup/events.js";
import { type DedupSettings, SWEEP_CAPACITIES } from "../dedup/settings.js";
import { BYPASSED, type Figures, FORGONE } from "../inspect/figures.js";
import { LONGEST_LIST } from "../inspect/gateFigures.js";
import { GATE_OF, GATES } from "../inspect/gates.js";
import { KIND_OF_CODE, OUTCOMES, type OutcomeKind } from "../inspect/outcomes.js";
import { ratesOf, readShare } from "../inspect/prices.js";
import type { PartitionSums, RowSums, RowTotals, SummedContext } from "../inspect/rowSums.js";
import { ROW_WIDTH } from "../inspect/rows.js";
import { emptyRunSizes, type RunSizePoint } from "../inspect/runSizes.js";
import { needsOf, parametersOf, STRATEGY_IDS, type Strategy } from "../inspect/strategies.js";
import type { StrategySums } from "../inspect/strategyFigures.js";
import { emptySweep } from "../inspect/sweepFigures.js";
import { kindOfTool } from "../log/tools.js";
import type { Price } from "../settings/shapes.js";
import { CompiledGates } from "./gates.js";
import * as Layout from "./layout.js";
import { SumsProgram } from "./program.js";

const KINDS: Readonly<Record<OutcomeKind, number>> = {
  hit: Layout.HIT,
  nearHit: Layout.NEAR_HIT,
  partial: Layout.PARTIAL,
  miss: Layout.MISS,
  forgone: Layout.MISS,
  native: Layout.NATIVE,
  realised: Layout.REALISED,
  error: Layout.BYPASSED,
  bypass: Layout.BYPASSED,
};

/** Numbers for names, in order of appearance. */
class Names {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.list.length);
    return this.list.push(name) - 1;
  }
}

/**
 * The sums of one report, computed by a small program in WebAssembly: all numbers are added in the same order as in
 * `PlainSums`, so they are identical to the last bit.
 */
export class CompiledSums implements RowSums {
  readonly #program = new SumsProgram();
  readonly #withWays: boolean;
  readonly #strategies: readonly Strategy[];
  readonly #tools = new Names();
  readonly #files = new Names();
  readonly #projects = new Names();
  readonly #contexts: SummedContext[] = [];

  /** `rows`: an upper bound on their number. `withWays`: all strategies were replayed, in every context. */
  constructor(settings: DedupSettings, rows: number, withWays = false) {
    this.#withWays = withWays;
    this.#strategies = STRATEGY_IDS.filter(strategy => withWays || needsOf(strategy, settings) !== "replay");
    const [partial, isNew] = [GATES.indexOf("partial"), GATES.indexOf("new")];
    const [otherRange, changed] = [GATES.indexOf("otherRange"), GATES.indexOf("changed")];
    const [strategies, points] = [this.#strategies.length, SWEEP_CAPACITIES.length];
    const outcomes = this.#program.run(({ begin }) =>
      begin(
        rows,
        OUTCOMES.length + 1,
        partial,
        isNew,
        otherRange,
        changed,
        strategies,
        points,
        LONGEST_LIST,
        withWays ? 1 : 0,
      ),
    );
    for (let code = 0; code <= OUTCOMES.length; code++) {
      this.#program.words.set(meaningOf(code), (outcomes >>> 2) + code * Layout.OUTCOME_WORDS);
    }
    if (withWays) return;
    const sources = this.#program.run(exports => exports.sourcesOfStrategies());
    for (const [index, strategy] of this.#strategies.entries()) {
      this.#program.words[(sources >>> 2) + index] = sourceOf(strategy, settings);
    }
  }

  add(one: SummedContext): PartitionSums {
    const { context, project, calibration, prices } = one;
    this.#contexts.push(one);
    const partitions = context.partitionRequests.length;
    const requests = context.requestCosts.reduce((sum, costs) => sum + costs.length, 0);
    const words = partitions + 1 + context.rows.length + 2 * context.tools.length + context.files.length;
    const hits = context.sweep.length / Layout.SWEEP_WORDS;
    const ways = this.#withWays ? this.#strategies.length * Layout.WAY_WORDS * (context.rows.length / ROW_WIDTH) : 0;
    const sizes = context.runSizes?.length ?? 0;
    const bytes =
      8 * (requests + prices.length * Layout.PRICE_NUMBERS) + 4 * (words + context.sweep.length + ways + sizes);
    const room = this.#program.run(exports => exports.roomFor(bytes));
    this.#put(one, room, requests);
    const sums = this.#program.run(exports =>
      exports.sumContext(
        requests,
        prices.length,
        partitions,
        context.rows.length / ROW_WIDTH,
        context.tools.length,
        context.files.length,
        hits,
        sizes / Layout.SIZE_WORDS,
        this.#projects.numberOf(project),
        calibration.charsPerToken,
        calibration.medianAbsError ?? UNKNOWN_ERROR,
        readShare(undefined),
      ),
    );
    const width = Layout.FIGURES_NUMBERS * 8;
    const figures = context.partitionRequests.map((_, partition) => this.#program.figuresAt(sums + partition * width));
    if (!this.#withWays) return { figures };
    const saved = this.#program.run(exports => exports.sumsOfPartitions());
    const savedWidth = this.#strategies.length * Layout.STRATEGY_NUMBERS * 8;
    const strategies = figures.map((_, partition) => this.#strategySums(saved + partition * savedWidth));
    return { figures, strategies };
  }

  /** Writes a context's numbers in the order in which the program reads them. */
  #put({ context, prices }: SummedContext, room: number, requests: number): void {
    const { requestCosts, partitionRequests, rows, tools, files, sweep } = context;
    const { words, numbers } = this.#program;
    let number = room >>> 3;
    const rates = prices.flatMap(numbersOf);
    numbers.set(rates, number + requests);
    let at = (room >>> 2) + 2 * (requests + rates.length);
    for (const partition of partitionRequests.keys()) {
      words[at++] = (number - (room >>> 3)) / Layout.REQUEST_NUMBERS;
      const costs = requestCosts[partition] ?? [];
      numbers.set(costs, number);
      number += costs.length;
    }
    words[at++] = (number - (room >>> 3)) / Layout.REQUEST_NUMBERS;
    words.set(rows, at);
    at += rows.length;
    for (const tool of tools) {
      words[at++] = this.#tools.numberOf(tool);
      words[at++] = kindOfTool(tool) === "mutate" ? 1 : 0;
    }
    for (const file of files) words[at++] = this.#files.numberOf(file);
    words.set(sweep, at);
    at += sweep.length;
    if (!this.#withWays) return;
    words.set(context.strategies ?? [], at);
    words.set(context.runSizes ?? [], at + (context.strategies?.length ?? 0));
  }

  totals(): RowTotals {
    const all = this.#program.run(exports => exports.sumsOfAll());
    const costs = this.#program.run(exports => exports.sumsOfCosts());
    const named = { tools: this.#tools.list, files: this.#files.list, contexts: this.#contexts };
    return {
      all: this.#program.figuresAt(all),
      copiedResults: this.#program.number(all, Layout.ALL_COPIED),
      tools: this.#toolFigures(),
      projects: new Map(
        this.#projects.list.map((project, index) => [project, this.#figuresOf(Layout.OF_PROJECTS, index)]),
      ),
      sweep: this.#sweep(),
      strategies: this.#strategySums(this.#program.run(exports => exports.sumsOfStrategies())),
      runSizes: this.#runSizes(),
      costs: {
        hits: this.#program.costAt(costs, Layout.COST_HITS).cost,
        native: this.#program.costAt(costs, Layout.COST_NATIVE).cost,
        realised: this.#program.costAt(costs, Layout.COST_REALISED).cost,
      },
      gates: new CompiledGates(this.#program, named).report(),
      band: {
        tokens: this.#program.number(all, Layout.ALL_BAND_TOKENS),
        error: this.#program.number(all, Layout.ALL_BAND_ERROR),
      },
    };
  }

  #toolFigures(): Map<string, Figures> {
    const first = this.#program.run(exports => exports.toolsInOrder()) >>> 2;
    const count = this.#program.run(exports => exports.countOfTools());
    const tools = this.#program.words.slice(first, first + count);
    return new Map(Array.from(tools, tool => [this.#tools.list[tool] ?? "", this.#figuresOf(Layout.OF_TOOLS, tool)]));
  }

  #figuresOf(which: number, index: number): Figures {
    return this.#program.figuresAt(this.#program.run(exports => exports.sumsOf(which, index)));
  }

  #sweep(): RowTotals["sweep"] {
    const points = this.#program.run(exports => exports.sumsOfPoints());
    return emptySweep().map(({ capacity }, index) => {
      const point = points + index * Layout.POINT_NUMBERS * 8;
      return {
        capacity,
        hits: this.#program.number(point, Layout.POINT_HITS),
        savedBytes: this.#program.number(point, Layout.POINT_BYTES),
        savedTokens: this.#program.number(point, Layout.POINT_TOKENS),
      };
    });
  }

  #runSizes(): RunSizePoint[] {
    const sums = this.#program.run(exports => exports.sumsOfSizes());
    return emptyRunSizes().map(({ spanMinBytes }, index) => {
      const size = sums + index * Layout.SIZE_NUMBERS * 8;
      return {
        spanMinBytes,
        results: this.#program.number(size, Layout.SIZE_RESULTS),
        savedBytes: this.#program.number(size, Layout.SIZE_BYTES),
        savedTokens: this.#program.number(size, Layout.SIZE_TOKENS),
      };
    });
  }

  #strategySums(sums: number): StrategySums {
    return new Map(
      this.#strategies.map((strategy, index) => {
        const first = sums + index * Layout.STRATEGY_NUMBERS * 8;
        const number = (at: number) => this.#program.number(first, at);
        const figures = {
          results: number(Layout.STRATEGY_RESULTS),
          hints: number(Layout.STRATEGY_HINTS),
          savedBytes: number(Layout.STRATEGY_BYTES),
          savedTokens: number(Layout.STRATEGY_TOKENS),
          carriedTokens: number(Layout.STRATEGY_CARRIED),
        };
        return [strategy, { figures, cost: this.#program.costAt(first + Layout.STRATEGY_COST * 8, 0) }];
      }),
    );
  }
}

/** What figures depend on, for the outcome with a code. An unknown one counts as a hit: see `kindAt`. */
function meaningOf(code: number): number[] {
  const outcome = OUTCOMES[code];
  const [forgone, bypassed] = [FORGONE[code], BYPASSED[code]];
  return [
    KINDS[KIND_OF_CODE[code] ?? "hit"],
    forgone === undefined ? -1 : FORGONE_REASONS.indexOf(forgone),
    bypassed === undefined ? -1 : BYPASS_REASONS.indexOf(bypassed),
    GATES.indexOf(outcome === undefined ? "new" : GATE_OF[outcome]),
    outcome === "bypass:error" || outcome === "bypass:nonText" ? 1 : 0,
  ];
}

function sourceOf(strategy: Strategy, settings: DedupSettings): number {
  if (needsOf(strategy, settings) === "rows") return Layout.FROM_ROWS;
  const { capacity } = parametersOf(strategy, settings);
  return capacity == null ? Layout.FROM_UNBOUNDED : ((capacity - 1) & 31) + 1;
}

const NEVER = Number.NaN;
const UNKNOWN_ERROR = -1;
const UNPRICED: number[] = Array(Layout.PRICE_NUMBERS).fill(Number.NaN);

function numbersOf(price: Price | undefined): number[] {
  if (price === undefined) return UNPRICED;
  const plain = ratesOf(price, 0, 0);
  // Just after the beginning of 1970 is before any price, and nothing is as long as this.
  const before = ratesOf(price, 0, Number.MIN_VALUE);
  const above = ratesOf(price, Number.POSITIVE_INFINITY, 0);
  return [
    plain.input,
    plain.cacheRead,
    price.before === undefined ? NEVER : Date.parse(price.before.date),
    before.input,
    before.cacheRead,
    price.above?.promptTokens ?? Number.POSITIVE_INFINITY,
    above.input,
    above.cacheRead,
  ];
}
