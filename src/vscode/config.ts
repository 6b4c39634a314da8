/** The user's settings, watched: whatever changes takes effect at once. */
import { ConfigurationTarget, type Disposable, EventEmitter, workspace } from "vscode";
import type { EngineConfig } from "../engine/engineMessages.js";
import { SECTION, type Setting } from "./ids.js";
import { Disposables } from "./lifecycle.js";
import { liveHintsAreOn } from "./liveHintsPlace.js";
import type { Roots } from "./roots.js";
import { type HostSettings, settingsFrom } from "./settings.js";

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
    // In a folder that was not trusted its settings may not name other logs.
    this.#parts.add(workspace.onDidGrantWorkspaceTrust(reread));
    this.#parts.add(workspace.onDidChangeWorkspaceFolders(reread));
    this.#parts.add(roots.onDidChange(reread));
  }

  /** Something outside the settings has changed that the engine is told of. */
  refresh(): void {
    this.#changed.fire({ now: this.#settings, before: this.#settings });
  }

  get settings(): HostSettings {
    return this.#settings;
  }

  get forEngine(): EngineConfig {
    return {
      place: "vscode",
      roots: this.#roots.current(),
      sample: this.#roots.sample,
      workspace: (workspace.workspaceFolders ?? [])
        .filter(({ uri }) => uri.scheme === "file")
        .map(({ uri }) => uri.fsPath),
      settings: this.#settings.engine,
      looks: this.#settings.looks,
      axis: this.#settings.axis,
      useCache: true,
      liveHints: liveHintsAreOn(),
    };
  }

  /** Writes into the workspace's settings where they set it already, else into the user's. */
  async write(setting: Setting, value: unknown): Promise<void> {
    const section = workspace.getConfiguration(SECTION);
    const set = section.inspect(setting);
    // All of ours are settings of the window: a folder of a workspace cannot set them.
    const target = set?.workspaceValue === undefined ? ConfigurationTarget.Global : ConfigurationTarget.Workspace;
    await section.update(setting, value, target);
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
