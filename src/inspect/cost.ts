import type { RequestFact } from "../log/facts.js";
import type { Price } from "./prices.js";

/** What writing to the prompt cache and reading from it cost, in units of the plain input price. */
const WRITE_5M = 1.25;
const WRITE_1H = 2;
const READ = 0.1;

/** The request does not say what it cost. */
export const UNKNOWN_WEIGHT = 0;

/** What a token new to this request cost: by its own split of cache writes, 1 where it wrote nothing. */
export function writeWeight({ input, written5m, written1h }: RequestFact): number {
  const written = written5m + written1h;
  if (written > 0) return (WRITE_5M * written5m + WRITE_1H * written1h) / written;
  return input > 0 ? 1 : UNKNOWN_WEIGHT;
}

/** Where a result stands in its context, as far as its cost depends on it. */
export interface CostPlace {
  /** Requests of the partition that came after the result: the first wrote it, the others read it from the cache. */
  readonly laterRequests: number;
  /** The first one's weight. */
  readonly weight: number;
  /** Undefined where the model is not in the price table. */
  readonly price: Required<Price> | undefined;
}

/** What saved tokens would have cost. A part that cannot be computed is named, and a whole that cannot is null. */
export interface Cost {
  /** In tokens at the plain input price: S × (w + 0.1 × r). */
  readonly units: number | null;
  /** API-equivalent US dollars. */
  readonly usd: number | null;
  /** Saved tokens not in `units`: the request that followed does not say what it cost. */
  readonly uncountedTokens: number;
  /** Saved tokens not in `usd`: uncounted, or of a model without a price. */
  readonly unpricedTokens: number;
}

/** Sums what savings are worth. */
export class CostSum {
  /** Saved tokens that were sent at all. */
  #sent = 0;
  #units = 0;
  #usd = 0;
  #uncounted = 0;
  #unpriced = 0;

  add(tokens: number, { laterRequests, weight, price }: CostPlace): void {
    // What was never sent has cost nothing yet.
    if (laterRequests === 0) return;
    this.#sent += tokens;
    if (weight === UNKNOWN_WEIGHT) {
      this.#uncounted += tokens;
      this.#unpriced += tokens;
      return;
    }
    const reads = laterRequests - 1;
    this.#units += tokens * (weight + READ * reads);
    if (price === undefined) this.#unpriced += tokens;
    else this.#usd += (tokens * (weight * price.input + reads * price.cacheRead)) / 1e6;
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
