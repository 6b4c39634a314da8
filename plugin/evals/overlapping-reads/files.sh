#!/usr/bin/env bash
# A price list long enough for hints, and a file that uses it.
set -euo pipefail
{
  echo 'export const PRICES: Record<string, number> = {'
  for number in $(seq 1 180); do
    printf '  "article-%03d": %d, // shelf %d, reviewed by the people who count things\n' \
      "$number" $((number * 37 % 1009)) $((number % 17))
  done
  echo '};'
} > prices.ts
cat > cart.ts <<'CART'
import { PRICES } from "./prices.js";

export function total(articles: readonly string[]): number {
  return articles.reduce((sum, article) => sum + (PRICES[article] ?? 0), 0);
}
CART
