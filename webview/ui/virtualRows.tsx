import { type ComponentChildren, h, type JSX, type VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { NO_CALL_MENU } from "../../src/protocol/contextMenu.js";
import type { ScrollTop } from "../state/ui.js";
import { useHeight } from "./hooks.js";

/** Extra rows beyond the edges, so that they are already rendered when scrolling fast. */
const OVERSCAN = 5;

interface VirtualRowsProps {
  readonly count: number;
  readonly rowHeight: number;
  /** Scrolled into view whenever it or `chosen` changes; -1 for none. */
  readonly active: number;
  readonly chosen?: unknown;
  /** Stay at the end while the list grows, as long as the user has not scrolled away. */
  readonly sticksToEnd?: boolean;
  readonly renderRow: (index: number) => ComponentChildren;
  /** Where the list was scrolled to when it was last seen, and where it is now. */
  readonly initialTop?: ScrollTop | undefined;
  readonly onTop?: (top: ScrollTop) => void;
  /** Attributes of the scrolling element: its role, name and keys. */
  readonly attributes: JSX.HTMLAttributes<HTMLDivElement> & { readonly "data-vscode-context"?: string | undefined };
  /** Whether the list's end is in view. */
  readonly onAtEnd?: (atEnd: boolean) => void;
  readonly scroller?: { current: HTMLDivElement | null };
}

/** Renders only the visible rows. All have the same height, so that a million of them need no measuring. */
export function VirtualRows(props: VirtualRowsProps): VNode {
  const { count, rowHeight, active, chosen, sticksToEnd = false, renderRow, attributes } = props;
  const { initialTop, onTop, onAtEnd } = props;
  const own = useRef<HTMLDivElement>(null);
  const scroller = props.scroller ?? own;
  const [top, setTop] = useState(0);
  const height = useHeight(scroller);
  /** Where the user left it, even if rows have been added since. */
  const atEnd = useRef(initialTop === undefined || initialTop === "end");
  const scrolled = useRef(false);
  const isAtEnd = ({ scrollTop, clientHeight, scrollHeight }: HTMLDivElement) =>
    scrollTop + clientHeight >= scrollHeight - rowHeight;

  /** Renders what comes into view before the next paint, instead of waiting for the scroll event. */
  const scrollTo = (element: HTMLDivElement, position: number) => {
    element.scrollTop = position;
    setTop(element.scrollTop);
  };

  // The heights may not be the final ones at first.
  useLayoutEffect(() => {
    if (scroller.current === null || initialTop === undefined || scrolled.current) return;
    scrollTo(scroller.current, initialTop === "end" ? count * rowHeight : initialTop);
  }, [rowHeight, height, scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || active < 0) return;
    const rowTop = active * rowHeight;
    if (rowTop < element.scrollTop) scrollTo(element, Math.max(0, rowTop - rowHeight));
    else if (rowTop + rowHeight > element.scrollTop + element.clientHeight) {
      scrollTo(element, rowTop + 2 * rowHeight - element.clientHeight);
    }
  }, [active, chosen, rowHeight, height, scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (sticksToEnd && atEnd.current) scrollTo(element, count * rowHeight);
    onAtEnd?.(isAtEnd(element));
  }, [count, rowHeight, sticksToEnd, height, scroller]);

  const onScroll = (event: Event) => {
    const element = event.currentTarget as HTMLDivElement;
    setTop(element.scrollTop);
    scrolled.current = true;
    atEnd.current = isAtEnd(element);
    onTop?.(atEnd.current ? "end" : element.scrollTop);
    onAtEnd?.(atEnd.current);
  };

  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - OVERSCAN, count - 1));
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  const rows = useDrawn(renderRow, first, last);
  return (
    <div {...attributes} ref={scroller} onScroll={onScroll}>
      <div
        class="virtual-space"
        role="presentation"
        data-vscode-context={NO_CALL_MENU}
        style={{ height: `${count * rowHeight}px` }}
      >
        <div class="virtual-window" role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

/** The rows from `first` up to `last`. Scrolling renders only those that come into view; the others are reused. */
function useDrawn(renderRow: VirtualRowsProps["renderRow"], first: number, last: number): ComponentChildren[] {
  const before = useRef({ renderRow, first: 0, rows: [] as ComponentChildren[] });
  const known = before.current.renderRow === renderRow ? before.current : { first: 0, rows: [] };
  const rows: ComponentChildren[] = [];
  for (let index = first; index < last; index++) rows.push(known.rows[index - known.first] ?? renderRow(index));
  before.current = { renderRow, first, rows };
  return rows;
}

interface VirtualGridProps extends Omit<VirtualRowsProps, "attributes" | "renderRow"> {
  /** The list's class and the ids of its rows derive from it. */
  readonly name: string;
  readonly label: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** What the context menu is about when the keyboard opens it: the active row. */
  readonly menu?: string | undefined;
  readonly renderRow: (index: number, id: string) => ComponentChildren;
}

/** Rows with a cursor: one tab stop, and screen readers announce the active row. */
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

/**
 * Elements of lists that render only the visible rows, which a real table or select cannot do. The list itself has the
 * focus and points at its active row, so that neither rows nor cells need to be focusable.
 */
type Props<E extends EventTarget> = JSX.HTMLAttributes<E> & { readonly children?: ComponentChildren };

export const GridRow = (props: Props<HTMLDivElement>): JSX.Element => h("div", { ...props, role: "row" });
export const GridCell = (props: Props<HTMLSpanElement>): JSX.Element => h("span", { ...props, role: "gridcell" });
export const TableCell = (props: Props<HTMLSpanElement>): JSX.Element => h("span", { ...props, role: "cell" });
export const Option = (props: Props<HTMLDivElement>): JSX.Element => h("div", { ...props, role: "option" });
