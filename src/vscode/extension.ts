/**
 * Activates the extension. Nothing is read here: the engine's thread is started when a page, a command or the status bar
 * first needs it.
 */

import { type ExtensionContext, ExtensionMode, l10n, Uri, window } from "vscode";
import { version } from "../files/version.js";
import type { ContextRef } from "../protocol/requests.js";
import { strings } from "../words/strings.js";
import { translate } from "../words/translate.js";
import { Actions } from "./actions.js";
import { registerCommands } from "./commands.js";
import { Configuration } from "./config.js";
import { DedupView } from "./dedupView.js";
import { EditorPanels } from "./editorPanel.js";
import { EngineHost } from "./engineHost.js";
import { EDITOR, MEMORY, VIEW } from "./ids.js";
import { Disposables } from "./lifecycle.js";
import { LiveHints } from "./liveHints.js";
import type { PageServices } from "./pageHost.js";
import { Pages } from "./pages.js";
import { type Probe, probe } from "./probe.js";
import { Roots } from "./roots.js";
import { Sample } from "./sample.js";
import { SelectedCall } from "./selectedCall.js";
import { StatusBar } from "./statusBar.js";
import { Texts } from "./transcript/textDocuments.js";
import { texts as hostTexts } from "./vscodeStrings.js";

export function activate(context: ExtensionContext): Probe | undefined {
  const startedAt = performance.now();
  // Without a bundle the language is English, or one without a translation.
  if (l10n.bundle !== undefined) translate({ strings, hostTexts }, text => l10n.t(text));
  const parts = new Disposables();
  context.subscriptions.push(parts);
  const log = parts.add(window.createOutputChannel(hostTexts.name, { log: true }));
  const roots = parts.add(new Roots());
  const sample = new Sample(context);
  if (remembersSample(context, sample)) roots.addSample(sample.path);
  const config = parts.add(new Configuration(roots));
  const engine = parts.add(new EngineHost(log, config, roots));
  const pages = new Pages();
  const selection = new SelectedCall();
  const documents = parts.add(
    new Texts(engine, log, call => {
      selection.set(call);
      pages.reveal(call);
    }),
  );
  const actions = new Actions({ context, log, engine, config, roots, pages, selection, texts: documents, sample });
  const services: PageServices = {
    engine,
    log,
    dist: Uri.joinPath(context.extensionUri, "dist"),
    memory: context.workspaceState,
    followsLive: () => config.settings.followLive,
    perform: (page, ask) => actions.perform(page, ask),
    selection,
  };
  parts.add(
    config.onDidChange(({ now: { followLive }, before }) => {
      if (followLive !== before.followLive) for (const page of pages.all) page.follow(followLive);
    }),
  );
  const icon = (name: string) => Uri.joinPath(context.extensionUri, "media", name);
  const panels = new EditorPanels(services, pages, { light: icon("dedup-light.svg"), dark: icon("dedup-dark.svg") });
  parts.add(window.registerWebviewViewProvider(VIEW, new DedupView(services, pages)));
  parts.add(window.registerWebviewPanelSerializer(EDITOR, panels));
  const liveHints = parts.add(new LiveHints(context, config, engine, log));
  parts.add(registerCommands({ actions, pages, panels, liveHints, selection, texts: documents, log }));
  const statusBar = parts.add(new StatusBar(engine, config, roots));
  const activationMs = performance.now() - startedAt;
  log.info(`Dedup Inspector ${version} is ready (${activationMs.toFixed(1)} ms)`);
  if (context.extensionMode !== ExtensionMode.Test) return undefined;
  return probe({ activationMs, actions, engine, log, pages, selection, statusBar });
}

/** A page that showed the sample shows it again after a reload. */
function remembersSample({ workspaceState }: ExtensionContext, sample: Sample): boolean {
  const remembered = Object.values(MEMORY).map(key => workspaceState.get<ContextRef>(key));
  return remembered.some(shown => shown?.session === sample.path) && sample.exists;
}
