/** Turns live hints on and off in Claude Code's settings, after the user has chosen where and agreed to the change. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { type Disposable, type ExtensionContext, type LogOutputChannel, Uri, window, workspace } from "vscode";
import {
  type Change,
  canRestore,
  install,
  isChange,
  planInstall,
  planRestore,
  planUninstall,
  restore,
  uninstall,
} from "../hook/install/installer.js";
import { lineDiff } from "../hook/install/lineDiff.js";
import { copyProgram, programPath } from "../hook/install/program.js";
import type { Scope } from "../hook/install/settingsFile.js";
import { messageOf } from "../protocol/channel.js";
import { fill } from "../words/text.js";
import type { Configuration } from "./config.js";
import { isOnAt, type LiveHintsPlace, liveHintsAreOn, liveHintsPlaces } from "./liveHintsPlace.js";
import { texts } from "./strings.js";

const words = texts.liveHints;

export class LiveHints implements Disposable {
  readonly #shipped: string;
  readonly #config: Configuration;
  readonly #focus: Disposable;

  constructor({ extensionUri }: ExtensionContext, config: Configuration, log: LogOutputChannel) {
    this.#shipped = Uri.joinPath(extensionUri, "dist", "hook.js").fsPath;
    this.#config = config;
    // They can also be turned on or off on the command line.
    let wereOn = liveHintsAreOn();
    this.#focus = window.onDidChangeWindowState(({ focused }) => {
      if (!focused || liveHintsAreOn() === wereOn) return;
      wereOn = !wereOn;
      config.refresh();
    });
    // An update of the extension may bring a new program; the settings still refer to its copy.
    setImmediate(() => {
      updateProgram(this.#shipped).catch(error => log.warn(`${words.notUpdated}: ${messageOf(error)}`));
    });
  }

  dispose(): void {
    this.#focus.dispose();
  }

  async turnOn(): Promise<void> {
    await needNode();
    const target = await pick(words.whereOn, liveHintsPlaces());
    if (target === undefined) return;
    const change = planInstall(target.file, this.#config.settings.replay);
    if (!isChange(change)) return tell(words.alreadyOn, target);
    if (!(await agreed(words.askOn, words.turnOn, change, target.scope))) return;
    await install(change, this.#shipped);
    this.#config.refresh();
    tell(words.isOn, target);
  }

  async turnOff(): Promise<void> {
    const on = liveHintsPlaces().filter(place => canRestore(place.file) || isOnAt(place));
    if (on.length === 0) return void window.showInformationMessage(words.nowhereOn);
    const target = await pick(words.whereOff, on);
    if (target === undefined) return;
    if (canRestore(target.file)) return this.#bringBack(target);
    const change = planUninstall(target.file);
    if (!(await agreed(words.askOff, words.turnOff, change, target.scope))) return;
    await uninstall(change);
    this.#config.refresh();
    tell(words.isOff, target);
  }

  /** The settings file cannot be read any more, but the one from before live hints was kept. */
  async #bringBack(target: LiveHintsPlace): Promise<void> {
    const change = planRestore(target.file);
    if (!(await agreed(words.askRestore, words.restore, change, target.scope))) return;
    await restore(change);
    this.#config.refresh();
    tell(words.isRestored, target);
  }
}

async function updateProgram(shipped: string): Promise<void> {
  if (existsSync(programPath())) await copyProgram(shipped);
}

async function pick(title: string, places: readonly LiveHintsPlace[]): Promise<LiveHintsPlace | undefined> {
  const items = places.map(place => ({
    label: words.scopes[place.scope],
    description: place.problem ?? place.file,
    place,
  }));
  const picked = (await window.showQuickPick(items, { title, placeHolder: words.placeholder }))?.place;
  if (picked?.problem !== undefined) throw new Error(picked.problem);
  return picked;
}

async function agreed(question: string, yes: string, change: Change, scope: Scope): Promise<boolean> {
  const diff = lineDiff(change).map(({ sign, text }) => `${sign} ${text}`);
  const shared = scope === "project" ? [words.shared, ""] : [];
  const detail = [change.file, "", ...shared, ...diff].join("\n");
  return (await window.showInformationMessage(question, { modal: true, detail }, yes)) === yes;
}

function tell(message: string, { file }: LiveHintsPlace): void {
  void window.showInformationMessage(fill(message, { file: workspace.asRelativePath(file) }));
}

/** Claude Code runs the program with the user's Node. */
async function needNode(): Promise<void> {
  const found = await promisify(execFile)("node", ["--version"]).catch(() => undefined);
  if (found === undefined) throw new Error(words.noNode);
}
