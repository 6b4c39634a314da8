import type { Report } from "../inspect/report.js";
import { visible, withoutLinks, withoutMarkup } from "../words/text.js";
import { reportDocument, TITLE } from "./reportTable.js";
import { isTable, type TitledTable } from "./textTable.js";

/** The report as a Markdown document. */
export function reportMarkdown(report: Report, limit: number, areHintsOn: boolean): string {
  const { answer, heading, totals, tables } = reportDocument(report, limit, areHintsOn);
  const figures: TitledTable = {
    title: "Figures",
    note: heading,
    columns: [{ title: "Figure" }, { title: "Value", align: "right" }, { title: "Basis" }],
    rows: totals,
  };
  const answered = answer.map(line => `${plainText(line)}\n`);
  return [`# ${TITLE}\n`, ...answered, ...[figures, ...tables].map(tableText)].join("\n");
}

function tableText({ title, note, columns, rows, rest }: TitledTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plainText).join(" | ")} |\n`;
  const rule = columns.map(({ align }) => (align === "right" ? "---:" : "---"));
  const table = [line(columns.map(column => column.title)), `| ${rule.join(" | ")} |\n`, ...rows.map(line)].join("");
  const below = rest === undefined ? undefined : `${plainText(rest)}\n`;
  return [
    `## ${plainText(title)}\n`,
    ...(note === undefined ? [] : [`${plainText(note)}\n`]),
    ...(isTable({ rows, rest }) ? [table] : []),
    ...(below === undefined ? [] : [below]),
  ].join("\n");
}

/** On one line, without markup and links: names in logs may contain anything. */
function plainText(text: string): string {
  return withoutLinks(withoutMarkup(visible(text)).replace(/[\\`*_[\]|~!]/g, "\\$&"));
}
