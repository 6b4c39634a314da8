import { appendFileSync, writeFileSync } from "node:fs";
import { type Cell, type Column, columnsOf, type TableName } from "./tables.js";

/** One file of a table, while it is written. */
export interface TableFile {
  add(cells: readonly Cell[]): void;
  finish(): void;
}

export const EXPORT_FORMATS = ["parquet", "ndjson", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The folder of an export that was given none. */
export const DEFAULT_OUT = "dedup-inspector-export";

/** Lines that are written at once. */
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
    // As bytes: of a text Node may write only a part, without a word, where the disk is full.
    appendFileSync(this.#path, Buffer.from(this.#text));
    this.#text = "";
  }
}

/** One JSON object per line, every column in it. */
export function ndjsonFile(path: string, table: TableName): TableFile {
  const columns = columnsOf(table);
  return new LinesFile(path, "", cells =>
    JSON.stringify(Object.fromEntries(columns.map(({ name, type }, at) => [name, readable(cells[at] ?? null, type)]))),
  );
}

/** As in RFC 4180, with a line of names first. Nothing at all is a missing value, `""` an empty text. */
export function csvFile(path: string, table: TableName): TableFile {
  const columns = columnsOf(table);
  const heading = `${columns.map(({ name }) => name).join()}\n`;
  return new LinesFile(path, heading, cells =>
    columns.map(({ type }, at) => csvCell(readable(cells[at] ?? null, type))).join(),
  );
}

/** A timestamp as people write it. */
function readable(cell: Cell, type: Column): Cell {
  return type === "timestamp" && typeof cell === "number" ? new Date(cell).toISOString() : cell;
}

/** A spreadsheet takes a text that begins like this for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
