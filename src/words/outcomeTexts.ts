/** What happened to a result, and between results, on one line. */
import { GATE_OF, type Gate, READ_GATES } from "../inspect/gates.js";
import type { Mark } from "../inspect/logData.js";
import { OUTCOMES, outcomeAt } from "../inspect/outcomes.js";
import type { ResultRows } from "../inspect/rows.js";
import { percent, short } from "./numbers.js";
import type { OutcomeWords } from "./outcomeStrings.js";
import { strings } from "./strings.js";
import { counted, fill, type Piece, pieces, plain, plural } from "./text.js";

type Rows = Pick<ResultRows, "get">;

export function outcomeWords(rows: Rows, row: number): OutcomeWords {
  return rows.get(row, "runs") > 0 ? strings.partial : strings.outcomes[outcomeAt(rows, row)];
}

/** How much of a result hints would replace: "45 %". */
export function savedShare(rows: Rows, row: number): string {
  return percent(rows.get(row, "savedChars"), rows.get(row, "chars"));
}

const GATE_WORDS = new Map<Gate, Pick<OutcomeWords, "name" | "summary">>([
  ...OUTCOMES.map(outcome => [GATE_OF[outcome], strings.outcomes[outcome]] as const),
  ["partial", strings.partial],
  ...READ_GATES.map(gate => [gate, strings.readGates[gate]] as const),
]);

export function gateSummary(gate: Gate): string {
  return GATE_WORDS.get(gate)?.summary ?? gate;
}

/** "3 errors" */
export function gateCount(gate: Gate, count: number): string {
  return counted(`{n} ${plural(GATE_WORDS.get(gate)?.name ?? gate, count)}`, count);
}

/** A gate as an option in a list. */
export function gateName(gate: Gate): string {
  return plural(GATE_WORDS.get(gate)?.name ?? gate, 2);
}

/** The call that a result refers to: the target of a hint, stub or live hint, or what made the earlier copy stale. */
export function otherCall(rows: Rows, row: number): number | undefined {
  const [ref, cause] = [rows.get(row, "ref") - 1, rows.get(row, "cause") - 1];
  return ref >= 0 ? ref : cause >= 0 ? cause : undefined;
}

/** The live hint after which the model asked for the same text again. */
export function reaskedHint(rows: Rows, row: number): number | undefined {
  const hint = rows.get(row, "cause") - 1;
  return outcomeAt(rows, row) === "hit" && hint >= 0 ? hint : undefined;
}

export interface OutcomeOptions {
  readonly capacity: number;
  /** By row that repeats in part, the calls that contain its lines. */
  readonly sources?: ReadonlyMap<number, readonly number[]> | undefined;
  readonly beside?: "icon" | "text";
}

/** Further calls are counted, not named. */
const MAX_NAMED = 4;

/** "call 3, call 8 and 5 more". */
export function named(calls: readonly number[]): Piece[] {
  const known = calls.filter(row => row >= 0);
  const list = known.slice(0, MAX_NAMED).flatMap((call, index) => (index === 0 ? [{ call }] : [", ", { call }]));
  const more = calls.length - Math.min(known.length, MAX_NAMED);
  return more > 0 ? [...list, list.length > 0 ? ", " : "", counted(strings.counts.more, more)] : list;
}

/** The outcome and its reason in a few words, with the other call as a link. */
export function outcomePieces(
  rows: Rows,
  row: number,
  { capacity, sources, beside = "icon" }: OutcomeOptions,
): readonly Piece[] {
  const shown = sources?.get(row) ?? [];
  if (shown.length > 1) return pieces(strings.partial.line, { share: savedShare(rows, row), call: named(shown) });
  const why = reasonPieces(rows, row, capacity, beside);
  const call = rows.get(row, "runs") > 0 ? -1 : rows.get(row, "earlier") - 1;
  return call < 0 ? why : pieces(strings.earlierLine, { call: { call }, why });
}

function reasonPieces(rows: Rows, row: number, capacity: number, beside: "icon" | "text"): readonly Piece[] {
  const hint = reaskedHint(rows, row);
  if (hint !== undefined) return pieces(strings.reaskLine, { call: { call: hint } });
  const words = outcomeWords(rows, row);
  const { line = words.name, textLine = line } = words;
  const template = beside === "icon" ? line : textLine;
  const call = otherCall(rows, row);
  if (call === undefined && template.includes("{call}")) return [plural(words.name, 1)];
  return pieces(plural(template, 1), {
    capacity,
    share: savedShare(rows, row),
    ...(call !== undefined && { call: { call } }),
  });
}

/** Everything that a search for an outcome may match. */
export function searchableWords({ title, name, line = "", summary }: OutcomeWords): string {
  return `${title} ${plural(name, 1)} ${line} ${summary}`.replace(/\{\w+\}/g, "").toLowerCase();
}

/** A mark's text in a list. */
export function markPieces(mark: Mark): readonly Piece[] {
  const call = mark.dropped[0] ?? -1;
  if (mark.kind === "invalidate" && call < 0) return [strings.markDetails.invalidateAlone];
  return pieces<string>(strings.marks[mark.kind].line, { call: { call }, ...markValues(mark) });
}

/** What the texts of a mark may mention: its members by name. Calls are counted, and choices have words. */
export function markValues(mark: Pick<Mark, "kind" | "partition"> & { readonly dropped?: unknown }) {
  const words: Readonly<Record<string, string | Readonly<Record<string, string>>>> = strings.marks[mark.kind];
  const values: Record<string, number | string> = { number: mark.partition - 1 };
  for (const [name, value] of Object.entries<unknown>(mark)) {
    const choices = words[name];
    if (Array.isArray(value)) values[name] = value.length;
    else if (typeof choices === "object") values[name] = choices[String(value)] ?? "";
    else if (typeof value === "number") values[name] = value;
  }
  return values;
}

/** What a mark is about: "Auto-compaction · 167k → 12k tokens". */
export function markSubject(mark: Mark): string {
  const { preTokens, postTokens } = mark;
  const sizes =
    preTokens === undefined || postTokens === undefined
      ? []
      : [fill(strings.markDetails.tokensFromTo, { before: short(preTokens), after: short(postTokens) })];
  return [markTitle(mark), ...sizes].join(" · ");
}

export function markTitle({ kind, trigger }: Mark): string {
  const { auto, manual } = strings.markDetails;
  return trigger === "auto" ? auto : trigger === "manual" ? manual : strings.marks[kind].title;
}

export function searchableMark(mark: Mark): string {
  return `${strings.marks[mark.kind].title} ${markSubject(mark)} ${plain(markPieces(mark))}`.toLowerCase();
}
