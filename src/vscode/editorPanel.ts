/** The same page as an editor tab, at most one. VS Code restores it after a reload. */
import { type Uri, ViewColumn, type WebviewPanel, type WebviewPanelSerializer, window } from "vscode";
import { EDITOR, MEMORY, VIEW } from "./ids.js";
import { PageHost, type PageServices } from "./pageHost.js";
import type { Pages } from "./pages.js";
import { texts } from "./vscodeStrings.js";

interface OpenPanel {
  readonly panel: WebviewPanel;
  readonly page: PageHost;
}

export class EditorPanels implements WebviewPanelSerializer {
  readonly #services: PageServices;
  readonly #pages: Pages;
  readonly #icon: { light: Uri; dark: Uri };
  #open: OpenPanel | undefined;

  constructor(services: PageServices, pages: Pages, icon: { light: Uri; dark: Uri }) {
    this.#services = services;
    this.#pages = pages;
    this.#icon = icon;
  }

  /** Shows what the view in the panel shows. */
  show(): void {
    if (this.#open !== undefined) this.#open.panel.reveal();
    const { page } = this.#open ?? this.#fill(window.createWebviewPanel(EDITOR, texts.editorTitle, ViewColumn.Active));
    const { looksAt, following } = this.#pages.ofType(VIEW) ?? {};
    if (looksAt !== undefined) page.select(looksAt.session, looksAt.context, following);
  }

  /** The page keeps its own state. */
  async deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    this.#fill(panel);
  }

  #fill(panel: WebviewPanel): OpenPanel {
    panel.iconPath = this.#icon;
    const page = new PageHost("editor", panel.webview, this.#services, MEMORY.editor);
    const open = { panel, page };
    this.#open = open;
    const registration = this.#pages.add(page);
    const state = panel.onDidChangeViewState(() => {
      if (panel.active) this.#pages.use(page);
      if (!panel.visible) page.hidden();
    });
    panel.onDidDispose(() => {
      if (this.#open === open) this.#open = undefined;
      state.dispose();
      registration.dispose();
      page.dispose();
    });
    return open;
  }
}
