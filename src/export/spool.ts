/** Where an export keeps what does not fit in memory until its tables are written. */
import { appendFileSync, closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { readBytes, withOpenFile } from "../files/openFile.js";
import type { LogData } from "../inspect/logData.js";
import { LineSplitter } from "../log/lineSplitter.js";
import { type Cell, columnsOf, TABLE_NAMES, type TableName, type TableRow, timeOf } from "./tables.js";

/** The data of each log. Figures depend on all logs, so none can be written before all are read. */
export class LogSpool {
  readonly #path: string;
  readonly #file: number;
  readonly #places: { offset: number; bytes: number }[] = [];
  #end = 0;

  constructor(folder: string) {
    this.#path = join(folder, "logs");
    this.#file = openSync(this.#path, "wx+", 0o600);
  }

  get bytes(): number {
    return this.#end;
  }

  put(data: LogData): number {
    const bytes = serialize(data);
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
    }
    this.#places.push({ offset: this.#end, bytes: bytes.length });
    this.#end += bytes.length;
    return this.#places.length - 1;
  }

  get(index: number): LogData {
    const { offset, bytes } = this.#places[index] ?? { offset: 0, bytes: 0 };
    const buffer = Buffer.allocUnsafe(bytes);
    for (let done = 0; done < bytes; ) {
      const length = readSync(this.#file, buffer, done, bytes - done, offset + done);
      if (length === 0) throw new Error(`${this.#path} was cut short`);
      done += length;
    }
    return deserialize(buffer) as LogData;
  }

  size(index: number): number {
    return this.#places[index]?.bytes ?? 0;
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }
}

/** How much to buffer, so that a year's days are not written line by line. */
const MAX_HELD_CHARS = 24 * 1024 * 1024;
const MAX_ROW_BYTES = 256 * 1024 * 1024;

/** A table's rows of one day. */
export interface DayOfTable {
  readonly table: TableName;
  /** `2026-11-01`; undefined for rows without a timestamp. */
  readonly day: string | undefined;
  readonly rows: number;
}

interface Held {
  readonly day: DayOfTable["day"];
  readonly file: string;
  rows: number;
  lines: string[];
}

/** The rows of all tables by day, each row a JSON list of its cells. */
export class RowSpool {
  readonly #folder: string;
  readonly #columns = new Map(TABLE_NAMES.map(table => [table, columnsOf(table).map(({ name }) => name)]));
  readonly #days = new Map(TABLE_NAMES.map(table => [table, new Map<string, Held>()]));
  #heldChars = 0;

  constructor(folder: string) {
    this.#folder = join(folder, "rows");
    mkdirSync(this.#folder, { mode: 0o700 });
  }

  /** `finish` converts each cell before it is stored. */
  add<T extends TableName>(table: T, row: TableRow<T>, finish: (column: string, cell: Cell) => Cell): void {
    const cells = row as Readonly<Record<string, Cell>>;
    const line = `${JSON.stringify(this.#columns.get(table)?.map(name => finish(name, cells[name] ?? null)))}\n`;
    const held = this.#heldFor(table, cells[timeOf(table)] ?? null);
    held.lines.push(line);
    held.rows++;
    this.#heldChars += line.length;
    if (this.#heldChars > MAX_HELD_CHARS) this.flush();
  }

  flush(): void {
    for (const days of this.#days.values()) {
      for (const held of days.values()) {
        if (held.lines.length > 0) appendFileSync(held.file, Buffer.from(held.lines.join("")), { mode: 0o600 });
        held.lines = [];
      }
    }
    this.#heldChars = 0;
  }

  /** By table and day. */
  get days(): DayOfTable[] {
    return [...this.#days].flatMap(([table, days]) =>
      [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, { day, rows }]) => ({ table, day, rows })),
    );
  }

  /** Passes on the rows of one day, in order, and forgets them. */
  read(table: TableName, day: DayOfTable["day"], take: (cells: readonly Cell[]) => void): void {
    const file = this.#days.get(table)?.get(day ?? "")?.file;
    if (file === undefined) return;
    const splitter = new LineSplitter(
      {
        line: (bytes, start, end) => take(JSON.parse(Buffer.from(bytes.subarray(start, end)).toString())),
        overlong: () => fail(new Error(`a row of ${table} is too long`)),
        failed: fail,
      },
      { maxLineBytes: MAX_ROW_BYTES },
    );
    withOpenFile(file, open => readBytes(open, 0, Number.POSITIVE_INFINITY, bytes => splitter.push(bytes)));
    rmSync(file, { force: true });
  }

  #heldFor(table: TableName, time: Cell): Held {
    const days = this.#days.get(table) ?? new Map<string, Held>();
    const day = typeof time === "number" ? new Date(time).toISOString().slice(0, 10) : undefined;
    const known = days.get(day ?? "");
    if (known !== undefined) return known;
    const held = { day, file: join(this.#folder, `${table}-${day ?? ""}`), rows: 0, lines: [] };
    days.set(day ?? "", held);
    return held;
  }
}

function fail(error: unknown): never {
  throw error;
}
