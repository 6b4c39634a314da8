import { type FileGates, LONGEST_LIST } from "../inspect/gateFigures.js";
import { GATES } from "../inspect/gates.js";
import type { Report } from "../inspect/report.js";
import { grouped, percent, short } from "../words/numbers.js";
import { gateCount, gateSummary } from "../words/outcomeTexts.js";
import { strings } from "../words/strings.js";
import type { Column, TitledTable } from "./textTable.js";

const text = strings.why;

const GATE_COLUMNS: readonly Column[] = [
  { title: strings.columns.gate, wraps: true },
  { title: strings.columns.results, align: "right" },
  { title: strings.columns.tokens, align: "right" },
  { title: strings.columns.ofTokens, align: "right", dropOrder: 1 },
];

/** Where the tokens went: every result is in exactly one row. `all`: with the lists. */
export function gateTables(report: Report, limit: number, all: boolean): TitledTable[] {
  const { gates } = report.gates;
  const whole = gates.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = [...gates]
    .sort((left, right) => right.tokens - left.tokens || right.results - left.results)
    .map(({ gate, results, tokens }) => [gateSummary(gate), grouped(results), short(tokens), percent(tokens, whole)]);
  const first: TitledTable = {
    title: text.title,
    ...(!all && { hint: "--gates also lists files, tools and the largest results" }),
    columns: GATE_COLUMNS,
    rows,
  };
  return all ? [first, ...lists(report, limit)] : [first];
}

function lists({ gates, tools }: Report, limit: number): TitledTable[] {
  const { columns } = strings;
  const list = (title: string, heads: readonly Column[], rows: string[][], all?: number): TitledTable => ({
    title,
    ...listNote(rows.length, limit, all),
    columns: heads,
    rows: rows.slice(0, limit),
  });
  const files = (title: string, from: readonly FileGates[], count: keyof FileGates, tokens: keyof FileGates) =>
    list(
      title,
      [{ title: "File", shrinks: true }, number("Reads"), number("Times"), number(columns.tokens)],
      from.map(one => [one.path, grouped(one.reads), grouped(Number(one[count])), short(Number(one[tokens]))]),
    );
  return [
    list(
      text.largest,
      [
        { title: "File", shrinks: true },
        { title: "Tool" },
        number("Line"),
        number(columns.tokens),
        { title: columns.gate, dropOrder: 1 },
      ],
      gates.largest.map(one => [
        one.path ?? one.file,
        one.tool || strings.app.unknownTool,
        grouped(one.line),
        short(one.tokens),
        gateSummary(one.gate),
      ]),
      gates.gates.reduce((sum, { results }) => sum + results, 0),
    ),
    files(text.reread, gates.reread, "rereads", "tokens"),
    files(text.overlapping, gates.overlapping, "overlapping", "overlappingTokens"),
    files(text.stale, gates.stale, "stale", "staleTokens"),
    list(
      text.tools,
      [{ title: "Tool" }, number(columns.results), number(columns.tokens), { title: columns.gate, wraps: true }],
      gates.tools.map(one => [
        one.tool || strings.app.unknownTool,
        grouped(one.results),
        short(one.tokens),
        GATES.map(gate => [gate, one.gates[gate] ?? 0] as const)
          .filter(([, results]) => results > 0)
          .sort(([, left], [, right]) => right - left)
          .slice(0, 4)
          .map(([gate, results]) => gateCount(gate, results))
          .join(", "),
      ]),
      tools.length,
    ),
  ].filter(({ rows }) => rows.length > 0);
}

/** A report has only the beginning of a long list. `all`: how many there are in the whole list, if known. */
function listNote(listed: number, limit: number, all: number | undefined): Pick<TitledTable, "note" | "hint"> {
  const shown = Math.min(listed, limit);
  const isWhole = listed < LONGEST_LIST;
  if (isWhole && shown === listed) return {};
  const total = isWhole ? listed : all;
  return {
    note: total === undefined ? `the first ${shown}` : `${shown} of ${grouped(total)}`,
    ...(shown < listed && { hint: "(--limit N shows more)" }),
  };
}

function number(title: string): Column {
  return { title, align: "right" };
}
