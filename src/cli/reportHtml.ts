import { SVG_COLORS, timelineSvg } from "../../webview/timeline/timelineSvg.js";
import { packRequests } from "../inspect/cost.js";
import type { LogData } from "../inspect/logData.js";
import type { Report } from "../inspect/report.js";
import { ResultRows, ROW_WIDTH } from "../inspect/rows.js";
import { localDate } from "../words/numbers.js";
import { visible, withoutMarkup } from "../words/text.js";
import { mostSaving, reportDocument, sessionName, TITLE } from "./reportTable.js";
import { isTable, type TitledTable } from "./textTable.js";

/**
 * The report as one self-contained HTML file that cannot load anything, in ASCII: Windows PowerShell changes the encoding
 * of what it redirects to a file. `logs`: the main logs of the sessions with timelines, with all details.
 */
export function reportHtml(report: Report, limit: number, areHintsOn: boolean, logs: readonly LogData[]): string {
  const { answer, heading, totals, tables } = reportDocument(report, limit, areHintsOn);
  const figures = totals.map(
    ([label, value, basis]) =>
      `<div class="figure"><dt>${shown(label)}</dt><dd><b>${shown(value)}</b> ${shown(basis)}</dd></div>`,
  );
  return inAscii(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${shown(TITLE)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${shown(TITLE)}</h1>
${answer.map((line, at) => `<p${at === 0 ? ' class="answer"' : ""}>${shown(line)}</p>`).join("\n")}
<p>${shown(heading)}</p>
<dl>
${figures.join("\n")}
</dl>
${timelines(report, limit, logs)}
${tables.map(tableHtml).join("\n")}
</body>
</html>
`);
}

function inAscii(html: string): string {
  return html.replace(/[\u0080-\u{10ffff}]/gu, character => `&#${character.codePointAt(0)};`);
}

function timelines(report: Report, limit: number, logs: readonly LogData[]): string {
  const pictures = mostSaving(report, limit).flatMap(({ session }, index) => {
    const log = logs.find(({ path }) => path === session.file);
    const context = log?.contexts[0];
    if (context === undefined || context.rows.length === 0) return [];
    const { tools, targets, marks, partitionRequests, requestCosts } = context;
    const rows = new ResultRows(context.rows, context.rows.length / ROW_WIDTH);
    const requests = packRequests(requestCosts);
    const sources = new Map(context.sources.map(one => [one.row, one.sources]));
    const { charsPerToken } = session.calibration;
    const input = { rows, sources, tools, targets, marks, partitionRequests, requests, charsPerToken, version: 0 };
    const about = [sessionName(session), log?.title, localDate(session.lastAt ?? "")].filter(Boolean).join(" · ");
    return `<figure>\n${timelineSvg(input, `t${index}`)}\n<figcaption>${shown(about)}</figcaption>\n</figure>`;
  });
  return pictures.length === 0 ? "" : `<h2>Timelines</h2>\n${pictures.join("\n")}`;
}

function tableHtml({ title, note, columns, rows, rest }: TitledTable): string {
  const cell = (name: "td" | "th", text: string, column: number) =>
    `<${name}${columns[column]?.align === "right" ? ' class="number"' : ""}>${shown(text)}</${name}>`;
  const line = (name: "td" | "th", cells: readonly string[]) =>
    `<tr>${cells.map((text, column) => cell(name, text, column)).join("")}</tr>`;
  const paragraph = (text: string | undefined) => (text === undefined ? [] : [`<p>${shown(text)}</p>`]);
  const heads = columns.map(column => column.title);
  const table = `<div class="scroll"><table>
<thead>${line("th", heads)}</thead>
<tbody>
${rows.map(row => line("td", row)).join("\n")}
</tbody>
</table></div>`;
  const body = isTable({ rows, rest }) ? [table] : [];
  return [`<h2>${shown(title)}</h2>`, ...paragraph(note), ...body, ...paragraph(rest)].join("\n");
}

function shown(text: string): string {
  return withoutMarkup(visible(text));
}

const STYLE = `
:root {
  color-scheme: light dark;
  --foreground: light-dark(#3b3b3b, #cccccc);
  --muted: light-dark(#616161, #9d9d9d);
  --background: light-dark(#ffffff, #1f1f1f);
  --border: light-dark(#e5e5e5, #3c3c3c);
  --focus: light-dark(#005fb8, #0078d4);
  --hit: light-dark(#388a34, #89d185);
  --miss: light-dark(#1a85ff, #3794ff);
  --forgone: light-dark(#bf8803, #cca700);
  --invalidated: light-dark(#e51400, #f14c4c);
  --native: light-dark(#652d90, #b180d7);
}
body { max-width: 1100px; margin: 2rem auto; padding: 0 1rem; background: var(--background); color: var(--foreground);
  font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; }
h2 { margin-top: 2rem; font-size: 1.1rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 0.75rem; }
.figure { padding: 0.5rem 0.75rem; border: 1px solid var(--border); border-radius: 4px; }
dt, p, figcaption { color: var(--muted); }
.answer { color: var(--hit); font-size: 1.1rem; }
dd { margin: 0; }
dd b { display: block; font-size: 1.25rem; }
figure { margin: 0 0 1.5rem; }
svg { display: block; width: 100%; height: auto; font: 11px system-ui, sans-serif; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.2rem 0.75rem 0.2rem 0; border-bottom: 1px solid var(--border); text-align: left; vertical-align: top; }
td:first-child { overflow-wrap: anywhere; }
th { color: var(--muted); font-weight: normal; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
svg path { fill: none; }
${SVG_COLORS.map(name => `.f-${name}, svg path.f-${name} { fill: var(--${name}); } .s-${name} { stroke: var(--${name}); }`).join("\n")}
@media print { body { max-width: none; margin: 0; } figure, tr { break-inside: avoid; } }
`;
