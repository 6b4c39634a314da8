/**
 * The parts of lists that draw only the rows in sight. A real table or select cannot do that. The list itself has the
 * focus and points at its active row, so that neither rows nor cells need to be focusable.
 */
import { type ComponentChildren, h, type JSX } from "preact";

type Props<E extends EventTarget> = JSX.HTMLAttributes<E> & { readonly children?: ComponentChildren };

export const GridRow = (props: Props<HTMLDivElement>): JSX.Element => h("div", { ...props, role: "row" });
export const GridCell = (props: Props<HTMLSpanElement>): JSX.Element => h("span", { ...props, role: "gridcell" });
export const TableCell = (props: Props<HTMLSpanElement>): JSX.Element => h("span", { ...props, role: "cell" });
export const Option = (props: Props<HTMLDivElement>): JSX.Element => h("div", { ...props, role: "option" });
