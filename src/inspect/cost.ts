import type { RequestFact } from "../log/facts.js";
import type { Price } from "../settings/shapes.js";
import { SENT_WIDTH } from "./contextUse.js";
import type { ContextData } from "./logData.js";
import { ratesOf, readShare } from "./prices.js";

/** The price of writing to the prompt cache, in units of the plain input price. */
const WRITE_5M = 1.25;
const WRITE_1H = 2;

/** The request does not report its cost. */
const UNKNOWN_WEIGHT = 0;

/** The price of a token new to this request: by its own mix of cache writes, 1 if it wrote nothing. */
export function writeWeight({ input, written5m, written1h }: RequestFact): number {
  const written = written5m + written1h;
  if (written > 0) return (WRITE_5M * written5m + WRITE_1H * written1h) / written;
  return input > 0 ? 1 : UNKNOWN_WEIGHT;
}

/** How long the prompt cache keeps most of what a request with this weight wrote; 0 if it wrote nothing. */
export function cacheSeconds(weight: number): number {
  if (weight <= 1) return 0;
  return weight > (WRITE_5M + WRITE_1H) / 2 ? 3600 : 300;
}

/** Numbers per request that costs depend on: a history has a million requests. */
export const REQUEST_WIDTH = 4;

/**
 * Its weight, the tokens of its whole prompt, its time in seconds since 1970, 0 if unknown, and the model that answered:
 * its place in the context's list of models.
 */
export function requestNumbers(
  request: RequestFact,
  model: number,
): [weight: number, promptTokens: number, at: number, model: number] {
  const time = request.at === null ? Number.NaN : Date.parse(request.at);
  return [writeWeight(request), request.input, Number.isNaN(time) ? 0 : Math.floor(time / 1000), model];
}

/** The requests of all partitions starting with `from`, packed for a page: see contextUse.ts. */
export function packRequests(requestCosts: readonly (readonly number[])[], from = 0): Float64Array<ArrayBuffer> {
  const packed = new Float64Array(Math.max(0, countRequests(requestCosts) - from) * SENT_WIDTH);
  let at = 0;
  let skipped = 0;
  for (const [partition, costs] of requestCosts.entries()) {
    const count = costs.length / REQUEST_WIDTH;
    for (let request = Math.max(0, from - skipped); request < count; request++) {
      const first = request * REQUEST_WIDTH;
      packed[at++] = partition;
      packed[at++] = costs[first + 1] ?? 0;
      packed[at++] = costs[first + 2] ?? 0;
      packed[at++] = cacheSeconds(costs[first] ?? 0);
      packed[at++] = costs[first + 3] ?? 0;
    }
    skipped += count;
  }
  return packed;
}

/** The model that answered the newest request up to the end of a partition, by default the last; undefined if none did. */
export function modelAtEnd(
  { requestCosts, models }: Pick<ContextData, "requestCosts" | "models">,
  partition = requestCosts.length - 1,
): string | undefined {
  const newest = requestCosts.slice(0, partition + 1).findLast(costs => costs.length > 0);
  return models[newest?.at(-1) ?? -1];
}

export function countRequests(requestCosts: readonly (readonly number[])[]): number {
  return requestCosts.reduce((sum, costs) => sum + costs.length / REQUEST_WIDTH, 0);
}

/** The cost of a token that enters a context at a certain place. */
export interface CostPlace {
  /** Requests of the partition that came after the result: the first wrote it, the others read it from the cache. */
  readonly laterRequests: number;
  /** The first one's price of writing a token, in units of its input price. */
  readonly weight: number;
  /** What all others together paid to read the token again, in units of their input price. */
  readonly reads: number;
  /** The same two in US dollars per million tokens; undefined if one of their models has no price. */
  readonly usd: { readonly write: number; readonly reads: number } | undefined;
}

/** A result that has not been sent with any request yet. */
export const UNSENT: CostPlace = { laterRequests: 0, weight: UNKNOWN_WEIGHT, reads: 0, usd: undefined };

/** By request: the weight, the reads, and the two in US dollars; these are not numbers if they are unknown. */
const PLACE_WIDTH = 4;

/** The places of one partition's results. Created on demand: most results save nothing, and have no cost. */
export class CostPlaces {
  readonly #numbers: Float64Array;

  /** `prices`: of the context's models, see `pricesOf`. */
  constructor(requests: readonly number[], prices: readonly (Price | undefined)[]) {
    const count = requests.length / REQUEST_WIDTH;
    this.#numbers = new Float64Array(count * PLACE_WIDTH);
    let reads = 0;
    let usdReads = 0;
    for (let request = count - 1; request >= 0; request--) {
      const first = request * REQUEST_WIDTH;
      const weight = requests[first] ?? UNKNOWN_WEIGHT;
      const price = prices[requests[first + 3] ?? -1];
      const rates = price && ratesOf(price, requests[first + 1] ?? 0, requests[first + 2] ?? 0);
      const at = request * PLACE_WIDTH;
      this.#numbers[at] = weight;
      this.#numbers[at + 1] = reads;
      this.#numbers[at + 2] = weight * (rates?.input ?? Number.NaN);
      this.#numbers[at + 3] = usdReads;
      // This request read everything before it. Without its price, the sum is unknown.
      reads += readShare(rates);
      usdReads += rates?.cacheRead ?? Number.NaN;
    }
  }

  /** The place of a result with this many requests before it. */
  at(request: number): CostPlace {
    const numbers = this.#numbers;
    const at = request * PLACE_WIDTH;
    const laterRequests = numbers.length / PLACE_WIDTH - request;
    if (laterRequests <= 0) return UNSENT;
    const weight = numbers[at] as number;
    const reads = numbers[at + 1] as number;
    const write = numbers[at + 2] as number;
    const usdReads = numbers[at + 3] as number;
    const usd = Number.isNaN(write + usdReads) ? undefined : { write, reads: usdReads };
    return { laterRequests, weight, reads, usd };
  }
}

/** What saved tokens would have cost. Parts that cannot be computed are listed; null if nothing can be computed. */
export interface Cost {
  /**
   * In tokens at the plain input price: S × (w + c × r). The first request that held the S tokens wrote them, at the
   * weight w; each of the r requests after that one read them, at c of the input price.
   */
  readonly units: number | null;
  /** API-equivalent US dollars. */
  readonly usd: number | null;
  /** Saved tokens not in `units`: the request that followed does not report its cost. */
  readonly uncountedTokens: number;
  /** Saved tokens not in `usd`: uncounted, or sent to a model without a price. */
  readonly unpricedTokens: number;
}

/** The cost of tokens at one place; null if the log or the price table does not have it. */
export function costOf(
  tokens: number,
  { laterRequests, weight, reads, usd }: CostPlace,
): { readonly units: number | null; readonly usd: number | null } {
  // Whatever was never sent has not cost anything yet.
  if (laterRequests === 0) return { units: 0, usd: 0 };
  if (weight === UNKNOWN_WEIGHT) return { units: null, usd: null };
  return { units: tokens * (weight + reads), usd: usd ? (tokens * (usd.write + usd.reads)) / 1e6 : null };
}

/** Sums the value of savings, and of what was lost again: negative tokens. */
export class CostSum {
  /** Tokens that were sent at all, saved or lost. */
  #sent: number;
  #units: number;
  #usd: number;
  #uncounted: number;
  #unpriced: number;

  /** Continues from an earlier sum. */
  constructor(sent = 0, units = 0, usd = 0, uncounted = 0, unpriced = 0) {
    this.#sent = sent;
    this.#units = units;
    this.#usd = usd;
    this.#uncounted = uncounted;
    this.#unpriced = unpriced;
  }

  add(tokens: number, place: CostPlace): void {
    const { units, usd } = costOf(tokens, place);
    const amount = Math.abs(tokens);
    if (place.laterRequests > 0) this.#sent += amount;
    if (units === null) this.#uncounted += amount;
    else this.#units += units;
    if (usd === null) this.#unpriced += amount;
    else this.#usd += usd;
  }

  get cost(): Cost {
    const isNothing = (left: number) => left > 0 && left >= this.#sent;
    return {
      units: isNothing(this.#uncounted) ? null : Math.round(this.#units),
      usd: isNothing(this.#unpriced) ? null : Math.round(this.#usd * 1e4) / 1e4,
      uncountedTokens: Math.round(this.#uncounted),
      unpricedTokens: Math.round(this.#unpriced),
    };
  }
}

/** The empty sum. */
export const NO_COST: Cost = new CostSum().cost;
