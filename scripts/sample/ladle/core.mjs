// Texts of the invented project: quantities, units and scaling.

/** @type {Record<string, string>} */
export const CORE = {
  "src/fractions.ts": String.raw`/** Kitchen fractions: the amounts a measuring cup can really show. */

export interface KitchenFraction {
  readonly value: number;
  readonly text: string;
  readonly glyph: string;
}

const TABLE: readonly KitchenFraction[] = [
  { value: 0, text: "", glyph: "" },
  { value: 1 / 8, text: "1/8", glyph: "⅛" },
  { value: 1 / 4, text: "1/4", glyph: "¼" },
  { value: 1 / 2, text: "1/2", glyph: "½" },
  { value: 3 / 4, text: "3/4", glyph: "¾" },
  { value: 1, text: "", glyph: "" },
];

/** How far a number may be from a table entry and still count as that entry. */
const TOLERANCE = 0.01;

export interface FormatOptions {
  /** Use the single-character forms such as ½ where there is one. */
  readonly glyphs?: boolean;
  /** Digits after the point when no fraction fits. */
  readonly digits?: number;
}

/** The table entry nearest to the part of the number after the point. */
export function nearestFraction(rest: number): KitchenFraction {
  let best = TABLE[0] as KitchenFraction;
  for (const entry of TABLE) {
    if (Math.abs(entry.value - rest) < Math.abs(best.value - rest)) best = entry;
  }
  return best;
}

/** Writes 1.5 as "1 1/2", 0.25 as "1/4", and falls back to decimals where no cup has a mark. */
export function formatQuantity(value: number, options: FormatOptions = {}): string {
  if (!Number.isFinite(value) || value < 0) throw new RangeError("not a kitchen quantity: " + String(value));
  let whole = Math.floor(value);
  const rest = value - whole;
  const entry = nearestFraction(rest);
  if (Math.abs(entry.value - rest) > TOLERANCE) {
    return value.toFixed(options.digits ?? 3);
  }
  if (entry.value === 1) {
    whole += 1;
    return String(whole);
  }
  const part = options.glyphs ? entry.glyph : entry.text;
  if (part === "") return String(whole);
  if (whole === 0) return part;
  return options.glyphs ? String(whole) + part : String(whole) + " " + part;
}

const GLYPHS = new Map(TABLE.filter(entry => entry.glyph !== "").map(entry => [entry.glyph, entry.value]));

/** Reads "1 1/2", "1½", "3/4", "2.5" and "2,5". Returns null where the text is no quantity. */
export function parseQuantity(text: string): number | null {
  const clean = text.trim().replace(",", ".");
  if (/^\d+(\.\d+)?$/.test(clean)) return Number(clean);
  const mixed = /^(?:(\d+)\s+)?(\d+)\/(\d+)$/.exec(clean);
  if (mixed) {
    const bottom = Number(mixed[3]);
    if (bottom === 0) return null;
    return Number(mixed[1] ?? 0) + Number(mixed[2]) / bottom;
  }
  const glyph = GLYPHS.get(clean.slice(-1));
  if (glyph === undefined) return null;
  const head = clean.slice(0, -1).trim();
  if (head === "") return glyph;
  return /^\d+$/.test(head) ? Number(head) + glyph : null;
}
`,
  "src/units.ts": String.raw`/** Units of the kitchen, what they measure, and how they turn into one another. */

export type Measure = "volume" | "weight" | "count" | "feel";
export type UnitSystem = "metric" | "imperial";

export interface Unit {
  readonly name: string;
  readonly plural: string;
  readonly aliases: readonly string[];
  readonly measure: Measure;
  /** Millilitres for a volume, grams for a weight, 1 for the rest. */
  readonly base: number;
  readonly system: UnitSystem | "both";
}

export const UNITS: readonly Unit[] = [
  { name: "ml", plural: "ml", aliases: ["millilitre", "milliliter"], measure: "volume", base: 1, system: "metric" },
  { name: "dl", plural: "dl", aliases: ["decilitre", "deciliter"], measure: "volume", base: 100, system: "metric" },
  { name: "l", plural: "l", aliases: ["litre", "liter"], measure: "volume", base: 1000, system: "metric" },
  { name: "tsp", plural: "tsp", aliases: ["teaspoon", "teaspoons"], measure: "volume", base: 5, system: "both" },
  { name: "tbsp", plural: "tbsp", aliases: ["tablespoon", "tablespoons"], measure: "volume", base: 15, system: "both" },
  { name: "cup", plural: "cups", aliases: ["cups", "c"], measure: "volume", base: 240, system: "imperial" },
  { name: "pint", plural: "pints", aliases: ["pints", "pt"], measure: "volume", base: 480, system: "imperial" },
  { name: "g", plural: "g", aliases: ["gram", "grams", "gr"], measure: "weight", base: 1, system: "metric" },
  { name: "kg", plural: "kg", aliases: ["kilo", "kilogram"], measure: "weight", base: 1000, system: "metric" },
  { name: "oz", plural: "oz", aliases: ["ounce", "ounces"], measure: "weight", base: 28.35, system: "imperial" },
  { name: "lb", plural: "lb", aliases: ["pound", "pounds"], measure: "weight", base: 453.6, system: "imperial" },
  { name: "piece", plural: "pieces", aliases: ["pieces", "pc"], measure: "count", base: 1, system: "both" },
  { name: "clove", plural: "cloves", aliases: ["cloves"], measure: "count", base: 1, system: "both" },
  { name: "sprig", plural: "sprigs", aliases: ["sprigs"], measure: "count", base: 1, system: "both" },
  { name: "pinch", plural: "pinches", aliases: ["pinches"], measure: "feel", base: 1, system: "both" },
  { name: "dash", plural: "dashes", aliases: ["dashes"], measure: "feel", base: 1, system: "both" },
];

const BY_NAME = new Map<string, Unit>();
for (const unit of UNITS) {
  BY_NAME.set(unit.name, unit);
  BY_NAME.set(unit.plural, unit);
  for (const alias of unit.aliases) BY_NAME.set(alias, unit);
}

export function findUnit(word: string): Unit | undefined {
  return BY_NAME.get(word.toLowerCase().replace(/\.$/, ""));
}

export function convert(amount: number, from: Unit, to: Unit): number {
  if (from.measure !== to.measure) {
    throw new Error("cannot turn " + from.name + " into " + to.name);
  }
  return (amount * from.base) / to.base;
}

/** A larger unit of the same measure and system where that shows the amount with fewer digits. */
export function comfortable(amount: number, unit: Unit): { amount: number; unit: Unit } {
  if (unit.measure === "count" || unit.measure === "feel") return { amount, unit };
  let best = { amount, unit };
  for (const other of UNITS) {
    if (other.measure !== unit.measure || other.base < unit.base) continue;
    if (other.system !== unit.system && other.system !== "both") continue;
    const there = convert(amount, unit, other);
    if (there < 0.25 || there > 1000) continue;
    if (String(round(there)).length < String(round(best.amount)).length) best = { amount: there, unit: other };
  }
  return best;
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
`,
  "src/scale.ts": `/** Scaling a recipe from the servings it was written for to the servings somebody wants. */

import { formatQuantity } from "./fractions.js";
import type { Ingredient, Recipe } from "./recipe.js";
import { comfortable, findUnit } from "./units.js";

export interface ScaledLine {
  readonly name: string;
  readonly amount: number | null;
  readonly unit: string | null;
  /** The line as it should be printed. */
  readonly text: string;
}

export interface ScaledRecipe {
  readonly title: string;
  readonly servings: number;
  readonly factor: number;
  readonly lines: readonly ScaledLine[];
  readonly warnings: readonly string[];
}

const SMALLEST_FACTOR = 0.1;
const LARGEST_FACTOR = 40;

export function scaleRecipe(recipe: Recipe, servings: number): ScaledRecipe {
  if (!Number.isInteger(servings) || servings < 1) {
    throw new RangeError("servings must be a whole number above zero");
  }
  const factor = servings / recipe.servings;
  const warnings: string[] = [];
  if (factor < SMALLEST_FACTOR) warnings.push("This is a very small share of the recipe; weigh instead of measuring.");
  if (factor > LARGEST_FACTOR) warnings.push("This is a very large batch; cook it in several pots.");
  const lines = recipe.ingredients
    .filter(ingredient => ingredient.quantity !== null)
    .map(ingredient => scaleIngredient(ingredient, factor));
  for (const ingredient of recipe.ingredients) {
    if (ingredient.name === "yeast" && factor > 4) {
      warnings.push("Yeast does not scale in a straight line: use about two thirds and let the dough rise longer.");
    }
  }
  return { title: recipe.title, servings, factor, lines, warnings };
}

export function scaleIngredient(ingredient: Ingredient, factor: number): ScaledLine {
  if (ingredient.quantity === null) {
    return { name: ingredient.name, amount: null, unit: null, text: ingredient.name };
  }
  const scaled = ingredient.quantity * factor;
  const unit = ingredient.unit === null ? undefined : findUnit(ingredient.unit);
  if (unit === undefined) {
    return line(ingredient.name, scaled, ingredient.unit);
  }
  const settled = comfortable(scaled, unit);
  const label = settled.amount > 1 ? settled.unit.plural : settled.unit.name;
  return line(ingredient.name, settled.amount, label);
}

function line(name: string, amount: number, unit: string | null): ScaledLine {
  const shown = formatQuantity(amount);
  const text = unit === null ? shown + " " + name : shown + " " + unit + " " + name;
  return { name, amount, unit, text };
}
`,
};
