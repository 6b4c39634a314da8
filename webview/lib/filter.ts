import { GATES, type Gate } from "../../src/inspect/gates.js";
import { KIND_OF_CODE, kindAt, OUTCOMES, type OutcomeKind } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { searchableMark, searchableWords } from "../../src/words/outcomeTexts.js";
import { strings } from "../../src/words/strings.js";

export const KINDS = ["all", "hit", "miss", "new", "forgone", "saved", "bypass", "invalidate", "boundary"] as const;
type PlainKind = (typeof KINDS)[number];
/** A plain kind, or exactly the results of one gate. */
export type KindFilter = PlainKind | `gate:${Gate}`;

const GATE_KINDS = new Map<string, Gate>(GATES.map(gate => [`gate:${gate}`, gate]));

/** The gate whose results a kind selects; undefined for a plain kind. */
export function gateOfKind(kind: KindFilter): Gate | undefined {
  return GATE_KINDS.get(kind);
}

export function isKindFilter(value: unknown): value is KindFilter {
  return KINDS.some(kind => kind === value) || (typeof value === "string" && GATE_KINDS.has(value));
}

export interface EventFilter {
  readonly kind: KindFilter;
  /** "" for any. */
  readonly tool: string;
  /** A file that calls named, spelled as in the context's list of files. */
  readonly path: string;
  readonly text: string;
}

export const NO_FILTER: EventFilter = { kind: "all", tool: "", path: "", text: "" };

export function isFiltering({ kind, tool, path, text }: EventFilter): boolean {
  return kind !== "all" || tool !== "" || path !== "" || text.trim() !== "";
}

/** Which results a filter kind selects; invalidations and boundaries are not results. */
const TAKES: Readonly<Record<PlainKind, readonly OutcomeKind[]>> = {
  all: [...KIND_OF_CODE, "partial"],
  hit: ["hit", "nearHit", "partial"],
  miss: ["miss", "forgone"],
  new: ["miss"],
  forgone: ["forgone"],
  saved: ["native", "realised"],
  bypass: ["bypass", "error"],
  invalidate: [],
  boundary: [],
};

const OUTCOME_WORDS = OUTCOMES.map(outcome => searchableWords(strings.outcomes[outcome]));
const PARTIAL_WORDS = searchableWords(strings.partial);

/** A test for results and one for marks: the text to search for is prepared once, not per row. */
export interface CompiledFilter {
  readonly row: (context: LiveContext, row: number) => boolean;
  readonly mark: (context: LiveContext, mark: number) => boolean;
}

/** `gateOf`: the gate of a row; called only if the filter is about one. */
export function compileFilter(filter: EventFilter, gateOf: (row: number) => Gate | undefined): CompiledFilter {
  const gate = gateOfKind(filter.kind);
  const takes = TAKES[filter.kind as PlainKind];
  const isOfKind = (context: LiveContext, row: number): boolean =>
    gate === undefined ? takes.includes(kindAt(context.rows, row)) : gateOf(row) === gate;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const isAbout = (context: LiveContext, row: number): boolean => {
    const tool = context.tools[context.rows.get(row, "tool")] ?? "";
    const target = context.targets[row] ?? "";
    if (filter.tool !== "" && tool !== filter.tool) return false;
    if (filter.path !== "" && fileOf(context, row) !== filter.path) return false;
    if (words.length === 0) return true;
    const subject = target.toLowerCase();
    const isPartial = context.rows.get(row, "runs") > 0;
    const outcome = isPartial ? PARTIAL_WORDS : (OUTCOME_WORDS[context.rows.get(row, "outcome")] ?? "");
    return words.every(word => subject.includes(word) || outcome.includes(word) || tool.toLowerCase().includes(word));
  };
  return {
    row: (context, row) => isOfKind(context, row) && isAbout(context, row),
    mark: (context, index) => {
      const mark = context.marks[index];
      if (mark === undefined) return false;
      const group = mark.kind === "invalidate" ? "invalidate" : "boundary";
      if (filter.kind !== "all" && filter.kind !== group) return false;
      if (group === "invalidate") {
        const dropped = mark.dropped[0] ?? -1;
        return isAbout(context, mark.position) || (dropped >= 0 && isAbout(context, dropped));
      }
      if (filter.tool !== "" || filter.path !== "") return false;
      const line = searchableMark(mark);
      return words.every(word => line.includes(word));
    },
  };
}

/** The full path that the call named; undefined for a command or a pattern. */
export function fileOf(context: LiveContext, row: number): string | undefined {
  return context.files[context.rows.get(row, "file") - 1];
}
