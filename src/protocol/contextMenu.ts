/**
 * What VS Code's context menu applies to. VS Code merges the `data-vscode-context` attributes of the element under the
 * pointer and its ancestors; the manifest's conditions test the section, and commands get all of it as an argument.
 */

import type { ContextRef } from "./requests.js";

/** The manifest shows the commands for calls only in this section. */
export const CALL_SECTION = "call";

/** What the manifest offers only for some calls. */
export interface CallOffers {
  readonly callHasReference: boolean;
  readonly callIsComparable: boolean;
}

/** The attribute of the element that shows a context: by the time a command runs, the page may show another one. */
export function contextMenu({ session, context }: ContextRef): string {
  return JSON.stringify({ session, context });
}

/** The attribute of an element in it that shows a call. */
export function callMenu(row: number, offers: CallOffers): string {
  return JSON.stringify({ webviewSection: CALL_SECTION, row, ...offers });
}

/** The attribute of an element that shows no call inside one that does. */
export const NO_CALL_MENU = JSON.stringify({ webviewSection: "" });

/** The call that a menu's command applies to; undefined if it was started otherwise. The argument may be anything. */
export function menuCallOf(argument: unknown): (ContextRef & { readonly row: number }) | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { webviewSection, session, context, row }: Readonly<Record<string, unknown>> = { ...argument };
  if (webviewSection !== CALL_SECTION || typeof session !== "string" || typeof context !== "string") return undefined;
  return typeof row === "number" && Number.isSafeInteger(row) && row >= 0 ? { session, context, row } : undefined;
}
