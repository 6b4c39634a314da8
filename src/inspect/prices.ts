/**
 * The price of input tokens, for figures in "API-equivalent" money. List prices get outdated: each row says where and
 * when it was read, users can replace them with their own, and models that are not listed have no price.
 */
import type { Price, PriceTable, Rates } from "../settings/shapes.js";
import { plainName } from "./models.js";

const DOCS = "https://platform.claude.com/docs/en";
/** The price page as it was before the 5.5 models, and an older one for models that it no longer lists. */
const PAGE = `${DOCS}/about-claude/pricing, September 2026`;
const OLD_PAGE = "https://docs.anthropic.com/en/docs/about-claude/pricing, August 2025";
const PAGE_4_6 = `${DOCS}/docs/about-claude/pricing, spring 2026`;
const modelPage = (name: string, read: string) => `${DOCS}/models/${name}/overview, ${read}`;

export const DEFAULT_PRICES: PriceTable = {
  source: "Anthropic's published list prices as of November 2026",
  models: {
    "claude-fable-5-1": { input: 10, cacheRead: 0.25, source: PAGE },
    "claude-fable-5": { input: 10, cacheRead: 1, source: PAGE },
    "claude-mythos-5-1": { input: 10, cacheRead: 0.25, source: PAGE },
    "claude-mythos-5": { input: 10, cacheRead: 1, source: PAGE },
    "claude-opus-5-5": { input: 4, cacheRead: 0.2, source: modelPage("opus-5-5", "October 2026") },
    "claude-opus-5": { input: 5, cacheRead: 0.5, source: PAGE },
    "claude-opus-4-8": { input: 5, cacheRead: 0.5, source: PAGE },
    "claude-opus-4-7": { input: 5, cacheRead: 0.5, source: PAGE },
    "claude-opus-4-6": { input: 5, cacheRead: 0.5, source: PAGE },
    "claude-opus-4-5": { input: 5, cacheRead: 0.5, source: PAGE },
    "claude-opus-4-1": { input: 15, cacheRead: 1.5, source: PAGE },
    "claude-opus-4": { input: 15, cacheRead: 1.5, source: PAGE },
    // $0.20 on its own page at its release, 28 September 2026; since 7 October, reads cost 5 % of the input price,
    // according to the page of Haiku 5.5.
    "claude-sonnet-5-5": {
      input: 2,
      cacheRead: 0.1,
      before: { date: "2026-10-07", input: 2, cacheRead: 0.2 },
      source: `${modelPage("sonnet-5-5", "September 2026")}; ${modelPage("haiku-5-5", "October 2026")}`,
    },
    "claude-sonnet-5": { input: 2, cacheRead: 0.2, source: modelPage("sonnet-5", "October 2026") },
    "claude-sonnet-4-6": { input: 3, cacheRead: 0.3, source: PAGE_4_6 },
    "claude-sonnet-4-5": { input: 3, cacheRead: 0.3, source: PAGE_4_6 },
    "claude-sonnet-4": { input: 3, cacheRead: 0.3, source: PAGE_4_6 },
    "claude-haiku-5-5": {
      input: 0.1,
      cacheRead: 0.01,
      above: { promptTokens: 100_000, input: 0.5, cacheRead: 0.05 },
      source: modelPage("haiku-5-5", "October 2026"),
    },
    "claude-haiku-4-5": { input: 1, cacheRead: 0.1, source: PAGE_4_6 },
    "claude-3-7-sonnet": { input: 3, cacheRead: 0.3, source: OLD_PAGE },
    "claude-3-5-sonnet": { input: 3, cacheRead: 0.3, source: OLD_PAGE },
    "claude-3-5-haiku": { input: 0.8, cacheRead: 0.08, source: OLD_PAGE },
    "claude-3-opus": { input: 15, cacheRead: 1.5, source: OLD_PAGE },
    "claude-3-haiku": { input: 0.25, cacheRead: 0.03, source: OLD_PAGE },
  },
};

/** The price of reading a token from the prompt cache, in units of the input price, for models without a price. */
const CACHE_READ_SHARE = 0.1;

/** The price of a model; undefined if it is not in the table. */
function priceOf(model: string, { models }: PriceTable): Price | undefined {
  return own(models, model) ?? own(models, plainName(model));
}

/** The prices of a context's models; undefined for those that are not in the table. */
export function pricesOf(models: readonly string[], table: PriceTable): (Price | undefined)[] {
  return models.map(model => priceOf(model, table));
}

/** Those of a context's models that have no price. A request that names no model has none either, but nothing to list. */
export function unpricedOf(models: readonly string[], prices: readonly (Price | undefined)[]): string[] {
  return models.filter((model, index) => model !== "" && prices[index] === undefined);
}

/** The rates from now on: today's, for a prompt of usual length. Undefined for an unknown model. */
export function currentRates(model: string | undefined, table: PriceTable): Required<Rates> | undefined {
  const price = model === undefined ? undefined : priceOf(model, table);
  return price && ratesOf(price, 0, 0);
}

/** The rates of one request, by the length of its prompt and its time, in seconds since 1970, 0 if unknown. */
export function ratesOf(price: Price, promptTokens: number, at: number): Required<Rates> {
  const { above, before } = price;
  const isEarly = before !== undefined && at > 0 && at * 1000 < Date.parse(before.date);
  const isLong = above !== undefined && promptTokens > above.promptTokens;
  const { input, cacheRead } = isEarly ? before : isLong ? above : price;
  return { input, cacheRead: cacheRead ?? input * CACHE_READ_SHARE };
}

/** The price of a cache read in units of the input price. */
export function readShare(rates: Required<Rates> | undefined): number {
  return rates === undefined || rates.input === 0 ? CACHE_READ_SHARE : rates.cacheRead / rates.input;
}

function own(models: PriceTable["models"], name: string): Price | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined;
}

/** The user's own prices take precedence over list prices. */
export function withListPrices(own: PriceTable | undefined): PriceTable {
  if (own === undefined) return DEFAULT_PRICES;
  return {
    source: `${own.source}, else ${DEFAULT_PRICES.source}`,
    models: { ...DEFAULT_PRICES.models, ...own.models },
  };
}
