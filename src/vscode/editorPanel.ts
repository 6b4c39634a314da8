/** The same page as an editor tab, at most one. VS Code restores it after a reload. */
import { type Uri, ViewColumn, type WebviewPanel, type WebviewPanelSerializer, window } from "vscode";
import { EDITOR, MEMORY } from "./ids.js";
import { PageHost, type PageServices } from "./pageHost.js";
import type { Pages } from "./pages.js";
import { texts } from "./strings.js";

export class EditorPanels implements WebviewPanelSerializer {
  readonly #services: PageServices;
  readonly #pages: Pages;
  readonly #icon: { light: Uri; dark: Uri };
  #open: WebviewPanel | undefined;

  constructor(services: PageServices, pages: Pages, icon: { light: Uri; dark: Uri }) {
    this.#services = services;
    this.#pages = pages;
    this.#icon = icon;
  }

  show(): void {
    if (this.#open !== undefined) return this.#open.reveal();
    this.#fill(window.createWebviewPanel(EDITOR, texts.editorTitle, ViewColumn.Active));
  }

  /** The page keeps its own state. */
  async deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    this.#fill(panel);
  }

  #fill(panel: WebviewPanel): void {
    this.#open = panel;
    panel.iconPath = this.#icon;
    const page = new PageHost("editor", panel.webview, this.#services, MEMORY.editor);
    const registration = this.#pages.add(page);
    const state = panel.onDidChangeViewState(() => {
      if (panel.active) this.#pages.use(page);
      if (!panel.visible) page.hidden();
    });
    panel.onDidDispose(() => {
      if (this.#open === panel) this.#open = undefined;
      state.dispose();
      registration.dispose();
      page.dispose();
    });
  }
}
