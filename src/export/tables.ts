/**
 * The tables of an export: their columns, in order, with their types. Names and meanings are a contract, docs/sql.md
 * "Tables"; changing the meaning of a column or removing one raises the version. `?`: the value may be missing (null).
 */

/** The version of the tables. */
export const SCHEMA = 1;

export type ColumnType = "text" | "int32" | "int64" | "double" | "boolean" | "timestamp";
export type Column = ColumnType | `${ColumnType}?`;
type Columns = Readonly<Record<string, Column>>;

/** A timestamp is in milliseconds since 1970, in UTC. */
export type Cell = string | number | boolean | null;

type Plain<C> = C extends "text" ? string : C extends "boolean" ? boolean : number;
type ValueOf<C> = C extends `${infer P}?` ? Plain<P> | null : Plain<C>;
type RowOf<T extends Columns> = { readonly [C in keyof T]: ValueOf<T[C]> };

/** The first columns of all tables except `sessions`. */
const PLACE = {
  file: "text",
  session_id: "text",
  context: "text",
  subagent: "boolean",
  partition_index: "int32",
  line: "int32",
  logged_at: "timestamp?",
} as const satisfies Columns;

const SAVINGS = {
  saved_bytes: "int64",
  saved_tokens: "double",
  carried_tokens: "double",
  forgone_tokens: "double",
  native_tokens: "double",
  realised_tokens: "double",
} as const satisfies Columns;

const TABLES = {
  sessions: {
    file: "text",
    session_id: "text",
    project: "text?",
    title: "text?",
    started_at: "timestamp?",
    ended_at: "timestamp?",
    model: "text?",
    version: "text?",
    contexts: "int32",
    compactions: "int32",
    requests: "int32",
    results: "int32",
    copied_results: "int32",
    hits: "int32",
    near_hits: "int32",
    run_hits: "int32",
    misses: "int32",
    native: "int32",
    realised: "int32",
    bytes: "int64",
    tokens: "double",
    ...SAVINGS,
    chars_per_token: "double",
    calibration: "text",
    calibration_samples: "int32",
    calibration_error: "double?",
    bad_lines: "int32",
    left_out_lines: "int32",
  },
  requests: {
    ...PLACE,
    request_index: "int32",
    model: "text?",
    prompt_tokens: "int64?",
    written_5m_tokens: "int64?",
    written_1h_tokens: "int64?",
    read_tokens: "int64?",
    cached_seconds: "int32?",
    output_tokens: "int64?",
  },
  results: {
    ...PLACE,
    call_id: "text",
    tool: "text?",
    path: "text?",
    range_from: "int32?",
    range_lines: "int32?",
    outcome: "text",
    reason: "text?",
    gate: "text",
    is_copy: "boolean",
    reread: "boolean",
    overlapping: "boolean",
    earlier_requests: "int32",
    later_requests: "int32",
    bytes: "int64?",
    chars: "int64?",
    tokens: "double?",
    ...SAVINGS,
    saved_units: "double?",
    saved_usd: "double?",
    runs: "int32",
    ref_call_id: "text?",
    distance: "int32?",
    cause_call_id: "text?",
    evicted_call_id: "text?",
    invalidations: "int32",
  },
  runs: {
    ...PLACE,
    call_id: "text",
    run_index: "int32",
    tool: "text?",
    is_copy: "boolean",
    source_call_id: "text",
    in_input: "boolean",
    first_line: "int32",
    last_line: "int32",
    bytes: "int64",
    distance: "int32?",
  },
  events: {
    ...PLACE,
    kind: "text",
    call_id: "text?",
    cause_call_id: "text?",
    dropped_by: "text?",
    dropped: "int32?",
    kept: "int32?",
    hint_level: "text?",
  },
} as const satisfies Readonly<Record<string, Columns>>;

export type TableName = keyof typeof TABLES;
export type TableRow<T extends TableName> = RowOf<(typeof TABLES)[T]>;

export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

/** Takes the rows of all tables as they are made. */
export type RowSink = <T extends TableName>(table: T, row: TableRow<T>) => void;

export function columnsOf(table: TableName): { name: string; type: ColumnType; isNullable: boolean }[] {
  return Object.entries(TABLES[table]).map(([name, column]) => ({
    name,
    type: column.replace("?", "") as ColumnType,
    isNullable: column.endsWith("?"),
  }));
}

/** The column that determines the day a row is stored under. */
export function timeOf(table: TableName): "started_at" | "logged_at" {
  return table === "sessions" ? "started_at" : "logged_at";
}
