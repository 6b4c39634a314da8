import type { Figures } from "../inspect/figures.js";
import { type Report, type SessionReport, sessionFigures } from "../inspect/report.js";
import { counted, grouped, percent, short } from "../words/numbers.js";
import { renderGates } from "./gateTable.js";
import { money, renderStrategies, worthOf } from "./strategyTable.js";
import { renderSweep } from "./sweepChart.js";
import { type Column, renderTable } from "./table.js";
import { painter, printable, type Terminal } from "./terminal.js";

const FIGURE_COLUMNS: readonly Column[] = [
  { title: "results", align: "right", dropOrder: 4 },
  { title: "hits", align: "right" },
  { title: "hit rate", align: "right", dropOrder: 6 },
  { title: "tokens", align: "right", dropOrder: 1 },
  { title: "saved", align: "right", tint: "green" },
  { title: "carried", align: "right", dropOrder: 3 },
  { title: "forgone", align: "right", tint: "yellow", dropOrder: 5 },
];

function figureCells(figures: Figures): string[] {
  const hits = figures.hits + figures.nearHits;
  return [
    grouped(figures.results),
    grouped(hits),
    percent(hits, figures.results),
    short(figures.tokens),
    short(figures.savedTokens),
    short(figures.carriedTokens),
    grouped(sum(Object.values(figures.forgone))),
  ];
}

/** The report for people: totals first, then where they come from. */
export function renderReport(report: Report, limit: number, terminal: Terminal, allGates = false): string {
  const paint = painter(terminal.colour);
  const width = Math.min(terminal.width, 120);
  if (report.sessions.length === 0) return "No sessions to report.\n";
  const section = (title: string, all: number, columns: readonly Column[], rows: string[][]) => {
    const more = all > rows.length ? paint("dim", `  ${rows.length} of ${grouped(all)}, --limit N shows more`) : "";
    return `\n${paint("bold", title)}${more}\n${renderTable(columns, rows, width, paint)}`;
  };
  const sessions = [...report.sessions]
    .map(session => ({ session, figures: sessionFigures(session) }))
    .sort((left, right) => right.figures.savedTokens - left.figures.savedTokens || newer(left.session, right.session));
  return [
    renderTotals(report, terminal),
    section(
      "By project",
      report.projects.length,
      [{ title: "project", shrinks: true }, { title: "sessions", align: "right", dropOrder: 7 }, ...FIGURE_COLUMNS],
      report.projects
        .slice(0, limit)
        .map(({ project, sessions: count, ...figures }) => [
          project || "(unknown)",
          grouped(count),
          ...figureCells(figures),
        ]),
    ),
    section(
      "By session, most saved first",
      sessions.length,
      [{ title: "session", shrinks: true }, { title: "last active", dropOrder: 7 }, ...FIGURE_COLUMNS],
      sessions
        .slice(0, limit)
        .map(({ session, figures }) => [
          `${session.project ?? ""} ${session.sessionId.slice(0, 8)}`.trim(),
          (session.lastAt ?? "").slice(0, 10),
          ...figureCells(figures),
        ]),
    ),
    section(
      "By tool",
      report.tools.length,
      [{ title: "tool", shrinks: true }, ...FIGURE_COLUMNS],
      report.tools.slice(0, limit).map(({ tool, ...figures }) => [tool || "(unknown)", ...figureCells(figures)]),
    ),
    `\n${paint("bold", "What if the capacity were")}\n${renderSweep(report, width, paint)}`,
    renderStrategies(report, width, paint),
    renderGates(report, limit, width, paint, allGates),
  ].join("");
}

function renderTotals(report: Report, terminal: Terminal): string {
  const paint = painter(terminal.colour);
  const { totals, estimate } = report;
  const [first, last] = timeSpan(report.sessions);
  const span = first && last ? ` · ${first.slice(0, 10)} to ${last.slice(0, 10)}` : "";
  const error = estimate.medianAbsError;
  const band =
    error === null ? `not calibrated, ${estimate.charsPerToken ?? 2.6} characters a token` : `± ${percent(error, 1)}`;
  const bypassed = Object.entries(totals.bypassed).filter(([, count]) => count > 0);
  const forgone = Object.entries(totals.forgone).filter(([, count]) => count > 0);
  const rows: [string, string, string][] = [
    [
      "Hints would save",
      tokens(totals.savedTokens),
      `${percent(totals.savedTokens, totals.tokens)} of results, ${band}`,
    ],
    ["  carried over requests", tokens(totals.carriedTokens), "saved tokens × the requests that followed"],
    ["  worth", money(report.cost.hits), worthOf(report)],
    ["Claude Code saved", tokens(totals.nativeTokens), counted(totals.bypassed.native, "unchanged re-read")],
    ["Live hints saved", tokens(totals.realisedTokens), counted(totals.bypassed.realised, "hint")],
    [
      "Forgone",
      tokens(totals.forgoneTokens),
      [counted(sum(Object.values(totals.forgone)), "hit"), list(forgone)].filter(Boolean).join(": "),
    ],
    [
      "Results",
      grouped(totals.results),
      `${counted(totals.hits + totals.nearHits, "hit")}, ${grouped(totals.misses)} missed`,
    ],
    ["  left alone", grouped(sum(bypassed.map(([, count]) => count))), list(bypassed)],
    [
      "Invalidated",
      grouped(totals.invalidations),
      `${grouped(totals.evictions)} evicted at capacity ${report.settings.capacity}`,
    ],
  ];
  if (totals.copiedResults > 0)
    rows.push(["Copies", grouped(totals.copiedResults), "of lines in other files, counted once"]);
  const labelWidth = Math.max(...rows.map(([label]) => label.length));
  const valueWidth = Math.max(...rows.map(([, value]) => value.length));
  const lines = rows.map(([label, value, basis], index) => {
    const shown = value.padStart(valueWidth);
    return `${label.padEnd(labelWidth)}  ${paint(index === 0 ? "green" : "bold", shown)}  ${paint("dim", basis)}`;
  });
  const heading = `${counted(totals.sessions, "session")} · ${counted(totals.results, "tool result")}${span}`;
  return `${paint("bold", "Dedup Inspector")} · ${printable(heading)}\n\n${lines.join("\n")}\n`;
}

function tokens(count: number): string {
  return `${short(count)} tokens`;
}

function list(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([name, count]) => `${grouped(count)} ${NAMES[name] ?? name}`).join(" · ");
}

const NAMES: Readonly<Record<string, string>> = {
  small: "too small",
  error: "errors",
  nonText: "not text",
  native: "saved by Claude Code",
  realised: "live hints",
};

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
