import type { ComponentChildren, VNode } from "preact";

interface Column<Row> {
  readonly head: string;
  /** Explains the heading. */
  readonly about?: string;
  readonly cell: (row: Row, index: number) => ComponentChildren;
  /** How long the bar behind the figure is: 1 for the largest of all. */
  readonly bar?: (row: Row) => number;
  /** The bar has the color of what hints save. */
  readonly isSaving?: boolean;
}

interface FiguresTableProps<Row> {
  /** For screen readers; not needed if the table is labeled by what it is in. */
  readonly caption?: string;
  /** The first column names the rows. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
  readonly classOf?: (row: Row) => string;
}

/** A table in which every row has a name and figures. */
export function FiguresTable<Row>({ caption, columns, rows, keyOf, classOf }: FiguresTableProps<Row>): VNode {
  const [names, ...figures] = columns;
  return (
    <table class="figures-table">
      {caption !== undefined && <caption class="unseen">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ head, about }) => (
            <th key={head} scope="col" title={about}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row, index)} class={classOf?.(row)}>
            <th scope="row">{names?.cell(row, index)}</th>
            {figures.map(({ head, cell, bar, isSaving }) => (
              <td
                key={head}
                class={bar && (isSaving ? "barred saved" : "barred")}
                style={bar && { "--weight": `${100 * bar(row)}%` }}
              >
                {cell(row, index)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
