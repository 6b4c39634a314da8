/** A separate bundle: nothing else needs the Parquet library, and the command line starts without it. */
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import type { TableFile } from "./tableFile.js";
import { type Cell, type ColumnType, columnsOf, SCHEMA, type TableName } from "./tables.js";

type Element = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

const ELEMENTS: Readonly<Record<ColumnType, Omit<Element, "name">>> = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  int32: { type: "INT32" },
  int64: { type: "INT64" },
  double: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  timestamp: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
};

/** Rows that are held and encoded at a time. */
const GROUP_ROWS = 20_000;

export function parquetFile(path: string, table: TableName): TableFile {
  const columns = columnsOf(table);
  const schema: Element[] = [
    { name: table, num_children: columns.length },
    ...columns.map(({ name, type, isNullable }) => {
      const repetition_type = isNullable ? ("OPTIONAL" as const) : ("REQUIRED" as const);
      return { name, ...ELEMENTS[type], repetition_type };
    }),
  ];
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema,
    // The library orders texts by UTF-16, Parquet by bytes: a reader that trusts such a range may skip rows.
    statistics: false,
    kvMetadata: [{ key: "dedup-inspector.schema", value: String(SCHEMA) }],
  });
  let held: (Cell | bigint)[][] = columns.map(() => []);
  const write = () => {
    const columnData = columns.map(({ name }, at) => ({ name, data: held[at] ?? [] }));
    if (held[0]?.length) void file.write({ columnData, rowGroupSize: GROUP_ROWS });
    held = columns.map(() => []);
  };
  return {
    add(cells) {
      for (const [at, { type }] of columns.entries()) held[at]?.push(stored(cells[at] ?? null, type));
      if (held[0]?.length === GROUP_ROWS) write();
    },
    finish() {
      write();
      void file.finish();
    },
  };
}

function stored(cell: Cell, type: ColumnType): Cell | bigint {
  const isLong = type === "int64" || type === "timestamp";
  return isLong && typeof cell === "number" ? BigInt(Math.trunc(cell)) : cell;
}
