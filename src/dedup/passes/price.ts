/** What rewriting history costs: the prompt cache is a prefix, and is lost from the first changed message on. */
import type { LiveRequest } from "../../log/conversation/message.js";

/** Anthropic's prices for cache writes, in units of the input price. */
const WRITE_5M = 1.25;
const WRITE_1H = 2;

/** Why a figure is missing. */
export type Unpriced =
  /** The pass changes no message. */
  | "unchanged"
  /** No request reports its cache reads. */
  | "noUsage"
  /** No request wrote to the cache, so the price of writing is unknown. */
  | "noCacheWrites"
  /** Everything that is removed is of unknown size. */
  | "unknownSize"
  /** It has a cost and never pays off. */
  | "savesNothing";

export interface RewritePrice {
  /** Tokens that the last request read from the cache and that would have to be written again. */
  readonly rewrittenTokens: number | null;
  /** The extra cost of the first request, in tokens at the plain input price; negative if it is cheaper. */
  readonly units: number | null;
  /** Requests until it has paid for itself, 0 if immediately. An upper limit if `savesMore`, like `units`. */
  readonly breakEvenRequests: number | null;
  /** Why one of these is null. */
  readonly unpriced: Unpriced | null;
}

/** What a pass does to a list, as far as it affects the price. */
export interface Rewriting {
  /** The index of the first message that is changed or removed; null if there is none. */
  readonly firstChanged: number | null;
  /** Estimated from characters. Negative if the list gets longer. */
  readonly savedTokens: number;
  /** Something of unknown size is removed on top of `savedTokens`. */
  readonly savesMore: boolean;
}

/** For converting texts to money. */
export interface PassRates {
  readonly charsPerToken: number;
  /** The price of reading a token from the prompt cache for this model, in units of the input price. */
  readonly readShare: number;
}

/** The state of the prompt cache, according to the requests. */
export interface CacheState {
  /** Tokens that the last request read from it; null if unknown. */
  readonly readTokens: number | null;
  /** The price of writing a token, in units of the input price; null if no request wrote any. */
  readonly writePrice: number | null;
}

export function cacheStateOf(requests: readonly LiveRequest[]): CacheState {
  const readTokens = requests.findLast(({ input }) => input > 0)?.cacheRead ?? null;
  return { readTokens, writePrice: writePrice(requests) ?? null };
}

/** The price of one rewrite, if the last request had been sent this way. `before`: tokens before the first change. */
export function priceOf(
  { firstChanged, savedTokens, savesMore }: Rewriting,
  before: number | null,
  { readTokens, writePrice }: CacheState,
  readShare: number,
): RewritePrice {
  if (firstChanged === null) return { rewrittenTokens: 0, units: 0, breakEvenRequests: null, unpriced: "unchanged" };
  if (readTokens === null || before === null) {
    return { rewrittenTokens: null, units: null, breakEvenRequests: null, unpriced: "noUsage" };
  }
  const rewritten = Math.max(0, readTokens - before);
  const rewrittenTokens = Math.round(rewritten);
  // The rest of them is written instead of read; from then on, every request reads less.
  const extra = writePrice === null ? null : Math.max(0, rewritten - savedTokens) * writePrice - rewritten * readShare;
  const units = extra === null ? null : Math.round(extra);
  const unpriced = (why: Unpriced) => ({ rewrittenTokens, units, breakEvenRequests: null, unpriced: why });
  if (savedTokens <= 0) return unpriced(savesMore ? "unknownSize" : "savesNothing");
  if (extra === null) return unpriced("noCacheWrites");
  // If reads cost nothing, reading less never pays off.
  if (readShare === 0 && extra > 0) return unpriced("savesNothing");
  const breakEvenRequests = extra > 0 ? Math.ceil(extra / (savedTokens * readShare)) : 0;
  return { rewrittenTokens, units, breakEvenRequests, unpriced: null };
}

/** The mix of the two prices in the newest request that wrote anything. */
function writePrice(requests: readonly LiveRequest[]): number | undefined {
  const writer = requests.findLast(({ written5m, written1h }) => written5m + written1h > 0);
  if (writer === undefined) return undefined;
  const { written5m, written1h } = writer;
  return (WRITE_5M * written5m + WRITE_1H * written1h) / (written5m + written1h);
}
