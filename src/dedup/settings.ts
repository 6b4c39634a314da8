import { DEFAULT_CAPACITY } from "./cache.js";
import type { Verbosity } from "./hints.js";

/** Tool-name pattern → patterns of the tools whose results it makes stale; `*` stands for any characters. */
export type InvalidationMap = Readonly<Record<string, readonly string[]>>;

export interface DedupSettings {
  readonly capacity: number;
  readonly minBytes: number;
  readonly nearRef: boolean;
  readonly verbosity: Verbosity;
  readonly invalidates: InvalidationMap;
  /** Also replace runs of lines that the model already has, where a result is not replaced whole. */
  readonly runs: boolean;
  /** Shorter runs of lines are left alone. */
  readonly minRunBytes: number;
}

export const DEFAULT_SETTINGS: DedupSettings = {
  capacity: DEFAULT_CAPACITY,
  minBytes: 200,
  nearRef: false,
  verbosity: "standard",
  invalidates: {},
  runs: true,
  minRunBytes: 512,
};

type ToolTest = (tool: string) => boolean;

/** Answers, for the tool that has just run, which entries' tools it invalidates; undefined for none. */
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

/** Each part is looked for once, from left to right: a log's names must not make a search go back again and again. */
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
