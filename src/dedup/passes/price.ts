/** What rewriting history costs: the prompt cache holds a prefix, and from the first changed message on it is void. */
import type { LiveRequest, Message } from "../../log/conversation/message.js";
import { tokensBefore } from "./sizes.js";

/** In units of the input price (engine.md 8). */
const WRITE_5M = 1.25;
const WRITE_1H = 2;

/** Why a figure is missing. */
export type Unpriced =
  /** The pass leaves every message as it is. */
  | "unchanged"
  /** No request says what it read from the cache. */
  | "noUsage"
  /** No request wrote to the cache, so the price of writing is not known. */
  | "noCacheWrites"
  /** All that goes is of a size that the log does not tell. */
  | "unknownSize"
  /** It costs, and never pays. */
  | "savesNothing";

export interface RewritePrice {
  /** Tokens that the last request read from the cache and that would have to be written again. */
  readonly rewrittenTokens: number | null;
  /** Requests that must follow until it has paid for itself, 0 where it pays at once; at most so many where more is saved. */
  readonly breakEvenRequests: number | null;
  /** Why a figure above is null. */
  readonly unpriced: Unpriced | null;
}

/** What a pass does to a list, as far as its price goes. */
export interface Rewriting {
  /** The index of the first message that changes or goes; null where none does. */
  readonly firstChanged: number | null;
  /** Estimated: characters ÷ the ratio. Below 0 where the list grows. */
  readonly savedTokens: number;
  /** More goes than `savedTokens`, of a size that the log does not tell. */
  readonly savesMore: boolean;
}

/** How texts become money. */
export interface PassRates {
  readonly charsPerToken: number;
  /** What reading a token from the prompt cache costs this model, in units of the input price. */
  readonly readShare: number;
}

/** The price of one rewriting, had the last request been sent so. */
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
  // What is left of them is written instead of read; from then on every request reads less.
  const extra = Math.max(0, rewritten - savedTokens) * write - rewritten * readShare;
  // Reads that cost nothing never pay.
  if (readShare === 0 && extra > 0) return unpriced("savesNothing");
  const breakEvenRequests = extra > 0 ? Math.ceil(extra / (savedTokens * readShare)) : 0;
  return { rewrittenTokens, breakEvenRequests, unpriced: null };
}

/** By the split of the newest request that wrote anything. */
function writePrice(requests: readonly LiveRequest[]): number | undefined {
  const writer = requests.findLast(({ written5m, written1h }) => written5m + written1h > 0);
  if (writer === undefined) return undefined;
  const { written5m, written1h } = writer;
  return (WRITE_5M * written5m + WRITE_1H * written1h) / (written5m + written1h);
}
