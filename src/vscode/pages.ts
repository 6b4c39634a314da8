/** The open pages: the view in the panel and the editor tab. Commands apply to the one that was used last. */
import { commands, type Disposable } from "vscode";
import { EDITOR, VIEW } from "./ids.js";
import type { PageHost } from "./pageHost.js";
import { type CallRef, sameContext } from "./selectedCall.js";

export class Pages {
  /** Most recently used last. */
  readonly #pages: PageHost[] = [];
  #waiting: ((page: PageHost) => void) | undefined;

  get all(): readonly PageHost[] {
    return this.#pages;
  }

  get active(): PageHost | undefined {
    return this.#pages.at(-1);
  }

  /** The page of a view type. */
  ofType(viewType: string): PageHost | undefined {
    const kind = { [VIEW]: "view", [EDITOR]: "editor" }[viewType];
    return this.#pages.find(page => page.kind === kind);
  }

  /** Adds a page until the returned object is disposed. */
  add(page: PageHost): Disposable {
    this.#pages.push(page);
    const use = page.onDidUse(() => this.use(page));
    this.#waiting?.(page);
    this.#waiting = undefined;
    return {
      dispose: () => {
        use.dispose();
        this.#remove(page);
      },
    };
  }

  use(page: PageHost): void {
    if (this.active === page || !this.#remove(page)) return;
    this.#pages.push(page);
  }

  /** Acts on the active page and shows it; if there is none, opens the panel first. */
  async withPage(act: (page: PageHost) => void): Promise<void> {
    const { active } = this;
    if (active !== undefined) {
      act(active);
      return active.show();
    }
    this.#waiting = act;
    await this.openPanel();
  }

  async openPanel(): Promise<void> {
    await commands.executeCommand(`${VIEW}.focus`);
  }

  /** Selects the call in every page that shows its context, except the one that asked. */
  reveal(call: CallRef, except?: PageHost): void {
    for (const page of this.#pages) if (page !== except && sameContext(page.shownContext, call)) page.reveal(call.row);
  }

  #remove(page: PageHost): boolean {
    const at = this.#pages.indexOf(page);
    if (at >= 0) this.#pages.splice(at, 1);
    return at >= 0;
  }
}
