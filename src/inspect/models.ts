/** What is known about a model by its name. */
import type { Mark } from "./logData.js";

/**
 * `us.anthropic.claude-opus-4-1-20250805-v1:0`, `anthropic/claude-opus-4.1` and the like, without provider, date and
 * version. The first models of a generation are also known by a zero: `claude-opus-4-0`.
 */
export function plainName(model: string): string {
  const name = /claude-[a-z0-9.-]+/.exec(model)?.[0].replaceAll(".", "-") ?? model;
  return name
    .replace(/-v\d+$/, "")
    .replace(/-(?:\d{8}|latest)$/, "")
    .replace(/^(claude-[a-z]+-\d+)-0$/, "$1");
}

const STANDARD_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;
/** By default, Claude Code compacts this close to the end of a window, or closer. */
const COMPACTED_WITHIN = 50_000;

/**
 * The size of the context window. A log does not name it, but its events may rule out one of the two sizes. Otherwise,
 * it is known only for models that come in one size: https://platform.claude.com/docs/en/models, November 2026.
 */
export function windowOf(model: string, largest: number, boundaries: readonly Mark[]): number | undefined {
  if (largest > LARGE_WINDOW) return undefined;
  if (largest > STANDARD_WINDOW || model.endsWith("[1m]")) return LARGE_WINDOW;
  const isCompactedEarly = boundaries.some(
    ({ trigger, preTokens = 0 }) =>
      trigger === "auto" && preTokens <= STANDARD_WINDOW && preTokens >= STANDARD_WINDOW - COMPACTED_WITHIN,
  );
  const name = plainName(model);
  if (isCompactedEarly || ALWAYS_STANDARD.test(name)) return STANDARD_WINDOW;
  return ALWAYS_LARGE.test(name) ? LARGE_WINDOW : undefined;
}

const ALWAYS_STANDARD = /^claude-(?:3-|haiku-4|opus-4(?:-[15])?$)/;
const ALWAYS_LARGE = /^claude-(?:fable|mythos|opus|sonnet)-[5-9]|^claude-haiku-5-5/;
