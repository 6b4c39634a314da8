/** The Dedup view in the bottom panel. */
import type { WebviewView, WebviewViewProvider } from "vscode";
import { PageHost, type PageServices } from "./pageHost.js";
import type { Pages } from "./pages.js";

export class DedupView implements WebviewViewProvider {
  readonly #services: PageServices;
  readonly #pages: Pages;

  constructor(services: PageServices, pages: Pages) {
    this.#services = services;
    this.#pages = pages;
  }

  /** Called when the view is first shown, and again after it has been moved. */
  resolveWebviewView(view: WebviewView): void {
    const page = new PageHost({ kind: "view", webview: view.webview, show: () => view.show() }, this.#services);
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
