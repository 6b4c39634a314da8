/** The shapes of settings that are objects. Each value may come from a file or from settings written by hand. */

/** Tool-name pattern → patterns of the tools whose results it makes stale; `*` matches any characters. */
export type InvalidationMap = Readonly<Record<string, readonly string[]>>;

export function invalidationMap(value: unknown): InvalidationMap | undefined {
  return isInvalidationMap(value) ? value : undefined;
}

function isInvalidationMap(value: unknown): value is InvalidationMap {
  return isRecord(value) && Object.values(value).every(list => Array.isArray(list) && list.every(isString));
}

export function salvagedInvalidationMap(value: unknown): InvalidationMap | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([tool, stale]) => [tool, nonEmptyTexts(stale)]));
}

export function nonEmptyTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isString).filter(text => text.trim() !== "") : [];
}

/** US dollars per million tokens. */
export interface Rates {
  readonly input: number;
  /** Reading from the prompt cache; a tenth of `input` if missing. */
  readonly cacheRead?: number;
}

export interface Price extends Rates {
  /** The rates of requests whose whole prompt, cached or not, has more tokens than this. */
  readonly above?: Rates & { readonly promptTokens: number };
  /** The rates of requests before this day (UTC), as YYYY-MM-DD. */
  readonly before?: Rates & { readonly date: string };
  /** Where and when the figures were read. */
  readonly source?: string;
}

export interface PriceTable {
  /** The source of the prices, for display. */
  readonly source: string;
  readonly models: Readonly<Record<string, Price>>;
}

/** The user's own prices. A table may name its own source: `{ "source": "…", "models": { … } }`. */
export function priceTable(value: unknown, source: string): PriceTable | undefined {
  if (!isRecord(value)) return undefined;
  if (isString(value["source"]) && "models" in value) return priceTable(value["models"], value["source"]);
  const models: Record<string, Price> = {};
  for (const [model, given] of Object.entries(value)) {
    const price = typeof given === "number" ? { input: given } : given;
    if (!isPrice(price)) return undefined;
    models[model] = price;
  }
  return { source, models };
}

const AMOUNT = { type: "number", minimum: 0 };

/** Other rates where something holds of a request. */
function ratesWhere(condition: string, schema: object): object {
  return {
    type: "object",
    properties: { [condition]: schema, input: AMOUNT, cacheRead: AMOUNT },
    required: [condition, "input"],
    additionalProperties: false,
  };
}

/** The same as a JSON schema, for the editor in which somebody writes them. */
export const PRICE_SCHEMA = /* @__PURE__ */ priceSchema();

function priceSchema(): object {
  const price = {
    type: "object",
    properties: {
      input: AMOUNT,
      cacheRead: AMOUNT,
      above: ratesWhere("promptTokens", AMOUNT),
      before: ratesWhere("date", { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
    },
    required: ["input"],
    additionalProperties: false,
  };
  return { additionalProperties: { anyOf: [AMOUNT, price] } };
}

function isPrice(value: unknown): value is Price {
  if (!isRates(value)) return false;
  const { above, before, source } = value as Partial<Price>;
  return (
    (above === undefined || (isRates(above) && Number.isSafeInteger(above.promptTokens))) &&
    (before === undefined || (isRates(before) && isDay(before.date))) &&
    (source === undefined || isString(source))
  );
}

function isRates(value: unknown): value is Rates {
  if (!isRecord(value)) return false;
  const { input, cacheRead } = value;
  return isAmount(input) && (cacheRead === undefined || isAmount(cacheRead));
}

/** Dollars per million tokens: more than any model costs, and small enough for sums to stay finite. */
const MAX_AMOUNT = 1_000_000;

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_AMOUNT;
}

/** A valid calendar day, unlike February 30. */
function isDay(value: unknown): boolean {
  if (!isString(value) || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
