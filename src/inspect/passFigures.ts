/** What other systems would do to the model's input: docs/references.md. Never added to what hints save. */
import {
  type CacheProjection,
  cacheMarksAt,
  type MeasuredMarks,
  measureCacheMarks,
} from "../dedup/passes/cacheProjection.js";
import { mergeStats, NO_STATS, type PassStats } from "../dedup/passes/pass.js";
import type { PassRates, Unpriced } from "../dedup/passes/price.js";
import { type MeasuredPasses, measurePasses, type PassProjection, pricedPasses } from "../dedup/passes/projections.js";
import type { LiveList } from "../log/conversation/message.js";

/** What a context held at the end of a partition, measured before the token ratio is known. Plain data. */
export interface MeasuredPartition {
  readonly messages: number;
  readonly passes: MeasuredPasses;
  readonly cacheMarks: MeasuredMarks;
}

/** Null if it held nothing. */
export function measurePartition({ messages, requests }: LiveList, subagent: boolean): MeasuredPartition | null {
  if (messages.length === 0) return null;
  const passes = measurePasses(messages, requests);
  return { messages: messages.length, passes, cacheMarks: measureCacheMarks(messages, requests, { subagent }) };
}

/** The passes and the cache marks at the end of a partition. */
export interface PartitionPasses {
  readonly messages: number;
  readonly passes: readonly PassProjection[];
  readonly cacheMarks: CacheProjection;
}

export function projectPartition(measured: MeasuredPartition, rates: PassRates): PartitionPasses {
  return {
    messages: measured.messages,
    passes: pricedPasses(measured.passes, rates),
    cacheMarks: cacheMarksAt(measured.cacheMarks, rates.charsPerToken),
  };
}

/** One pass, applied once at the end of every partition. */
export interface PassReport extends Pick<PassProjection, "pass" | "keepLast"> {
  /** Partitions in which it changes anything. */
  readonly changed: number;
  readonly stats: PassStats;
  readonly savedBytes: number;
  /** Saved bytes ÷ all bytes; null if there are none. */
  readonly share: number | null;
  readonly savedTokens: number;
  readonly rewrittenTokens: number;
  /** The extra cost at first, in tokens at the plain input price and in US dollars; null if nothing is known. */
  readonly units: number | null;
  readonly usd: number | null;
  /** The median of the partitions where it pays off; null if there are none. */
  readonly breakEvenRequests: number | null;
  /** The other partitions, by reason. */
  readonly unpriced: Readonly<Partial<Record<Unpriced, number>>>;
}

/** Cache marks and the prompt cache, over all partitions. */
export interface CacheMarksReport {
  /** Partitions with marks, and those without, by reason. */
  readonly marked: number;
  readonly unmarked: Readonly<Partial<Record<NonNullable<CacheProjection["unmarked"]>, number>>>;
  readonly marks: number;
  readonly eligibleResults: number;
  readonly markedTokens: number;
  readonly requests: number;
  readonly hits: number;
  readonly couldReadTokens: number;
  readonly didReadTokens: number;
}

export interface PassesReport {
  readonly partitions: number;
  readonly messages: number;
  readonly bytes: number;
  readonly passes: readonly PassReport[];
  readonly cacheMarks: CacheMarksReport;
}

interface PassSum {
  readonly pass: PassProjection["pass"];
  readonly keepLast: PassProjection["keepLast"];
  changed: number;
  stats: PassStats;
  savedBytes: number;
  savedTokens: number;
  rewrittenTokens: number;
  priced: number;
  units: number;
  inUsd: number;
  usd: number;
  readonly breakEven: number[];
  readonly unpriced: Partial<Record<Unpriced, number>>;
}

/** Sums partitions. */
export class PassSums {
  readonly #passes = new Map<string, PassSum>();
  readonly #unmarked: Partial<Record<NonNullable<CacheProjection["unmarked"]>, number>> = {};
  readonly #marks = { marked: 0, marks: 0, eligibleResults: 0, markedTokens: 0 };
  readonly #cache = { requests: 0, hits: 0, couldReadTokens: 0, didReadTokens: 0 };
  #partitions = 0;
  #messages = 0;
  #bytes = 0;

  /** `inputPrice`: US dollars per million tokens; undefined for a model without a price. */
  add({ messages, passes, cacheMarks }: PartitionPasses, inputPrice: number | undefined): void {
    this.#partitions++;
    this.#messages += messages;
    this.#bytes += passes[0]?.bytesBefore ?? 0;
    for (const projection of passes) addTo(this.#sumOf(projection), projection, inputPrice);
    this.#addMarks(cacheMarks);
  }

  get report(): PassesReport {
    return {
      partitions: this.#partitions,
      messages: this.#messages,
      bytes: this.#bytes,
      passes: [...this.#passes.values()].map(sum => reportOf(sum, this.#bytes)),
      cacheMarks: { ...this.#marks, unmarked: this.#unmarked, ...this.#cache },
    };
  }

  #sumOf({ pass, keepLast }: PassProjection): PassSum {
    const key = `${pass} ${keepLast}`;
    const known = this.#passes.get(key);
    if (known !== undefined) return known;
    const sums = { changed: 0, stats: NO_STATS, savedBytes: 0, savedTokens: 0, rewrittenTokens: 0 };
    const none = { pass, keepLast, ...sums, priced: 0, units: 0, inUsd: 0, usd: 0, breakEven: [], unpriced: {} };
    this.#passes.set(key, none);
    return none;
  }

  #addMarks(cacheMarks: CacheProjection): void {
    const { applied, unmarked, marks, eligibleResults, markedTokens, requests, hits } = cacheMarks;
    if (applied) this.#marks.marked++;
    if (unmarked !== null) this.#unmarked[unmarked] = (this.#unmarked[unmarked] ?? 0) + 1;
    this.#marks.marks += marks.length;
    this.#marks.eligibleResults += eligibleResults;
    this.#marks.markedTokens += markedTokens ?? 0;
    this.#cache.requests += requests;
    this.#cache.hits += hits;
    this.#cache.couldReadTokens += cacheMarks.couldReadTokens ?? 0;
    this.#cache.didReadTokens += cacheMarks.didReadTokens ?? 0;
  }
}

function addTo(sum: PassSum, projection: PassProjection, inputPrice: number | undefined): void {
  const { firstChanged, stats, bytesBefore, bytesAfter, savedTokens, rewrittenTokens, unpriced } = projection;
  sum.stats = mergeStats(sum.stats, stats);
  if (unpriced !== null) sum.unpriced[unpriced] = (sum.unpriced[unpriced] ?? 0) + 1;
  if (firstChanged === null) return;
  sum.changed++;
  sum.savedBytes += bytesBefore - bytesAfter;
  sum.savedTokens += savedTokens;
  sum.rewrittenTokens += rewrittenTokens ?? 0;
  if (projection.breakEvenRequests !== null) sum.breakEven.push(projection.breakEvenRequests);
  if (projection.units === null) return;
  sum.priced++;
  sum.units += projection.units;
  if (inputPrice === undefined) return;
  sum.inUsd++;
  sum.usd += (projection.units * inputPrice) / 1e6;
}

function reportOf(sum: PassSum, bytes: number): PassReport {
  const { pass, keepLast, changed, stats, savedBytes, savedTokens, rewrittenTokens, unpriced } = sum;
  const isKnown = (counted: number) => counted > 0 || changed === 0;
  return {
    pass,
    keepLast,
    changed,
    stats,
    savedBytes,
    share: bytes === 0 ? null : savedBytes / bytes,
    savedTokens,
    rewrittenTokens,
    units: isKnown(sum.priced) ? sum.units : null,
    usd: isKnown(sum.inUsd) ? Math.round(sum.usd * 1e4) / 1e4 : null,
    breakEvenRequests: median(sum.breakEven),
    unpriced,
  };
}

/** The larger one of two in the middle: requests are whole numbers. */
function median(values: readonly number[]): number | null {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? null;
}
