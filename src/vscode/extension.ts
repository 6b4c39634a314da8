/**
 * The extension's beginning and end. Nothing is read here: the engine's thread starts when a page, a command or the
 * status bar first needs it.
 */
import { type ExtensionContext, ExtensionMode, l10n, Uri, window } from "vscode";
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
import { createLog } from "./log.js";
import type { PageWorld } from "./pageHost.js";
import { Pages } from "./pages.js";
import type { CallPlace, Looked } from "./place.js";
import { type Probe, probe } from "./probe.js";
import { Roots } from "./roots.js";
import { Sample } from "./sample.js";
import { SelectedCall } from "./selection.js";
import { StatusBar } from "./statusBar.js";
import { texts as hostTexts } from "./strings.js";
import { Texts } from "./transcript/index.js";

export function activate(context: ExtensionContext): Probe | undefined {
  const startedAt = performance.now();
  // Without a bundle the language is English, or one that nobody has translated to.
  if (l10n.bundle !== undefined) translate({ strings, hostTexts }, text => l10n.t(text));
  const parts = new Disposables();
  context.subscriptions.push(parts);
  const log = parts.add(createLog());
  const roots = parts.add(new Roots());
  const sample = new Sample(context);
  if (remembersSample(context, sample)) roots.addSample(sample.path);
  const config = parts.add(new Configuration(roots));
  const engine = parts.add(new EngineHost(log, config, roots));
  const pages = new Pages();
  const selection = new SelectedCall();
  const pointed = (place: CallPlace) => {
    selection.set(place);
    pages.reveal(place);
  };
  const texts = parts.add(new Texts(engine, log, pointed));
  const actions = new Actions({ context, log, engine, config, roots, pages, texts, sample });
  const world: PageWorld = {
    engine,
    log,
    dist: Uri.joinPath(context.extensionUri, "dist"),
    memory: context.workspaceState,
    followsLive: () => config.settings.followLive,
    errand: (page, errand) => actions.errand(page, errand),
    selected: place => selection.set(place),
  };
  parts.add(
    config.onDidChange(({ now: { followLive }, before }) => {
      if (followLive !== before.followLive) for (const page of pages.all) page.follow(followLive);
    }),
  );
  const icon = (name: string) => Uri.joinPath(context.extensionUri, "media", name);
  const panels = new EditorPanels(world, pages, { light: icon("dedup-light.svg"), dark: icon("dedup-dark.svg") });
  parts.add(window.registerWebviewViewProvider(VIEW, new DedupView(world, pages)));
  parts.add(window.registerWebviewPanelSerializer(EDITOR, panels));
  const liveHints = parts.add(new LiveHints(context, config, log));
  parts.add(registerCommands({ actions, pages, panels, liveHints, selection, texts, log }));
  const statusBar = parts.add(new StatusBar(engine, config, roots));
  const activationMs = performance.now() - startedAt;
  log.info(`activated in ${activationMs.toFixed(1)} ms`);
  if (context.extensionMode !== ExtensionMode.Test) return undefined;
  return probe({ activationMs, actions, engine, log, pages, selection, statusBar });
}

/** A page that looked at the sample finds it again after a reload. */
function remembersSample({ workspaceState }: ExtensionContext, sample: Sample): boolean {
  const remembered = Object.values(MEMORY).map(key => workspaceState.get<Looked>(key));
  return remembered.some(looked => looked?.session === sample.path) && sample.exists;
}
