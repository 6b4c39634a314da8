/** Where to look for logs: the paths in the settings, or Claude Code's own folders, and the sample session. */
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Disposable, EventEmitter } from "vscode";
import { claudeLogFolders, isFolder } from "../files/folders.js";
import { defaultRoots } from "../tail/discover.js";

/** Claude Code creates a folder when it first runs with it; looking for the missing ones costs a few stats. */
const LOOK_AGAIN_MS = 3000;

export class Roots implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #named: readonly string[] = [];
  #sample: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** The paths in the settings; empty for Claude Code's own folders. */
  name(paths: readonly string[]): void {
    this.#named = paths;
  }

  addSample(path: string): void {
    if (this.#sample === path) return;
    this.#sample = path;
    this.#changed.fire();
  }

  /** Whether there is any folder to look in. */
  get exist(): boolean {
    return this.#named.some(path => existsSync(path)) || this.#own().length > 0;
  }

  get sample(): string | undefined {
    return this.#sample;
  }

  /** Without the sample, which stands in for the user's own logs if there is no folder to look in. */
  get own(): string[] {
    const sample = this.#sampleFolder;
    if (sample === undefined || this.exist) return this.current().filter(root => root !== sample);
    return [sample];
  }

  /** Includes a folder that does not exist yet: the page says where it looked. */
  current(): string[] {
    const own = this.#own();
    const roots = this.#named.length > 0 ? this.#named : own.length > 0 ? own : expectedRoots();
    const sample = this.#sampleFolder;
    return sample === undefined ? [...roots] : [...roots, sample];
  }

  /** Its subagents' logs are there too. */
  get #sampleFolder(): string | undefined {
    return this.#sample === undefined ? undefined : dirname(this.#sample);
  }

  /** Fires once one of Claude Code's folders that is missing has been created, or the first one named in the settings. */
  awaitMissing(): void {
    clearInterval(this.#timer);
    const missing = this.#missing();
    if (missing.length === 0) return;
    this.#timer = setInterval(() => {
      const still = this.#missing();
      if (missing.every(path => still.includes(path))) return;
      clearInterval(this.#timer);
      this.#changed.fire();
    }, LOOK_AGAIN_MS);
  }

  /** If one named in the settings exists, the engine notices the others itself. */
  #missing(): readonly string[] {
    if (this.#named.length === 0) return claudeLogFolders().filter(folder => !isFolder(folder));
    return this.exist ? [] : this.#named;
  }

  #own(): string[] {
    return this.#named.length > 0 ? [] : defaultRoots();
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#changed.dispose();
  }
}

/**
 * Where Claude Code will keep its logs once it has run. The trailing slash distinguishes a folder that does not exist
 * yet from the same folder once it does: the engine starts over when the roots differ.
 */
function expectedRoots(): string[] {
  return claudeLogFolders().map(folder => join(folder, sep));
}
