import type { PassProjection } from "../dedup/passes/projections.js";
import type { Strategy, StrategyParameters } from "../inspect/strategies.js";
import { strings } from "./strings.js";
import { fill } from "./text.js";

/** With the configured limits: "Whole results (last 5)". */
export function strategyName(strategy: Strategy, { capacity, spanMinBytes }: StrategyParameters): string {
  const text = strings.strategyLimits;
  const limit = [
    capacity != null && fill(text.capacity, { n: capacity }),
    spanMinBytes !== undefined && fill(text.spanMinBytes, { n: spanMinBytes }),
  ]
    .filter(Boolean)
    .join(", ");
  const { name } = strings.strategies[strategy];
  return limit === "" ? name : fill(text.named, { name, limit });
}

/** With the messages that it keeps: "Repeated results, except the last 8". */
export function passName({ pass, keepLast }: Pick<PassProjection, "pass" | "keepLast">): string {
  const { passNames, keepingLast } = strings.whatIf;
  return keepLast ? fill(keepingLast, { pass: passNames[pass], n: keepLast }) : passNames[pass];
}
