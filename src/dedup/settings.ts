import { defaultsOf, type ValuesOf } from "../settings/kinds.js";
import type { InvalidationMap } from "../settings/shapes.js";
import { REPLAY } from "../settings/table.js";

export interface DedupSettings extends ValuesOf<typeof REPLAY> {}

export const DEFAULT_SETTINGS: DedupSettings = /* @__PURE__ */ defaultsOf(REPLAY);

/** The capacities of the sweep, 1 … 32; slot 32 is an unlimited cache. */
export const SWEEP_CAPACITIES: readonly number[] = [...Array.from({ length: 32 }, (_, slot) => slot + 1), Infinity];

/** The minimum of the setting for the smallest run, used by the upper bounds. */
export const BOUND_RUN_BYTES = REPLAY.spanMinBytes.min;

/** The smallest runs of the curve next to it, in bytes: from that minimum to where little is left to save. */
export const SWEEP_RUN_BYTES: readonly number[] = [200, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096];

type ToolTest = (tool: string) => boolean;

/** For the tool that has just run: whether it makes another tool's results stale. Undefined if it affects none. */
export function compileInvalidation(map: InvalidationMap): (tool: string) => ToolTest | undefined {
  const rules = Object.entries(map).map(([pattern, stale]) => ({
    runs: patternTest(pattern),
    stale: stale.map(patternTest),
  }));
  const known = new Map<string, ToolTest | undefined>();
  return tool => {
    if (rules.length === 0) return undefined;
    if (known.has(tool)) return known.get(tool);
    const tests = rules.filter(rule => rule.runs(tool)).flatMap(rule => rule.stale);
    const test = tests.length === 0 ? undefined : (name: string) => tests.some(matches => matches(name));
    known.set(tool, test);
    return test;
  };
}

/** Searches for each part once, from left to right: names in a log must not cause backtracking. */
function patternTest(pattern: string): ToolTest {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return tool => tool === pattern;
  return tool => {
    if (!tool.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = tool.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return tool.length - last.length >= at && tool.endsWith(last);
  };
}
