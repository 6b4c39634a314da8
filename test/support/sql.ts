/** docs/sql.md in a form that can be run and compared, and an export as rows. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { columnsOf, type TableName } from "../../src/export/tables.js";
import { filesUnder, REPOSITORY } from "./replay.js";

export type SqlRow = Readonly<Record<string, unknown>>;

const DOCUMENT = readFileSync(join(REPOSITORY, "docs", "sql.md"), "utf8");
const DEFAULT_FOLDER = "dedup-inspector-export";

/** The document's queries by heading. */
export const QUERIES: ReadonlyMap<string, string> = new Map(
  [...DOCUMENT.matchAll(/^### (.+)\n(?:(?!^#)[\s\S])*?^```sql\n([\s\S]*?)^```/gm)].map(([, title = "", sql = ""]) => [
    title,
    sql,
  ]),
);

/** The documented columns of a table: name, type, and whether nullable. */
export function documentedColumns(table: string): { name: string; type: string; isNullable: boolean }[] {
  const section = DOCUMENT.split(/^#{2,3} /m).find(one => one.startsWith(`${table}\n`)) ?? "";
  return [...section.matchAll(/^\| `(\w+)` \| `(\w+)`( or null)? \|/gm)].map(([, name = "", type = "", nullable]) => ({
    name,
    type,
    isNullable: nullable !== undefined,
  }));
}

/** The document's views of an export, in a real DuckDB. */
export class Database {
  readonly #connection: DuckDBConnection;

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async of(folder: string): Promise<Database> {
    const database = new Database(await (await DuckDBInstance.create(":memory:")).connect());
    const [, views = ""] = /^```sql\n(CREATE VIEW[\s\S]*?)^```/m.exec(DOCUMENT) ?? [];
    await database.#connection.run(views.replaceAll(DEFAULT_FOLDER, folder));
    return database;
  }

  /** Large and decimal numbers are returned as numbers: every figure fits in a double. */
  async rows(sql: string): Promise<SqlRow[]> {
    const reader = await this.#connection.runAndReadAll(sql);
    return reader
      .getRowObjects()
      .map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)])));
  }

  /** The only row of a query. */
  async row(sql: string): Promise<SqlRow> {
    const [row, ...more] = await this.rows(sql);
    if (row === undefined || more.length > 0) throw new Error(`not one row: ${sql}`);
    return row;
  }

  close(): void {
    this.#connection.closeSync();
  }
}

function plainValue(value: unknown): unknown {
  return typeof value === "bigint"
    ? Number(value)
    : typeof value === "object" && value !== null
      ? String(value)
      : value;
}

/** All rows of a table in the order of its files, each with its day. */
export async function rowsIn(folder: string, table: TableName): Promise<SqlRow[]> {
  const rows: SqlRow[] = [];
  for (const path of filesUnder(join(folder, table))) {
    const day = basename(dirname(path));
    for (const row of await rowsOf(path, table)) rows.push({ day, ...row });
  }
  return rows;
}

async function rowsOf(path: string, table: TableName): Promise<SqlRow[]> {
  if (path.endsWith(".parquet")) {
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
    return rows.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fromParquet(value)])));
  }
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".ndjson"))
    return text
      .split("\n")
      .slice(0, -1)
      .map(line => JSON.parse(line) as SqlRow);
  const [names = [], ...lines] = csvLines(text);
  const types = new Map(columnsOf(table).map(({ name, type }) => [name, type]));
  return lines.map(cells =>
    Object.fromEntries(names.map((name, at) => [name, fromCsv(cells[at] ?? null, types.get(name ?? "") ?? "")])),
  );
}

function fromParquet(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Date ? value.toISOString() : value;
}

function fromCsv(cell: string | null, type: string): unknown {
  if (cell === null || type === "text" || type === "timestamp") return cell;
  return type === "boolean" ? cell === "true" : Number(cell);
}

/** RFC 4180; a cell that is completely empty, without quotes, is null. */
function csvLines(text: string): (string | null)[][] {
  const lines: (string | null)[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n|$)/gy;
  for (let match = cells.exec(text); match !== null && match[0] !== ""; match = cells.exec(text)) {
    const [, quoted, plain = "", end] = match;
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain === "" ? null : plain));
    if (end === "\n") lines.push([]);
  }
  return lines.slice(0, -1);
}
