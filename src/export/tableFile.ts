import { appendFileSync, writeFileSync } from "node:fs";
import { type Cell, type Column, columnsOf, type TableName } from "./tables.js";

/** One file of a table while it is being written. */
export interface TableFile {
  add(cells: readonly Cell[]): void;
  finish(): void;
}

export const EXPORT_FORMATS = ["parquet", "ndjson", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The default folder of an export. */
export const DEFAULT_OUT = "dedup-inspector-export";

/** How much to write at once. */
const PIECE_CHARS = 1024 * 1024;

/** A file of text lines. */
class LinesFile implements TableFile {
  readonly #path: string;
  readonly #lineOf: (cells: readonly Cell[]) => string;
  #text: string;

  constructor(path: string, heading: string, lineOf: (cells: readonly Cell[]) => string) {
    this.#path = path;
    this.#lineOf = lineOf;
    this.#text = heading;
    writeFileSync(path, "", { flag: "wx" });
  }

  add(cells: readonly Cell[]): void {
    this.#text += `${this.#lineOf(cells)}\n`;
    if (this.#text.length > PIECE_CHARS) this.#write();
  }

  finish(): void {
    this.#write();
  }

  #write(): void {
    // As bytes: on a full disk, Node may silently write only a part of a string.
    appendFileSync(this.#path, Buffer.from(this.#text));
    this.#text = "";
  }
}

/** One JSON object per line, with all columns. */
export function ndjsonFile(path: string, table: TableName): TableFile {
  const columns = columnsOf(table);
  return new LinesFile(path, "", cells =>
    JSON.stringify(Object.fromEntries(columns.map(({ name, type }, at) => [name, readable(cells[at] ?? null, type)]))),
  );
}

/** As in RFC 4180, with a header line. An empty field is a missing value, `""` an empty text. */
export function csvFile(path: string, table: TableName): TableFile {
  const columns = columnsOf(table);
  const heading = `${columns.map(({ name }) => name).join()}\n`;
  return new LinesFile(path, heading, cells =>
    columns.map(({ type }, at) => csvCell(readable(cells[at] ?? null, type))).join(),
  );
}

/** A timestamp in readable form. */
function readable(cell: Cell, type: Column): Cell {
  return type === "timestamp" && typeof cell === "number" ? new Date(cell).toISOString() : cell;
}

/** A spreadsheet treats a text that begins like this as a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
