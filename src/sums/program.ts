import { BYPASS_REASONS, FORGONE_REASONS } from "../dedup/events.js";
import { CostSum } from "../inspect/cost.js";
import { emptyFigures, type Figures } from "../inspect/figures.js";
import { moduleOf, startModule } from "../scanner/program.js";
import { SUMS } from "./compiled.js";
import * as Layout from "./layout.js";

/** What the compiled program exports (src/sums/assembly/index.ts). */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  begin(
    rows: number,
    outcomes: number,
    partial: number,
    isNew: number,
    otherRange: number,
    changed: number,
    strategies: number,
    points: number,
    listLength: number,
    withWays: number,
  ): number;
  sourcesOfStrategies(): number;
  roomFor(bytes: number): number;
  sumContext(
    requests: number,
    models: number,
    partitions: number,
    rows: number,
    tools: number,
    files: number,
    hits: number,
    sizes: number,
    project: number,
    charsPerToken: number,
    medianAbsError: number,
    readShare: number,
  ): number;
  sumsOfAll(): number;
  sumsOfCosts(): number;
  sumsOfStrategies(): number;
  sumsOfPartitions(): number;
  sumsOfSizes(): number;
  sumsOfPoints(): number;
  toolsInOrder(): number;
  countOfTools(): number;
  sumsOf(which: number, index: number): number;
  findLargest(which: number, by: number): number;
  foundSums(): number;
  largeResults(): number;
  countOfLarge(): number;
}

/** There is no WebAssembly (`--jitless`, a hardened host), or no memory. */
export class SumsFailure extends Error {}

/** The program in WebAssembly, started for one report, and its memory. */
export class SumsProgram {
  readonly #exports = attempt(() => startModule(moduleOf(SUMS), {}) as Exports);
  #numbers = new Float64Array();
  #words = new Uint32Array();

  /** Fails with a `SumsFailure`. */
  run<T>(step: (exports: Exports) => T): T {
    const result = attempt(() => step(this.#exports));
    this.#look();
    return result;
  }

  /** Valid until the next `run`, like the words. */
  get numbers(): Float64Array<ArrayBuffer> {
    return this.#numbers;
  }

  get words(): Uint32Array<ArrayBuffer> {
    return this.#words;
  }

  /** The number at this index from an address. */
  number(address: number, index: number): number {
    return this.#numbers[(address >>> 3) + index] as number;
  }

  word(address: number, index = 0): number {
    return this.#words[(address >>> 2) + index] as number;
  }

  figuresAt(address: number): Figures {
    const numbers = this.#numbers;
    const first = address >>> 3;
    const figures = emptyFigures();
    figures.results = numbers[first + Layout.RESULTS] as number;
    // Most partitions of small subagents have none.
    if (figures.results === 0) return figures;
    figures.hits = numbers[first + Layout.HITS] as number;
    figures.nearHits = numbers[first + Layout.NEAR_HITS] as number;
    figures.misses = numbers[first + Layout.MISSES] as number;
    figures.runHits = numbers[first + Layout.RUN_HITS] as number;
    figures.invalidations = numbers[first + Layout.INVALIDATIONS] as number;
    figures.evictions = numbers[first + Layout.EVICTIONS] as number;
    figures.forgoneTokens = numbers[first + Layout.FORGONE_TOKENS] as number;
    figures.bytes = numbers[first + Layout.BYTES] as number;
    figures.savedBytes = numbers[first + Layout.SAVED_BYTES] as number;
    figures.tokens = numbers[first + Layout.TOKENS] as number;
    figures.savedTokens = numbers[first + Layout.SAVED_TOKENS] as number;
    figures.carriedTokens = numbers[first + Layout.CARRIED_TOKENS] as number;
    figures.nativeTokens = numbers[first + Layout.NATIVE_TOKENS] as number;
    figures.realisedTokens = numbers[first + Layout.REALISED_TOKENS] as number;
    let at = first + Layout.BY_BYPASS;
    for (const reason of BYPASS_REASONS) figures.bypassed[reason] = numbers[at++] as number;
    at = first + Layout.BY_FORGONE;
    for (const reason of FORGONE_REASONS) figures.forgone[reason] = numbers[at++] as number;
    const { whole, near, runs } = figures.saved;
    for (const [kind, part] of [
      [Layout.HIT, whole],
      [Layout.NEAR_HIT, near],
      [Layout.PARTIAL, runs],
    ] as const) {
      at = first + Layout.SAVED_PARTS + kind * Layout.PART_NUMBERS;
      part.results = numbers[at + Layout.PART_RESULTS] as number;
      part.bytes = numbers[at + Layout.PART_BYTES] as number;
      part.tokens = numbers[at + Layout.PART_TOKENS] as number;
    }
    return figures;
  }

  costAt(sums: number, index: number): CostSum {
    const first = (sums >>> 3) + index * Layout.COST_NUMBERS;
    const number = (at: number) => this.#numbers[first + at] as number;
    return new CostSum(
      number(Layout.COST_SENT),
      number(Layout.COST_UNITS),
      number(Layout.COST_USD),
      number(Layout.COST_UNCOUNTED),
      number(Layout.COST_UNPRICED),
    );
  }

  /** Memory that has grown is in another buffer. */
  #look(): void {
    const { buffer } = this.#exports.memory;
    if (buffer === this.#words.buffer) return;
    this.#words = new Uint32Array(buffer);
    this.#numbers = new Float64Array(buffer);
  }
}

function attempt<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new SumsFailure("the sums failed", { cause: error });
  }
}
