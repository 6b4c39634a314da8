import type { Report } from "../inspect/report.js";
import { visible } from "../words/text.js";
import { reportDocument, TITLE } from "./reportTable.js";
import type { TitledTable } from "./table.js";

/** The report as a Markdown document. */
export function reportMarkdown(report: Report, limit: number): string {
  const { heading, totals, tables } = reportDocument(report, limit);
  const figures: TitledTable = {
    title: TITLE,
    note: heading,
    columns: [{ title: "Figure" }, { title: "Value", align: "right" }, { title: "Basis" }],
    rows: totals,
  };
  return [tableText("#", figures), ...tables.map(table => tableText("##", table))].join("\n");
}

function tableText(level: string, { title, note, columns, rows }: TitledTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plainText).join(" | ")} |\n`;
  const rule = columns.map(({ align }) => (align === "right" ? "---:" : "---"));
  return [
    `${level} ${plainText(title)}\n\n`,
    note === undefined ? "" : `${plainText(note)}\n\n`,
    line(columns.map(column => column.title)),
    `| ${rule.join(" | ")} |\n`,
    ...rows.map(line),
  ].join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** On one line, and no markup: names in logs may contain anything. */
function plainText(text: string): string {
  return visible(text).replace(/[\\`*_[\]|~!&<>]/g, character => ENTITIES[character] ?? `\\${character}`);
}
