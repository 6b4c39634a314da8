import type { Cost } from "../inspect/cost.js";
import type { Report } from "../inspect/report.js";
import type { Strategy } from "../inspect/strategies.js";
import type { StrategyReport } from "../inspect/strategyFigures.js";
import { grouped, percent, short } from "../words/numbers.js";
import { type Column, renderTable } from "./table.js";
import type { Tint } from "./terminal.js";

type Paint = (tint: Tint, text: string) => string;

const COLUMNS: readonly Column[] = [
  { title: "strategy", shrinks: true },
  { title: "results", align: "right", dropOrder: 3 },
  { title: "hints", align: "right", dropOrder: 4 },
  { title: "of bytes", align: "right" },
  { title: "saved", align: "right", tint: "green" },
  { title: "carried", align: "right", dropOrder: 2 },
  { title: "worth", align: "right", dropOrder: 1 },
];

const NAMES: Readonly<Record<Strategy, string>> = {
  exact: "whole results",
  "exact-unbounded": "whole results",
  near: "and JSON with a few changed values",
  "near-unbounded": "and JSON with a few changed values",
  span: "runs of lines",
  "span-inputs": "runs of lines, calls' inputs too",
};

/** The strategies side by side: nothing here is added up, they are alternatives. */
export function renderStrategies(report: Report, width: number, paint: Paint): string {
  const rows = report.strategies.map(one => [
    nameOf(one),
    grouped(one.results),
    grouped(one.hints),
    one.share === null ? "–" : percent(one.share, 1),
    short(one.savedTokens),
    short(one.carriedTokens),
    money(one.cost),
  ]);
  const isAll = report.strategies.some(({ strategy }) => strategy === "span");
  const more = isAll ? "" : paint("dim", "  --strategies also compares near-references and runs of lines");
  return `\n${paint("bold", "What each strategy would save")}${more}\n${renderTable(COLUMNS, rows, width, paint)}`;
}

function nameOf({ strategy, capacity, spanMinBytes }: StrategyReport): string {
  const limit =
    spanMinBytes !== undefined
      ? `from ${spanMinBytes} bytes`
      : capacity === null
        ? "no limit"
        : `the last ${grouped(capacity ?? 0)}`;
  return `${NAMES[strategy]}, ${limit}`;
}

/** API-equivalent dollars; what cannot be priced says so instead of 0. */
export function money({ usd }: Cost): string {
  if (usd === null) return "no price";
  return `$${usd >= 100 ? Math.round(usd).toLocaleString("en-US") : usd.toFixed(2)}`;
}

/** How the money of the hits came about, and what is not in it. */
export function worthOf({ cost }: Report): string {
  const { units, usd, unpricedTokens } = cost.hits;
  if (units === null) return "the requests do not say what they cost";
  const cached = `API-equivalent: ${short(units)} tokens at the input price, prompt cache counted`;
  if (usd === null) return `no price for ${cost.unpricedModels.join(", ")}: --prices FILE`;
  return unpricedTokens === 0 ? cached : `${cached}; without ${short(unpricedTokens)} tokens that have no price`;
}
