import type { Report } from "../inspect/report.js";
import { STRATEGY_IDS, strategyInForce } from "../inspect/strategies.js";
import { strategyTexts, uselessStrategies } from "../words/strategyTexts.js";
import { strings } from "../words/strings.js";
import { tokensText } from "../words/text.js";
import type { Column, TitledTable } from "./textTable.js";

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

/** The strategies side by side: they are alternatives, so there is no sum. */
export function strategiesTable({ strategies, settings }: Report): TitledTable {
  const { strategyLimits, whatIf } = strings;
  const present = strategyInForce(settings);
  const rows = strategyTexts(strategies).map(one => {
    const name = [one.name, one.upperBound && strategyLimits.upperBound, one.strategy === present && whatIf.now];
    return [name.filter(Boolean).join(" · "), one.results, one.hints, one.ofBytes, one.saved, one.carried, one.worth];
  });
  const isAll = strategies.length === STRATEGY_IDS.length;
  const useless = uselessStrategies(strategies);
  return {
    title: whatIf.strategies,
    ...(!isAll && { hint: "--strategies compares all of them" }),
    columns: COLUMNS,
    rows,
    ...(useless !== "" && { rest: useless }),
  };
}

/** What the money value of the hits is based on, and what it omits. */
export function worthOf({ cost }: Report): string {
  const { units, usd, unpricedTokens } = cost.hits;
  if (units === null) return "unknown: the log does not record token usage";
  const cached = `API-equivalent: ${tokensText(units)} at the input price, including the prompt cache`;
  if (usd === null) return `no price for ${cost.unpricedModels.join(", ")}: --prices FILE`;
  return unpricedTokens === 0 ? cached : `${cached}; not included: ${tokensText(unpricedTokens)} without a price`;
}
