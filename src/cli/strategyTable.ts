import type { Report } from "../inspect/report.js";
import { STRATEGIES, STRATEGY_IDS } from "../inspect/strategies.js";
import { grouped, percent, short } from "../words/numbers.js";
import { strategyName } from "../words/strategyNames.js";
import { strings } from "../words/strings.js";
import { moneyText } from "../words/text.js";
import type { Column, TitledTable } from "./table.js";

const { columns } = strings;

const COLUMNS: readonly Column[] = [
  { title: strings.whatIf.strategy, wraps: true },
  { title: columns.results, align: "right", dropOrder: 3 },
  { title: columns.hints, align: "right", dropOrder: 4 },
  { title: columns.ofBytes, align: "right" },
  { title: columns.saved, align: "right", tint: "green" },
  { title: columns.carried, align: "right", dropOrder: 2 },
  { title: columns.worth, align: "right", dropOrder: 1 },
];

/** The ways to save, side by side: they are alternatives, so nothing is added up. */
export function strategiesTable(report: Report): TitledTable {
  const { upperBound } = strings.strategyLimits;
  const rows = report.strategies.map(one => [
    `${strategyName(one.strategy, one)}${STRATEGIES[one.strategy].upperBound ? ` (${upperBound})` : ""}`,
    grouped(one.results),
    grouped(one.hints),
    one.share === null ? "–" : percent(one.share, 1),
    short(one.savedTokens),
    short(one.carriedTokens),
    moneyText(one.cost),
  ]);
  const isAll = report.strategies.length === STRATEGY_IDS.length;
  return {
    title: strings.whatIf.strategies,
    ...(!isAll && { hint: "--strategies compares all of them" }),
    columns: COLUMNS,
    rows,
  };
}

/** What the money of the hits is based on, and what it leaves out. */
export function worthOf({ cost }: Report): string {
  const { units, usd, unpricedTokens } = cost.hits;
  if (units === null) return "the requests do not say what they cost";
  const cached = `API-equivalent: ${short(units)} tokens at the input price, prompt cache counted`;
  if (usd === null) return `no price for ${cost.unpricedModels.join(", ")}: --prices FILE`;
  return unpricedTokens === 0 ? cached : `${cached}; ${short(unpricedTokens)} tokens have no price and are left out`;
}
