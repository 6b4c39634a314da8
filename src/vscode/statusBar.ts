/** How full the live session's context is and how much repeats, in the status bar; hidden if there is nothing. */
import { type Disposable, MarkdownString, StatusBarAlignment, type StatusBarItem, window } from "vscode";
import type { LiveStatus } from "../engine/engineMessages.js";
import { statusTexts } from "../words/statusTexts.js";
import { strings } from "../words/strings.js";
import { visible, withoutLinks } from "../words/text.js";
import type { Configuration } from "./config.js";
import type { EngineHost } from "./engineHost.js";
import { COMMANDS, STATUS_ITEM } from "./ids.js";
import { Disposables } from "./lifecycle.js";
import type { Roots } from "./roots.js";
import { texts } from "./vscodeStrings.js";

/** A window that has just opened has other things to do. */
const START_AFTER_MS = 1500;
const MAX_TITLE = 200;

export class StatusBar implements Disposable {
  readonly #parts = new Disposables();
  readonly #engine: EngineHost;
  readonly #config: Configuration;
  readonly #roots: Roots;
  readonly #item: StatusBarItem;
  #status: LiveStatus = null;
  #isShown = false;
  #watched: { readonly session: string; readonly end: Disposable } | undefined;

  constructor(engine: EngineHost, config: Configuration, roots: Roots) {
    this.#engine = engine;
    this.#config = config;
    this.#roots = roots;
    this.#item = this.#parts.add(window.createStatusBarItem(STATUS_ITEM, StatusBarAlignment.Right, 90));
    this.#item.name = texts.status.name;
    this.#item.command = COMMANDS.openPanel;
    this.#parts.add(engine.onDidChangeLive(status => this.#take(status)));
    this.#parts.add(
      config.onDidChange(() => {
        this.#startEngine();
        this.#show();
      }),
    );
    const start = setTimeout(() => this.#startEngine(), START_AFTER_MS);
    this.#parts.add({ dispose: () => clearTimeout(start) });
    this.#parts.add({ dispose: () => this.#lookAt(undefined) });
  }

  /** For tests: what the item says; undefined while it is hidden. */
  get text(): string | undefined {
    return this.#isShown ? this.#item.text : undefined;
  }

  /** The figure needs the engine, which is not started if there is no folder with logs or the status bar item is off. */
  #startEngine(): void {
    if (this.#engine.isRunning || !this.#config.settings.statusBar) return;
    if (this.#roots.exist) this.#engine.start();
    else this.#roots.awaitMissing();
  }

  #take(status: LiveStatus): void {
    this.#status = status;
    this.#lookAt(this.#config.settings.statusBar ? status?.session : undefined);
    this.#show();
  }

  /** The engine only updates figures of sessions that are watched; other figures are from the last scan. */
  #lookAt(session: string | undefined): void {
    if (session === this.#watched?.session) return;
    this.#watched?.end.dispose();
    this.#watched = session === undefined ? undefined : { session, end: this.#engine.watch(session, () => undefined) };
  }

  #show(): void {
    const status = this.#config.settings.statusBar ? this.#status : null;
    const said = status && statusTexts(status, Date.now());
    this.#isShown = said !== null && said.text !== "";
    if (status === null || said === null || !this.#isShown) return this.#item.hide();
    this.#item.text = `$(layers) ${said.text}`;
    this.#item.tooltip = this.#tooltip(said.lines, status.title);
    this.#item.accessibilityInformation = { label: said.lines.join(". "), role: "button" };
    this.#item.show();
  }

  #tooltip(lines: readonly string[], title: string): MarkdownString {
    const tooltip = new MarkdownString();
    tooltip.isTrusted = { enabledCommands: [COMMANDS.turnLiveHintsOn] };
    // As plain text: a title comes from a log, and must not be rendered as Markdown.
    tooltip.appendText(visible(title, MAX_TITLE));
    // An address in it would still become a link.
    tooltip.value = withoutLinks(tooltip.value);
    for (const line of lines) tooltip.appendMarkdown("\n\n").appendText(line);
    if (this.#config.forEngine.liveHints === "off") {
      tooltip.appendMarkdown(`\n\n[${strings.bar.turnLiveHintsOn}](command:${COMMANDS.turnLiveHintsOn})`);
    }
    return tooltip;
  }

  dispose(): void {
    this.#parts.dispose();
  }
}
