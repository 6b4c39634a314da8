import { type Figures, repeats } from "../inspect/figures.js";
import { type Report, type SessionReport, sessionFigures } from "../inspect/report.js";
import { errorBand, forgoneHits, reasonCounts } from "../words/figureTexts.js";
import { grouped, localDate, percent, short } from "../words/numbers.js";
import { strings } from "../words/strings.js";
import { capitalized, counted, fill, moneyText, plural, tokensText, visible } from "../words/text.js";
import { gateTables } from "./gateTable.js";
import { passTables } from "./passTable.js";
import { strategiesTable, worthOf } from "./strategyTable.js";
import { renderSweep, sweepTables } from "./sweepChart.js";
import { painter, type Terminal, wrapped } from "./terminal.js";
import { type Column, renderTitled, type TitledTable } from "./textTable.js";
import { trialTables } from "./trialTable.js";

export const TITLE = "Dedup Inspector";

const { columns, counts, figures: words } = strings;

const FIGURE_COLUMNS: readonly Column[] = [
  { title: columns.results, align: "right", dropOrder: 4 },
  { title: columns.repeats, align: "right" },
  { title: columns.tokens, align: "right", dropOrder: 1 },
  { title: columns.saved, align: "right", tint: "green" },
  { title: columns.ofTokens, align: "right", dropOrder: 6 },
  { title: columns.carried, align: "right", dropOrder: 3 },
  { title: columns.missed, align: "right", tint: "yellow", dropOrder: 5 },
];

function figureCells(figures: Figures): string[] {
  return [
    grouped(figures.results),
    grouped(repeats(figures)),
    short(figures.tokens),
    short(figures.savedTokens),
    percent(figures.savedTokens, figures.tokens),
    short(figures.carriedTokens),
    grouped(forgoneHits(figures)),
  ];
}

/** The report for people: totals first, then where they come from. */
export interface ReportDocument {
  /** What could be saved, and how. */
  readonly answer: readonly string[];
  readonly heading: string;
  readonly totals: readonly TotalRow[];
  readonly tables: readonly TitledTable[];
}

type TotalRow = readonly [label: string, value: string, basis: string];

export interface ShownParts {
  readonly allGates: boolean;
  /** If so, it does not explain how to turn live hints on. */
  readonly areHintsOn: boolean;
}

/** The report for a terminal. */
export function renderReport(
  report: Report,
  limit: number,
  terminal: Terminal,
  { allGates, areHintsOn }: ShownParts,
): string {
  const paint = painter(terminal.colour);
  // Much longer lines are hard to read; a pipe or a file does not wrap.
  const width = Number.isFinite(terminal.width) ? Math.min(terminal.width, 120) : terminal.width;
  if (report.sessions.length === 0) return "No sessions to report.\n";
  const tables = (some: readonly TitledTable[]) => some.map(table => renderTitled(table, width, paint));
  return [
    renderTotals(report, terminal, areHintsOn),
    ...tables(figureTables(report, limit)),
    `\n${paint("bold", strings.whatIf.capacityTitle)}\n${renderSweep(report, width, paint)}`,
    ...tables([strategiesTable(report), ...passTables(report, limit), ...trialTables(report)]),
    ...tables(gateTables(report, limit, allGates)),
  ].join("");
}

/** The same for documents, with a table instead of the chart, and with all lists. */
export function reportDocument(report: Report, limit: number, areHintsOn: boolean): ReportDocument {
  return {
    answer: answerOf(report, Number.POSITIVE_INFINITY, areHintsOn),
    heading: headingOf(report),
    totals: totalRows(report).map(([label, ...rest]) => [capitalized(label.trim()), ...rest]),
    tables: [
      ...figureTables(report, limit),
      ...sweepTables(report),
      strategiesTable(report),
      ...passTables(report, limit),
      ...trialTables(report),
      ...gateTables(report, limit, true),
    ],
  };
}

/** The sessions in the table of sessions, in its order. */
export function mostSaving(report: Report, limit: number): { session: SessionReport; figures: Figures }[] {
  return [...report.sessions]
    .map(session => ({ session, figures: sessionFigures(session) }))
    .sort((left, right) => right.figures.savedTokens - left.figures.savedTokens || newer(left.session, right.session))
    .slice(0, limit);
}

function figureTables(report: Report, limit: number): TitledTable[] {
  const section = (title: string, all: number, columns: readonly Column[], rows: string[][]): TitledTable => ({
    title,
    ...(all > rows.length && { note: `${rows.length} of ${grouped(all)}`, hint: "(--limit N shows more)" }),
    columns,
    rows,
  });
  return [
    section(
      "By project",
      report.projects.length,
      [{ title: "Project", shrinks: true }, { title: "Sessions", align: "right", dropOrder: 7 }, ...FIGURE_COLUMNS],
      report.projects
        .slice(0, limit)
        .map(({ project, sessions: count, ...figures }) => [
          project || "(unknown)",
          grouped(count),
          ...figureCells(figures),
        ]),
    ),
    section(
      "By session, most to save first",
      report.sessions.length,
      [{ title: "Session", shrinks: true }, { title: "Last active", dropOrder: 7 }, ...FIGURE_COLUMNS],
      mostSaving(report, limit).map(({ session, figures }) => [
        sessionName(session),
        localDate(session.lastAt ?? ""),
        ...figureCells(figures),
      ]),
    ),
    section(
      "By tool",
      report.tools.length,
      [{ title: "Tool", shrinks: true }, ...FIGURE_COLUMNS],
      report.tools
        .slice(0, limit)
        .map(({ tool, ...figures }) => [tool || strings.app.unknownTool, ...figureCells(figures)]),
    ),
  ];
}

/** Its project and the start of its id. */
export function sessionName({ project, sessionId }: SessionReport): string {
  return `${project ?? ""} ${sessionId.slice(0, 8)}`.trim();
}

function headingOf({ totals, sessions }: Report): string {
  const [first, last] = timeSpan(sessions);
  const span = first && last ? ` · ${localDate(first)} to ${localDate(last)}` : "";
  return `${counted(counts.sessions, totals.sessions)} · ${counted(counts.results, totals.results)}${span}`;
}

/** The answer, how to get it, and what it is based on. */
function renderTotals(report: Report, terminal: Terminal, areHintsOn: boolean): string {
  const paint = painter(terminal.colour);
  const rows = totalRows(report);
  const labelWidth = Math.max(...rows.map(([label]) => label.length));
  const valueWidth = Math.max(...rows.map(([, value]) => value.length));
  const room = Math.max(20, terminal.width - labelWidth - valueWidth - 4);
  const indent = " ".repeat(labelWidth + valueWidth + 4);
  const lines = rows.flatMap(([label, value, basis]) => {
    const [first = "", ...more] = wrapped(visible(basis), room).split("\n");
    const head = `${label.padEnd(labelWidth)}  ${paint("bold", value.padStart(valueWidth))}  `;
    return [`${head}${paint("dim", first)}`, ...more.map(line => `${indent}${paint("dim", line)}`)];
  });
  return [
    ...answerOf(report, terminal.width, areHintsOn).map((line, at) => (at === 0 ? paint("green", line) : line)),
    "",
    `${paint("bold", TITLE)} · ${visible(headingOf(report), terminal.width - 20)}`,
    "",
    ...lines,
    "",
  ].join("\n");
}

/** One line with what could be saved, and one with the command for it unless hints are on. */
function answerOf({ totals, estimate }: Report, width: number, areHintsOn: boolean): string[] {
  const { saved, savedBasis, nothingRepeats } = words;
  const results = counted(counts.results, totals.results);
  if (totals.savedTokens === 0) return [visible(fill(nothingRepeats, { results }), width)];
  const band =
    estimate.medianAbsError === null
      ? `not calibrated, ${estimate.charsPerToken ?? 2.6} characters per token`
      : errorBand(estimate.medianAbsError);
  const share = percent(totals.savedTokens, totals.tokens);
  const repeating = repeats(totals);
  const basis = fill(plural(savedBasis, repeating), { share, band, repeats: grouped(repeating), results });
  const answer = `${saved} ${tokensText(totals.savedTokens)} · ${basis}`;
  const how = "To save it from now on, turn on live hints: dedup-inspector hooks install";
  return [withinWidth(answer, width), ...(areHintsOn ? [] : [visible(how, width)])];
}

/** Drops whole parts that do not fit, the last one first. */
function withinWidth(answer: string, width: number): string {
  const parts = answer.split(" · ");
  while (parts.length > 1 && parts.join(" · ").length > width) parts.pop();
  return visible(parts.join(" · "), width);
}

function totalRows(report: Report): TotalRow[] {
  const { totals } = report;
  const { whole, near, runs } = totals.saved;
  const parts = [
    `${tokensText(whole.tokens + near.tokens)} in ${counted(counts.results, whole.results + near.results)} as a whole`,
    `${tokensText(runs.tokens)} in runs of lines of ${counted(counts.results, runs.results)}`,
  ];
  const missed = [counted(counts.hits, forgoneHits(totals)), reasonCounts(totals.forgone)];
  const rows: TotalRow[] = [
    [words.saved, tokensText(totals.savedTokens), parts.join(", ")],
    [`  ${columns.carried.toLowerCase()}`, tokensText(totals.carriedTokens), words.carriedBasis],
    [`  ${columns.worth.toLowerCase()}`, moneyText(report.cost.hits), worthOf(report)],
    ...ifAny(totals.bypassed.realised, [
      words.realised,
      tokensText(totals.realisedTokens),
      counted(counts.hints, totals.bypassed.realised),
    ]),
    ...ifAny(totals.bypassed.native, [
      words.native,
      tokensText(totals.nativeTokens),
      counted(counts.rereads, totals.bypassed.native),
    ]),
    [words.forgone, tokensText(totals.forgoneTokens), missed.filter(Boolean).join(": ")],
    [columns.results, grouped(totals.results), counted(counts.misses, totals.misses)],
    [
      `  ${strings.filter.kinds.bypass.toLowerCase()}`,
      grouped(sum(Object.values(totals.bypassed))),
      reasonCounts(totals.bypassed),
    ],
    [
      strings.partitions.invalidations,
      grouped(totals.invalidations),
      `${grouped(totals.evictions)} evicted at capacity ${report.settings.capacity}`,
    ],
  ];
  if (totals.copiedResults > 0) {
    rows.push(["Copies", grouped(totals.copiedResults), "of lines in other files, counted once"]);
  }
  return rows;
}

/** Omits a figure that counts nothing. */
function ifAny(count: number, row: TotalRow): TotalRow[] {
  return count === 0 ? [] : [row];
}

function timeSpan(sessions: readonly SessionReport[]): [string | undefined, string | undefined] {
  const first = sessions.flatMap(session => session.firstAt ?? []).sort();
  const last = sessions.flatMap(session => session.lastAt ?? []).sort();
  return [first[0], last.at(-1)];
}

function newer(left: SessionReport, right: SessionReport): number {
  return (left.lastAt ?? "") < (right.lastAt ?? "") ? 1 : -1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
