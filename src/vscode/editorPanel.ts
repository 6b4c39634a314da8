/** The same page as an editor tab, at most one. VS Code restores it after a reload. */
import { type Uri, ViewColumn, type WebviewPanel, type WebviewPanelSerializer, window } from "vscode";
import { EDITOR, VIEW } from "./ids.js";
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
    const { shownContext, following } = this.#pages.ofType(VIEW) ?? {};
    if (shownContext !== undefined) page.select(shownContext.session, shownContext.context, following);
  }

  /** The page keeps its own state. A tab is restored when it is first shown: by then, another may have been opened. */
  async deserializeWebviewPanel(panel: WebviewPanel): Promise<void> {
    if (this.#open === undefined) return void this.#fill(panel);
    panel.dispose();
    this.#open.panel.reveal();
  }

  #fill(panel: WebviewPanel): OpenPanel {
    panel.iconPath = this.#icon;
    const page = new PageHost({ kind: "editor", webview: panel.webview, show: () => panel.reveal() }, this.#services);
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
