import { visible } from "../words/text.js";
import { type Tint, wrapped } from "./terminal.js";

export interface Column {
  readonly title: string;
  /** Numbers are right-aligned. */
  readonly align?: "left" | "right";
  readonly tint?: Tint;
  /** Is shortened if the table is too wide. Its beginning is cut off: the end of a path is more informative. */
  readonly shrinks?: boolean;
  /** Is narrowed too, but not cut: it wraps. */
  readonly wraps?: boolean;
  /** Dropped, highest number first, if shrinking is not enough. */
  readonly dropOrder?: number;
}

/** A table with its heading, for a terminal, Markdown and HTML alike. */
export interface TitledTable {
  readonly title: string;
  readonly note?: string;
  /** Only for a terminal: which option shows more. */
  readonly hint?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** A sentence about anything without a row. */
  readonly rest?: string | undefined;
}

/** Without rows, a sentence alone says enough. */
export function isTable({ rows, rest }: Pick<TitledTable, "rows" | "rest">): boolean {
  return rows.length > 0 || rest === undefined;
}

/** With its heading above it. */
export function renderTitled(
  { title, note, hint, columns, rows, rest }: TitledTable,
  width: number,
  paint: (tint: Tint, text: string) => string,
): string {
  const more = [note, hint].filter(Boolean).join(" ");
  const fits = title.length + 2 + more.length <= width;
  const about = fits ? (more === "" ? "" : paint("dim", `  ${more}`)) : `\n${paint("dim", wrapped(more, width))}`;
  const table = isTable({ rows, rest }) ? renderTable(columns, rows, width, paint) : "";
  const below = rest === undefined ? "" : `${paint("dim", wrapped(rest, width))}\n`;
  return `\n${paint("bold", title)}${about}\n${table}${below}`;
}

const GAP = "  ";
const NARROWEST = 12;
/** The indentation of a cell's further lines, and a wrapped cell's minimum width. */
const INDENT = "  ";
const NARROWEST_WRAPPED = 26;

/** An aligned table that fits the width: first shortens columns, then drops some. */
function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  paint: (tint: Tint, text: string) => string,
): string {
  const clean = rows.map(row => row.map(cell => visible(cell)));
  const shown = fitColumns(columns, clean, width);
  const line = (cells: readonly string[], tint?: Tint) =>
    shown
      .map(({ index, column, size }) => {
        const cell = pad(cutHead(cells[index] ?? "", size), size, column.align);
        const colour = tint ?? column.tint;
        return colour && cell.trim() !== "" ? paint(colour, cell) : cell;
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(column => column.title);
  const lines = (row: readonly string[]) => unfolded(row, shown).map(cells => line(cells));
  return `${[line(titles, "dim"), ...clean.flatMap(lines)].join("\n")}\n`;
}

/** A row as is, or as several if a cell wraps. */
function unfolded(row: readonly string[], shown: readonly ShownColumn[]): (readonly string[])[] {
  const long = shown.find(({ index, column, size }) => column.wraps && displayWidth(row[index] ?? "") > size);
  if (long === undefined) return [row];
  const [first = "", ...more] = wrapped(row[long.index] ?? "", long.size - INDENT.length).split("\n");
  const rest = more.map(text => row.map((_, index) => (index === long.index ? `${INDENT}${text}` : "")));
  return [row.map((cell, index) => (index === long.index ? first : cell)), ...rest];
}

interface ShownColumn {
  readonly index: number;
  readonly column: Column;
  readonly size: number;
}

function fitColumns(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): ShownColumn[] {
  let shown: ShownColumn[] = columns.map((column, index) => ({
    index,
    column,
    // Not `Math.max(...)`: with very many rows, its arguments do not fit on the stack.
    size: rows.reduce((size, row) => Math.max(size, displayWidth(row[index] ?? "")), displayWidth(column.title)),
  }));
  for (;;) {
    const total = shown.reduce((sum, { size }) => sum + size, 0) + GAP.length * (shown.length - 1);
    if (total <= width) return shown;
    const flexible = shown.filter(({ column }) => column.shrinks || column.wraps);
    const [first] = flexible;
    const room = first === undefined ? 0 : first.size - (total - width);
    if (first !== undefined && room >= (first.column.wraps ? NARROWEST_WRAPPED : NARROWEST)) {
      return shown.map(one => (one === first ? { ...one, size: room } : one));
    }
    const last = shown
      .filter(({ column }) => column.dropOrder !== undefined)
      .sort((left, right) => (right.column.dropOrder ?? 0) - (left.column.dropOrder ?? 0))[0];
    if (last === undefined) return squeezed(shown, flexible, total - width);
    shown = shown.filter(one => one !== last);
  }
}

/** Each is narrowed as far as possible before the next one. */
function squeezed(shown: readonly ShownColumn[], flexible: readonly ShownColumn[], excess: number): ShownColumn[] {
  let left = excess;
  return shown.map(one => {
    if (!flexible.includes(one)) return one;
    const given = Math.max(0, Math.min(left, one.size - NARROWEST));
    left -= given;
    return { ...one, size: one.size - given };
  });
}

function pad(text: string, size: number, align: Column["align"]): string {
  const blank = " ".repeat(Math.max(0, size - displayWidth(text)));
  return align === "right" ? blank + text : text + blank;
}

/** Keeps as much of the end as fits. */
function cutHead(text: string, size: number): string {
  if (displayWidth(text) <= size) return text;
  const characters = [...text];
  let start = characters.length;
  for (let width = 1; start > 0; start--) {
    width += displayWidth(characters[start - 1] ?? "");
    if (width > size) break;
  }
  return `…${characters.slice(start).join("")}`;
}

/** Columns on a terminal: East Asian wide characters and emoji take two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
