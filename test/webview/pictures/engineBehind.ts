/** The page with the real engine behind it, as in VS Code or in a browser. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../../../src/dedup/settings.js";
import type { EngineClient } from "../../../src/engine/engineClient.js";
import type { ToHost, ToPage } from "../../../src/protocol/messages.js";
import { isForHost } from "../../../src/protocol/validate.js";
import { DEFAULT_FIGURES } from "../../../src/settings/table.js";
import { clientIn } from "../../support/engineCode.js";
import { TestPage } from "../page.js";
import type { ThemeName } from "../themes.js";

export class EngineBehind {
  readonly root = mkdtempSync(join(tmpdir(), "dedup-pictured-"));
  readonly #client: EngineClient;
  readonly #pages = new Map<number, TestPage>();
  /** In order, each after the previous one has arrived. */
  #posted: Promise<unknown> = Promise.resolve();
  #last = 0;

  /** `code`: the folder with the built engine. */
  constructor(code: string) {
    this.#client = clientIn(code, {
      page: (panel, message) => this.#post(panel, message),
      live: () => {},
      notice: () => {},
    });
  }

  /** Reads what is in `root` now. */
  start(place: "vscode" | "browser"): void {
    this.#client.configure({
      place,
      roots: [this.root],
      workspace: [],
      settings: DEFAULT_SETTINGS,
      figures: DEFAULT_FIGURES,
      axis: "order",
      useCache: false,
      ...(place === "vscode" && { liveHints: "off" as const }),
    });
  }

  async open(theme: ThemeName, width: number, height: number): Promise<TestPage> {
    const panel = ++this.#last;
    const waiting: ToHost[] = [];
    let take: (message: ToHost) => void = message => waiting.push(message);
    const page = await TestPage.open({ theme, width, height, toEngine: message => take(message) });
    this.#pages.set(panel, page);
    take = message => this.#fromPage(panel, message);
    for (const message of waiting) take(message);
    return page;
  }

  async close(page: TestPage): Promise<void> {
    for (const [panel, one] of this.#pages) {
      if (one !== page) continue;
      this.#pages.delete(panel);
      this.#client.closed(panel);
    }
    await page.close();
  }

  async stop(): Promise<void> {
    await this.#client.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  #fromPage(panel: number, message: ToHost): void {
    if (message.type === "selected") return;
    if (message.type !== "request") return this.#client.fromPage(panel, message);
    // What only a host can do does not change the page.
    const { id, ask } = message;
    if (!isForHost(ask)) this.#client.fromPage(panel, { type: "request", id, ask });
  }

  #post(panel: number, message: ToPage): void {
    const page = this.#pages.get(panel)?.page;
    if (page === undefined) return;
    const script =
      message.type === "snapshot" ? `host.postEncoded(${encoded(message)})` : `host.post(${JSON.stringify(message)})`;
    // A page that has been closed in the meantime needs nothing.
    this.#posted = this.#posted.then(() => page.evaluate(script)).catch(() => {});
  }
}

function encoded(message: Extract<ToPage, { type: "snapshot" }>): string {
  const context = message.state.context?.map(bytes => Buffer.from(bytes).toString("base64")) ?? null;
  return JSON.stringify({ ...message, state: { ...message.state, context } });
}
