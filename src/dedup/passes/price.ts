/** What rewriting history costs: the prompt cache is a prefix, and is lost from the first changed message on. */
import type { LiveRequest, Message } from "../../log/conversation/message.js";
import { tokensBefore } from "./sizes.js";

/** Anthropic's prices for cache writes, in units of the input price. */
const WRITE_5M = 1.25;
const WRITE_1H = 2;

/** Why a figure is missing. */
export type Unpriced =
  /** The pass changes no message. */
  | "unchanged"
  /** No request has what it read from the cache. */
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
  /** Requests until it has paid for itself, 0 if it does at once. An upper limit if `savesMore`. */
  readonly breakEvenRequests: number | null;
  /** Why one of these is null. */
  readonly unpriced: Unpriced | null;
}

/** What a pass does to a list, as far as the price depends on it. */
export interface Rewriting {
  /** The index of the first message that is changed or removed; null if there is none. */
  readonly firstChanged: number | null;
  /** Estimated from characters. Negative if the list becomes longer. */
  readonly savedTokens: number;
  /** Something of unknown size is removed on top of `savedTokens`. */
  readonly savesMore: boolean;
}

/** For converting texts to money. */
export interface PassRates {
  readonly charsPerToken: number;
  /** What reading a token from the prompt cache costs this model, in units of the input price. */
  readonly readShare: number;
}

/** The price of one rewriting, if the last request had been sent this way. */
export function priceOf(
  { firstChanged, savedTokens, savesMore }: Rewriting,
  messages: readonly Message[],
  requests: readonly LiveRequest[],
  { charsPerToken, readShare }: PassRates,
): RewritePrice {
  if (firstChanged === null) return { rewrittenTokens: 0, breakEvenRequests: null, unpriced: "unchanged" };
  const read = requests.findLast(({ input }) => input > 0)?.cacheRead ?? undefined;
  const before = tokensBefore(firstChanged, messages, requests, charsPerToken);
  if (read === undefined || before === undefined) {
    return { rewrittenTokens: null, breakEvenRequests: null, unpriced: "noUsage" };
  }
  const rewritten = Math.max(0, read - before);
  const rewrittenTokens = Math.round(rewritten);
  const write = writePrice(requests);
  const unpriced = (why: Unpriced) => ({ rewrittenTokens, breakEvenRequests: null, unpriced: why });
  if (savedTokens <= 0) return unpriced(savesMore ? "unknownSize" : "savesNothing");
  if (write === undefined) return unpriced("noCacheWrites");
  // What remains of them is written instead of read; from then on, every request reads less.
  const extra = Math.max(0, rewritten - savedTokens) * write - rewritten * readShare;
  // If reads cost nothing, reading less never pays off.
  if (readShare === 0 && extra > 0) return unpriced("savesNothing");
  const breakEvenRequests = extra > 0 ? Math.ceil(extra / (savedTokens * readShare)) : 0;
  return { rewrittenTokens, breakEvenRequests, unpriced: null };
}

/** The mix of the two prices in the newest request that wrote anything. */
function writePrice(requests: readonly LiveRequest[]): number | undefined {
  const writer = requests.findLast(({ written5m, written1h }) => written5m + written1h > 0);
  if (writer === undefined) return undefined;
  const { written5m, written1h } = writer;
  return (WRITE_5M * written5m + WRITE_1H * written1h) / (written5m + written1h);
}
