/**
 * What VS Code's context menu is about. VS Code reads `data-vscode-context` of what is under the pointer and of
 * everything around it, the inner one first; the manifest's conditions ask for the section, and commands get it all.
 */

/** The manifest shows the commands for a call in this section only. */
export const CALL_SECTION = "call";

/** The attribute of what shows a call. */
export function callMenu(row: number): string {
  return JSON.stringify({ webviewSection: CALL_SECTION, row });
}

/** The attribute of what shows no call, though something around it does. */
export const NO_CALL_MENU = JSON.stringify({ webviewSection: "" });

export interface MenuCall {
  /** The view type of the page. */
  readonly webview: string;
  readonly row: number;
}

/** The call that a command was chosen for; undefined where it came from elsewhere. It may be anything: a page sent it. */
export function menuCallOf(argument: unknown): MenuCall | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { webviewSection, webview, row } = argument as Record<string, unknown>;
  if (webviewSection !== CALL_SECTION || typeof webview !== "string") return undefined;
  return Number.isSafeInteger(row) && (row as number) >= 0 ? { webview, row: row as number } : undefined;
}
