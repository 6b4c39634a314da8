/** The Dedup view in the bottom panel. */
import type { WebviewView, WebviewViewProvider } from "vscode";
import { MEMORY } from "./ids.js";
import { PageHost, type PageWorld } from "./pageHost.js";
import type { Pages } from "./pages.js";

export class DedupView implements WebviewViewProvider {
  readonly #world: PageWorld;
  readonly #pages: Pages;

  constructor(world: PageWorld, pages: Pages) {
    this.#world = world;
    this.#pages = pages;
  }

  /** Called when the view is first seen, and again after it was moved to another place. */
  resolveWebviewView(view: WebviewView): void {
    const page = new PageHost("view", view.webview, this.#world, MEMORY.view);
    const registration = this.#pages.add(page);
    const visibility = view.onDidChangeVisibility(() => {
      if (view.visible) this.#pages.use(page);
      else page.hidden();
    });
    view.onDidDispose(() => {
      visibility.dispose();
      registration.dispose();
      page.dispose();
    });
  }
}
