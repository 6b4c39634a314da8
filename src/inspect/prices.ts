/**
 * What input tokens cost, for figures in "API-equivalent" money. A table of list prices ages: it carries its date, a
 * user can put their own in its place, and a model that is not in it has no price.
 */

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  /** Reading from the prompt cache; a tenth of `input` where it is not said. */
  readonly cacheRead?: number;
}

export interface PriceTable {
  /** Where the prices are from, for people. */
  readonly source: string;
  readonly models: Readonly<Record<string, Price>>;
}

export const DEFAULT_PRICES: PriceTable = {
  source: "Anthropic's published list prices as of November 2026",
  models: {
    "claude-fable-5-1": { input: 10, cacheRead: 0.25 },
    "claude-fable-5": { input: 10 },
    "claude-opus-5-5": { input: 4, cacheRead: 0.2 },
    "claude-opus-5": { input: 5 },
    "claude-opus-4-8": { input: 5 },
    "claude-opus-4-7": { input: 5 },
    "claude-opus-4-6": { input: 5 },
    "claude-opus-4-5": { input: 5 },
    "claude-opus-4-1": { input: 15 },
    "claude-opus-4": { input: 15 },
    "claude-sonnet-5-5": { input: 2, cacheRead: 0.1 },
    "claude-sonnet-5": { input: 2 },
    "claude-sonnet-4-6": { input: 3 },
    "claude-sonnet-4-5": { input: 3 },
    "claude-sonnet-4": { input: 3 },
    "claude-haiku-4-5": { input: 1 },
    "claude-3-7-sonnet": { input: 3 },
    "claude-3-5-sonnet": { input: 3 },
    "claude-3-5-haiku": { input: 0.8 },
    "claude-3-opus": { input: 15 },
    "claude-3-haiku": { input: 0.25 },
  },
};

const CACHE_READ_SHARE = 0.1;

/** The price of a model; undefined where it is not in the table. */
export function priceOf(model: string, { models }: PriceTable): Required<Price> | undefined {
  const price = own(models, model) ?? own(models, plainName(model));
  return price && { input: price.input, cacheRead: price.cacheRead ?? price.input * CACHE_READ_SHARE };
}

/** `us.anthropic.claude-opus-4-1-20250805-v1:0` and the like, without provider, date and version. */
function plainName(model: string): string {
  const name = /claude-[a-z0-9-]+/.exec(model)?.[0] ?? model;
  return name.replace(/-v\d+$/, "").replace(/-(?:\d{8}|latest)$/, "");
}

function own(models: PriceTable["models"], name: string): Price | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined;
}

/**
 * The user's prices before the usual ones; undefined where the value is no price table. A table may say itself where its
 * prices are from: `{ "source": "…", "models": { … } }`.
 */
export function withPrices(value: unknown, source: string): PriceTable | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if ("source" in value && typeof value.source === "string" && "models" in value) {
    return withPrices(value.models, value.source);
  }
  const models: Record<string, Price> = { ...DEFAULT_PRICES.models };
  for (const [model, given] of Object.entries(value)) {
    const { input, cacheRead } = (typeof given === "number" ? { input: given } : (given ?? {})) as Partial<Price>;
    if (!isAmount(input) || !(cacheRead === undefined || isAmount(cacheRead))) return undefined;
    models[model] = { input, ...(cacheRead !== undefined && { cacheRead }) };
  }
  return { source: `${source}, else ${DEFAULT_PRICES.source}`, models };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
