/**
 * What VS Code's context menu applies to. VS Code merges the `data-vscode-context` attributes of the element under the
 * pointer and its ancestors; the manifest's conditions test the section, and commands get all of it as an argument.
 */

/** The manifest shows the commands for calls only in this section. */
export const CALL_SECTION = "call";

/** What the manifest offers only for some calls. */
export interface CallOffers {
  readonly callHasReference: boolean;
  readonly callIsComparable: boolean;
}

/** The attribute of an element that shows a call. */
export function callMenu(row: number, offers: CallOffers): string {
  return JSON.stringify({ webviewSection: CALL_SECTION, row, ...offers });
}

/** The attribute of an element that shows no call inside one that does. */
export const NO_CALL_MENU = JSON.stringify({ webviewSection: "" });

export interface MenuCall {
  /** The view type of the page. */
  readonly webview: string;
  readonly row: number;
}

/** The call that a menu's command applies to; undefined if it was started otherwise. The argument may be anything. */
export function menuCallOf(argument: unknown): MenuCall | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { webviewSection, webview, row }: Readonly<Record<string, unknown>> = { ...argument };
  if (webviewSection !== CALL_SECTION || typeof webview !== "string") return undefined;
  return typeof row === "number" && Number.isSafeInteger(row) && row >= 0 ? { webview, row } : undefined;
}
