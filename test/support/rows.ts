/** Rows by the names of their fields: no test depends on the order in which a row stores them. */
import { ResultRows, ROW_WIDTH, type RowField } from "../../src/inspect/rows.js";

// A row of the numbers 0, 1, 2, … shows the column of each field.
const probe = new ResultRows();
probe.append(Array.from({ length: ROW_WIDTH }, (_, column) => column));

export function columnOf(field: RowField): number {
  return probe.get(0, field);
}

/** The cells of one row; a field that is not given is 0. */
export function packedRow(fields: Partial<Record<RowField, number>>): Uint32Array<ArrayBuffer> {
  const cells = new Uint32Array(ROW_WIDTH);
  for (const [field, value] of Object.entries(fields)) cells[columnOf(field as RowField)] = value;
  return cells;
}
