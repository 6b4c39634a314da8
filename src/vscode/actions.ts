/** Everything that the command palette and the pages can start. Failures throw an Error with one clear line. */
import { commands, type ExtensionContext, type LogOutputChannel, Uri } from "vscode";
import { followedSessions } from "../inspect/sessionList.js";
import type { RunStrategy } from "../inspect/strategies.js";
import { handle } from "../protocol/channel.js";
import type { Ask, ContextRef, Handlers, HostRequests } from "../protocol/requests.js";
import { REPLAY, WINDOW } from "../settings/table.js";
import { strings } from "../words/strings.js";
import { fill } from "../words/text.js";
import type { Configuration } from "./config.js";
import type { EngineHost } from "./engineHost.js";
import { exportReport, type ReportJob } from "./exportReport.js";
import { COMMANDS } from "./ids.js";
import type { PageHost } from "./pageHost.js";
import type { Pages } from "./pages.js";
import { pickSession } from "./pickSession.js";
import type { Roots } from "./roots.js";
import type { Sample } from "./sample.js";
import type { CallRef, SelectedCall } from "./selectedCall.js";
import type { Texts } from "./transcript/textDocuments.js";
import { texts } from "./vscodeStrings.js";

export interface ActionParts {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly engine: EngineHost;
  readonly config: Configuration;
  readonly roots: Roots;
  readonly pages: Pages;
  readonly selection: SelectedCall;
  readonly texts: Texts;
  readonly sample: Sample;
}

export class Actions {
  readonly #parts: ActionParts;
  readonly #handlers: Handlers<HostRequests, [page: PageHost]> = {
    openCall: ({ row }, page) => this.openCall(callIn(page, row), page),
    openComparison: ({ row, strategy }, page) => this.compare(callIn(page, row), strategy),
    openLogLine: ({ row }, page) => this.openLogLine(callIn(page, row), true),
    setCapacity: ({ capacity }) => this.#parts.config.write(REPLAY.capacity, capacity),
    setAxis: ({ axis }) => this.#parts.config.write(WINDOW.axis, axis),
    openSettings: () => this.openSettings(),
    openSample: () => this.openSample(),
    // Not awaited: the user may take longer than the page's timeout. The command itself reports failures.
    turnLiveHints: ({ on }) => void commands.executeCommand(on ? COMMANDS.turnLiveHintsOn : COMMANDS.turnLiveHintsOff),
    offerLiveHints: notInVsCode,
    acceptLiveHints: notInVsCode,
    exportReport: () => void commands.executeCommand(COMMANDS.exportReport),
  };

  constructor(parts: ActionParts) {
    this.#parts = parts;
  }

  /** Performs a page's request. The page itself shows what went wrong. */
  perform(page: PageHost, ask: Ask<HostRequests>): Promise<unknown> {
    return handle(this.#handlers, ask, page);
  }

  /** Called from a page, leaves the focus there: users often go through hits one by one. */
  async openCall(call: CallRef, from?: PageHost): Promise<void> {
    const options = { preserveFocus: from !== undefined, beside: from?.kind === "editor" };
    this.#parts.selection.set(call);
    await this.#parts.texts.calls.show(call, options);
    this.#parts.pages.reveal(call, from);
  }

  /** Selects the referenced call in the pages and shows it in the transcript. */
  async goToReference(call: CallRef): Promise<void> {
    const row = await this.#parts.texts.referenceOf(call);
    if (row === undefined) throw new Error(texts.noReference);
    await this.openCall({ ...call, row });
  }

  /** With a strategy, compares a result with what the model would get. */
  async compare(call: CallRef, strategy?: RunStrategy): Promise<void> {
    await this.#parts.texts.comparison.show(call, strategy);
  }

  async openLogLine(call: CallRef, preserveFocus = false): Promise<void> {
    await this.#parts.texts.logLines.show(call, preserveFocus);
  }

  /** The transcript of what the active page shows, or of the newest session. */
  async showTranscript(selected: CallRef | undefined): Promise<void> {
    const shown = this.#parts.pages.active?.shownContext ?? (await this.#newest());
    const isSelected = selected?.session === shown.session && selected.context === shown.context;
    await this.openCall(isSelected ? selected : { ...shown, row: 0 });
  }

  async selectSession(): Promise<void> {
    const { engine, pages } = this.#parts;
    const sessions = engine.ask({ method: "sessions" }).then(all => {
      // It closes the list.
      if (all.length === 0) throw this.#noSession();
      return all;
    });
    const key = await pickSession(sessions, pages.active?.shownContext?.session);
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

  async #newest(): Promise<ContextRef> {
    const [newest] = followedSessions(await this.#parts.engine.ask({ method: "sessions" }));
    if (newest === undefined) throw this.#noSession();
    return { session: newest.key, context: "main" };
  }

  #noSession(): Error {
    const searched = this.#parts.roots.current().join(", ");
    const where = searched === "" ? texts.nowhere : fill(texts.noLogsIn, { roots: searched });
    return new Error(fill(texts.noSession, { where }));
  }
}

/** A call of the context that a page shows. */
function callIn({ shownContext }: PageHost, row: number): CallRef {
  if (shownContext === undefined) throw new Error(strings.failures.noSelection);
  return { ...shownContext, row };
}

/** VS Code shows its own dialogs: turnLiveHints. */
function notInVsCode(): never {
  throw new Error(texts.problems.notInVsCode);
}
