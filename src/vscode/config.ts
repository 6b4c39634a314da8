/** The user's settings, watched: changes take effect immediately. */
import { join, resolve } from "node:path";
import { ConfigurationTarget, type Disposable, EventEmitter, workspace } from "vscode";
import type { DedupSettings } from "../dedup/settings.js";
import type { EngineConfig } from "../engine/engineMessages.js";
import { homeFolder, withRealPaths } from "../files/folders.js";
import { liveHintsPlaces, liveHintsState } from "../hook/install/places.js";
import { fromConfiguration } from "../settings/kinds.js";
import { FIGURES, type FigureSettings, REPLAY, WINDOW, type WindowSettings } from "../settings/table.js";
import { SECTION } from "./ids.js";
import { Disposables } from "./lifecycle.js";
import type { Roots } from "./roots.js";
import { texts } from "./vscodeStrings.js";

/** The paths in `logRoots` are absolute; if empty, Claude Code's own folders are used. */
export interface HostSettings extends WindowSettings {
  readonly replay: DedupSettings;
  readonly figures: FigureSettings;
}

/** `read` returns the value of `dedup.KEY`. */
export function settingsFrom(read: (key: string) => unknown): HostSettings {
  const get = (key: string) => plainCopy(read(key));
  const window = fromConfiguration(WINDOW, get, texts.priceSource);
  return {
    ...window,
    logRoots: window.logRoots.map(absolute),
    replay: fromConfiguration(REPLAY, get, texts.priceSource),
    figures: fromConfiguration(FIGURES, get, texts.priceSource),
  };
}

/** VS Code returns objects as proxies, which cannot be sent to the engine's thread. */
function plainCopy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** `~` is the home folder, and other relative paths start there too: settings are not tied to a folder. */
function absolute(path: string): string {
  const trimmed = path.trim();
  const home = homeFolder();
  return resolve(home, /^~(?=$|[\\/])/.test(trimmed) ? join(home, trimmed.slice(1)) : trimmed);
}

export interface SettingsChange {
  readonly now: HostSettings;
  readonly before: HostSettings;
}

export class Configuration implements Disposable {
  readonly #parts = new Disposables();
  readonly #changed = this.#parts.add(new EventEmitter<SettingsChange>());
  readonly onDidChange = this.#changed.event;
  readonly #roots: Roots;
  #settings: HostSettings;

  constructor(roots: Roots) {
    this.#roots = roots;
    this.#settings = this.#read();
    const reread = () => {
      const before = this.#settings;
      this.#settings = this.#read();
      this.#changed.fire({ now: this.#settings, before });
    };
    this.#parts.add(
      workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(SECTION)) reread();
      }),
    );
    // An untrusted folder's settings must not point to other logs.
    this.#parts.add(workspace.onDidGrantWorkspaceTrust(reread));
    this.#parts.add(workspace.onDidChangeWorkspaceFolders(reread));
    this.#parts.add(roots.onDidChange(reread));
  }

  /** For changes outside the settings that affect the engine's configuration. */
  refresh(): void {
    this.#changed.fire({ now: this.#settings, before: this.#settings });
  }

  get settings(): HostSettings {
    return this.#settings;
  }

  /** The user's own: live hints are the same in every project, and a workspace must not change them for others. */
  get forLiveHints(): DedupSettings {
    const section = workspace.getConfiguration(SECTION);
    return fromConfiguration(REPLAY, key => section.inspect(key)?.globalValue, texts.priceSource);
  }

  get forEngine(): EngineConfig {
    return {
      place: "vscode",
      roots: this.#roots.current(),
      sample: this.#roots.sample,
      // Claude Code logs where it really is.
      workspace: withRealPaths(openProjects()),
      settings: this.#settings.replay,
      figures: this.#settings.figures,
      axis: this.#settings.axis,
      useCache: true,
      liveHints: liveHintsState(liveHintsPlaces(...openProjects())),
    };
  }

  /** Writes to the workspace's settings if they already set it, otherwise to the user's. */
  async write({ key }: { readonly key: string }, value: unknown): Promise<void> {
    const section = workspace.getConfiguration(SECTION);
    // Our settings have the scope "window": a workspace folder cannot set them.
    const isInWorkspace = section.inspect(key)?.workspaceValue !== undefined;
    await section.update(key, value, isInWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global);
  }

  #read(): HostSettings {
    const section = workspace.getConfiguration(SECTION);
    const settings = settingsFrom(name => section.get(name));
    this.#roots.name(settings.logRoots);
    return settings;
  }

  dispose(): void {
    this.#parts.dispose();
  }
}

/** The folders of the window, each with settings files of its own. */
export function openProjects(): string[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}
