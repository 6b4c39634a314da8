import type { ComponentChildren, VNode } from "preact";
import { VirtualRows, type VirtualRowsProps } from "./virtualRows.js";

interface VirtualGridProps extends Omit<VirtualRowsProps, "attributes" | "renderRow"> {
  /** What its rows are: the list's class and the rows' ids are made from it. */
  readonly name: string;
  readonly label: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** What the context menu is about when the keyboard opens it: the active row. */
  readonly menu?: string | undefined;
  readonly renderRow: (index: number, id: string) => ComponentChildren;
}

/** Rows with a cursor: one tab stop, and the active row is told to screen readers. */
export function VirtualGrid({ name, label, onKeyDown, menu, renderRow, ...rows }: VirtualGridProps): VNode {
  const rowId = (index: number) => `${name}-${index}`;
  return (
    <VirtualRows
      {...rows}
      attributes={{
        class: `${name}-list`,
        role: "grid",
        tabIndex: 0,
        "aria-label": label,
        "aria-rowcount": rows.count,
        "aria-activedescendant": rows.active >= 0 ? rowId(rows.active) : undefined,
        "data-vscode-context": menu,
        onKeyDown,
      }}
      renderRow={index => renderRow(index, rowId(index))}
    />
  );
}
