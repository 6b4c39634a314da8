import type { Gate } from "../../src/inspect/gates.js";
import { OUTCOMES, type Outcome } from "../../src/inspect/outcomes.js";
import type { LiveContext } from "../../src/protocol/apply.js";
import { strings } from "../text.js";
import { markTexts, outcomeGroup, outcomeLine } from "./outcomeTexts.js";

export const KINDS = ["all", "hit", "miss", "new", "forgone", "saved", "bypass", "invalidate", "boundary"] as const;
export type KindFilter = (typeof KINDS)[number];

export interface EventFilter {
  readonly kind: KindFilter;
  /** "" for any. */
  readonly tool: string;
  readonly path: string;
  readonly text: string;
}

export const NO_FILTER: EventFilter = { kind: "all", tool: "", path: "", text: "" };

export function isFiltering({ kind, tool, path, text }: EventFilter): boolean {
  return kind !== "all" || tool !== "" || path !== "" || text.trim() !== "";
}

/** The events behind a gate, as near as a filter can say it. */
export function filterOfGate(gate: Gate): Partial<EventFilter> {
  const { lines, forgone } = strings;
  switch (gate) {
    case "hit":
    case "nearHit":
      return { kind: "hit" };
    case "native":
    case "realised":
      return { kind: "saved" };
    case "small":
    case "error":
    case "nonText":
      return { kind: "bypass", text: lines[gate] };
    case "new":
    case "otherRange":
    case "changed":
      return { kind: "new" };
    case "shrunk":
      return { kind: "forgone", text: lines.shrunk };
    default:
      return { kind: "forgone", text: forgone[gate] };
  }
}

/** Which results a kind takes, by their outcome's code; invalidations and boundaries are no results. */
const TAKES: Readonly<Record<KindFilter, readonly boolean[]>> = {
  all: OUTCOMES.map(() => true),
  hit: OUTCOMES.map(outcome => outcomeGroup(outcome) === "hit"),
  miss: OUTCOMES.map(outcome => outcome.startsWith("miss:")),
  new: OUTCOMES.map(outcome => outcome === "miss:new"),
  forgone: OUTCOMES.map(outcome => outcome.startsWith("miss:") && outcome !== "miss:new"),
  saved: OUTCOMES.map(outcome => outcome === "bypass:native" || outcome === "bypass:realised"),
  bypass: OUTCOMES.map(outcome => outcomeGroup(outcome) === "bypass"),
  invalidate: OUTCOMES.map(() => false),
  boundary: OUTCOMES.map(() => false),
};

const OUTCOME_WORDS = OUTCOMES.map(outcome => outcomeLine(outcome).toLowerCase());

/** A test for results and one for marks: texts are made ready once, not per row. */
export interface CompiledFilter {
  readonly row: (context: LiveContext, row: number) => boolean;
  readonly mark: (context: LiveContext, mark: number) => boolean;
}

export function compileFilter(filter: EventFilter): CompiledFilter {
  const takes = TAKES[filter.kind];
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const isAbout = (context: LiveContext, row: number): boolean => {
    const tool = context.tools[context.rows.get(row, "tool")] ?? "";
    const target = context.targets[row] ?? "";
    if (filter.tool !== "" && tool !== filter.tool) return false;
    if (filter.path !== "" && target !== filter.path && fileOf(context, row) !== filter.path) return false;
    if (words.length === 0) return true;
    const subject = target.toLowerCase();
    const outcome = OUTCOME_WORDS[context.rows.get(row, "outcome")] ?? "";
    return words.every(word => subject.includes(word) || outcome.includes(word) || tool.toLowerCase().includes(word));
  };
  return {
    row: (context, row) => takes[context.rows.get(row, "outcome")] === true && isAbout(context, row),
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
      const line = `${strings.outcomes[mark.kind]} ${markTexts(mark)}`.toLowerCase();
      return words.every(word => line.includes(word));
    },
  };
}

/** The path that the call named, made whole. */
function fileOf(context: LiveContext, row: number): string | undefined {
  return context.files[context.rows.get(row, "file") - 1];
}

export type { Outcome };
