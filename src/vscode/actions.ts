/** Everything that can be asked for, from the command palette or from a page. What cannot be done throws one line. */
import { commands, type ExtensionContext, type LogOutputChannel, Uri } from "vscode";
import type { Errand } from "../engine/engineMessages.js";
import type { SpanStrategy } from "../inspect/strategies.js";
import type { SessionItem } from "../protocol/messages.js";
import { ownSessions } from "../protocol/sessions.js";
import { REPLAY, WINDOW } from "../settings/table.js";
import { fill } from "../words/text.js";
import type { Configuration } from "./config.js";
import type { EngineHost } from "./engineHost.js";
import { exportReport, type ReportJob } from "./exportReport.js";
import { COMMANDS } from "./ids.js";
import type { PageHost } from "./pageHost.js";
import type { Pages } from "./pages.js";
import type { CallPlace, Looked } from "./place.js";
import type { Roots } from "./roots.js";
import type { Sample } from "./sample.js";
import { pickSession } from "./sessions.js";
import { texts } from "./strings.js";
import type { Texts } from "./transcript/index.js";

export interface ActionParts {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly engine: EngineHost;
  readonly config: Configuration;
  readonly roots: Roots;
  readonly pages: Pages;
  readonly texts: Texts;
  readonly sample: Sample;
}

export class Actions {
  readonly #parts: ActionParts;

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  /** What a page asked for. The page shows what went wrong by itself. */
  async errand(page: PageHost, { ask, session, context }: Errand): Promise<unknown> {
    const { config } = this.#parts;
    const at = (row: number): CallPlace => ({ session, context, row });
    switch (ask.method) {
      case "openCall":
        return this.openCall(at(ask.row), page);
      case "compare":
        return this.compare(at(ask.row), ask.strategy);
      case "openLogLine":
        return this.openLogLine(at(ask.row), true);
      case "setCapacity":
        return config.write(REPLAY.capacity, ask.capacity);
      case "setAxis":
        return config.write(WINDOW.axis, ask.axis);
      case "openSettings":
        return this.openSettings();
      case "openSample":
        return this.openSample();
      // These ask the user, who may take any time, while a page's patience is short: it does not wait for them, and the
      // command says itself what went wrong.
      case "turnLiveHints":
        return void commands.executeCommand(ask.on ? COMMANDS.turnLiveHintsOn : COMMANDS.turnLiveHintsOff);
      case "exportReport":
        return void commands.executeCommand(COMMANDS.exportReport);
      default:
        throw new Error(texts.couldNot.generally);
    }
  }

  /** From a page the keyboard stays in the page: going through hits one by one is common. */
  async openCall(place: CallPlace, from?: PageHost): Promise<void> {
    const options = { preserveFocus: from !== undefined, beside: from?.kind === "editor" };
    await this.#parts.texts.calls.show(place, options);
    this.#parts.pages.reveal(place, from);
  }

  /** Selects the referenced call in the pages and shows it in the transcript. */
  async goToReference(place: CallPlace): Promise<void> {
    const row = await this.#parts.texts.referenceOf(place);
    if (row === undefined) throw new Error(texts.noReference);
    await this.openCall({ ...place, row });
  }

  /** With a strategy: beside what the model would be given. */
  async compare(place: CallPlace, strategy?: SpanStrategy): Promise<void> {
    await this.#parts.texts.comparison.show(place, strategy);
  }

  async openLogLine(place: CallPlace, preserveFocus = false): Promise<void> {
    await this.#parts.texts.logLines.show(place, preserveFocus);
  }

  /** The transcript of what the page in use looks at, or of the newest session. */
  async showTranscript(selected: CallPlace | undefined): Promise<void> {
    const looked = this.#parts.pages.active?.looksAt ?? (await this.#newest());
    const isSelected = selected?.session === looked.session && selected.context === looked.context;
    await this.openCall(isSelected ? selected : { ...looked, row: 0 });
  }

  async selectSession(): Promise<void> {
    const { engine, pages } = this.#parts;
    const sessions = engine.ask({ name: "sessions" }) as Promise<readonly SessionItem[]>;
    const key = await pickSession(sessions, pages.active?.looksAt?.session);
    if (key !== undefined) await pages.withPage(page => page.select(key));
  }

  async followLive(): Promise<void> {
    await this.#parts.pages.withPage(page => page.follow(true));
  }

  async openSample(): Promise<void> {
    const { sample, roots, pages } = this.#parts;
    const path = await sample.copy();
    roots.addSample(path);
    await pages.withPage(page => page.select(path));
  }

  async exportReport(): Promise<void> {
    await exportReport(this.reportJob, this.#parts.log);
  }

  get reportJob(): ReportJob {
    const { context, config, roots } = this.#parts;
    return {
      program: Uri.joinPath(context.extensionUri, "dist", "cli.js").fsPath,
      scratch: context.globalStorageUri.fsPath,
      roots: roots.own,
      settings: config.settings.replay,
      figures: config.settings.figures,
    };
  }

  async openSettings(): Promise<void> {
    await commands.executeCommand("workbench.action.openSettings", `@ext:${this.#parts.context.extension.id}`);
  }

  async #newest(): Promise<Looked> {
    const { engine, roots } = this.#parts;
    const [newest] = ownSessions((await engine.ask({ name: "sessions" })) as readonly SessionItem[]);
    if (newest !== undefined) return { session: newest.key, context: "main" };
    const looked = roots.current().join(", ");
    const where = looked === "" ? texts.nowhere : fill(texts.lookedIn, { roots: looked });
    throw new Error(fill(texts.noSession, { where }));
  }
}
