import type { Report } from "../inspect/report.js";
import type { Strategy } from "../inspect/strategies.js";
import type { StrategyReport } from "../inspect/strategyFigures.js";
import { grouped, percent, short } from "../words/numbers.js";
import { strings } from "../words/strings.js";
import { moneyText } from "../words/text.js";
import { type Column, renderTable } from "./table.js";
import type { Tint } from "./terminal.js";

type Paint = (tint: Tint, text: string) => string;

const { columns } = strings;

const COLUMNS: readonly Column[] = [
  { title: strings.whatIf.strategy, shrinks: true },
  { title: columns.results, align: "right", dropOrder: 3 },
  { title: columns.hints, align: "right", dropOrder: 4 },
  { title: columns.ofBytes, align: "right" },
  { title: columns.saved, align: "right", tint: "green" },
  { title: columns.carried, align: "right", dropOrder: 2 },
  { title: columns.worth, align: "right", dropOrder: 1 },
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
    moneyText(one.cost),
  ]);
  const isAll = report.strategies.some(({ strategy }) => strategy === "span");
  const more = isAll ? "" : paint("dim", "  --strategies also compares near-references and runs of lines");
  return `\n${paint("bold", strings.whatIf.strategies)}${more}\n${renderTable(COLUMNS, rows, width, paint)}`;
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

/** What the money of the hits is based on, and what it leaves out. */
export function worthOf({ cost }: Report): string {
  const { units, usd, unpricedTokens } = cost.hits;
  if (units === null) return "the requests do not say what they cost";
  const cached = `API-equivalent: ${short(units)} tokens at the input price, prompt cache counted`;
  if (usd === null) return `no price for ${cost.unpricedModels.join(", ")}: --prices FILE`;
  return unpricedTokens === 0 ? cached : `${cached}; ${short(unpricedTokens)} tokens have no price and are left out`;
}
