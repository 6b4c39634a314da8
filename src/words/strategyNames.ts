import type { Strategy, StrategyParameters } from "../inspect/strategies.js";
import { grouped } from "./numbers.js";
import { fill, strings } from "./strings.js";

/** With the limits that were set: "Whole results (last 5)". */
export function strategyName(strategy: Strategy, { capacity, spanMinBytes }: StrategyParameters): string {
  const text = strings.strategyLimits;
  const limit = [
    capacity != null && fill(text.capacity, { n: grouped(capacity) }),
    spanMinBytes !== undefined && fill(text.spanMinBytes, { n: grouped(spanMinBytes) }),
  ]
    .filter(Boolean)
    .join(", ");
  const { name } = strings.strategies[strategy];
  return limit === "" ? name : fill(text.named, { name, limit });
}
