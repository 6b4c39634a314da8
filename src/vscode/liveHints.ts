/** Turns live hints on and off in Claude Code's settings, after the user has chosen where and agreed to the change. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import {
  commands,
  type Disposable,
  type ExtensionContext,
  type LogOutputChannel,
  Uri,
  window,
  workspace,
} from "vscode";
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
import { chooseSettings, chosenSettings, copyProgram } from "../hook/install/ownCopies.js";
import { programPath } from "../hook/install/program.js";
import type { Scope } from "../hook/install/settingsFile.js";
import { runningTrial, withoutTrial, withTrial } from "../hook/install/trials.js";
import { messageOf } from "../protocol/channel.js";
import type { SessionItem } from "../protocol/messages.js";
import { NO_CHOICES, withConfiguration } from "../settings/liveSettings.js";
import { percent } from "../words/numbers.js";
import { strings } from "../words/strings.js";
import { counted, fill, tokensText } from "../words/text.js";
import { ChangePreview } from "./changePreview.js";
import type { Configuration } from "./config.js";
import type { EngineHost } from "./engineHost.js";
import { CONTEXT_KEYS } from "./ids.js";
import { isOnAt, type LiveHintsPlace, liveHintsPlaces, liveHintsState } from "./liveHintsPlace.js";
import { texts } from "./strings.js";

const words = texts.liveHints;

export class LiveHints implements Disposable {
  readonly #shipped: string;
  readonly #config: Configuration;
  readonly #engine: EngineHost;
  readonly #preview = new ChangePreview();
  readonly #parts: readonly Disposable[];

  constructor({ extensionUri }: ExtensionContext, config: Configuration, engine: EngineHost, log: LogOutputChannel) {
    this.#engine = engine;
    this.#shipped = Uri.joinPath(extensionUri, "dist", "hook.js").fsPath;
    this.#config = config;
    // They can also be turned on or off on the command line.
    let known = liveHintsState();
    const focus = window.onDidChangeWindowState(({ focused }) => {
      const now = liveHintsState();
      if (!focused || now === known) return;
      known = now;
      config.refresh();
    });
    const warn = (error: unknown) => log.warn(`${words.notUpdated}: ${messageOf(error)}`);
    const change = config.onDidChange(() => void this.#handOn().catch(warn));
    this.#parts = [focus, change, this.#preview, config.onDidChange(tellVsCode)];
    tellVsCode();
    // An update of the extension may bring a new program; the settings still refer to its copy.
    setImmediate(() => {
      updateProgram(this.#shipped)
        .then(() => this.#handOn())
        .catch(warn);
    });
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }

  /** Changed settings reach live hints that are on. */
  async #handOn(): Promise<void> {
    const chosen = chosenSettings();
    if (chosen !== undefined) await chooseSettings(withConfiguration(chosen, this.#config.forLiveHints));
  }

  async turnOn(): Promise<void> {
    await needNode();
    const target = await pick(words.whereOn, liveHintsPlaces());
    if (target === undefined) return;
    const change = planInstall(target.file);
    // Nobody need answer it.
    const fail = (error: unknown) => void window.showErrorMessage(messageOf(error));
    if (!isChange(change)) return void this.#offerTrial(target).catch(fail);
    const about = [...(await this.#saving()), words.aboutTrial];
    const answer = await this.#answerTo(words.askOn, [words.turnOn, words.turnOnAsTrial], change, target.scope, about);
    if (answer === undefined) return;
    const isTrial = answer === words.turnOnAsTrial;
    const settings = withConfiguration(chosenSettings() ?? NO_CHOICES, this.#config.forLiveHints);
    await install(change, this.#shipped, isTrial ? withTrial(settings, projectOf(target)) : withoutTrial(settings));
    this.#config.refresh();
    tell(isTrial ? words.isTrial : words.isOn, target);
  }

  /** They are on: a trial can begin or end without a change to Claude Code's settings. */
  async #offerTrial(target: LiveHintsPlace): Promise<void> {
    const isOver = runningTrial(chosenSettings() ?? NO_CHOICES) === undefined;
    const offer = isOver ? words.startTrial : words.endTrial;
    if ((await window.showInformationMessage(inFile(words.alreadyOn, target), offer)) !== offer) return;
    const settings = withConfiguration(chosenSettings() ?? NO_CHOICES, this.#config.forLiveHints);
    await chooseSettings(isOver ? withTrial(settings, projectOf(target)) : withoutTrial(settings));
    tell(isOver ? words.isTrial : words.trialEnded, target);
  }

  async turnOff(): Promise<void> {
    const on = placesToTurnOff();
    if (on.length === 0) return void window.showInformationMessage(words.nowhereOn);
    const target = await pick(words.whereOff, on);
    if (target === undefined) return;
    if (canRestore(target.file)) return this.#bringBack(target);
    const change = planUninstall(target.file);
    if ((await this.#answerTo(words.askOff, [words.turnOff], change, target.scope)) === undefined) return;
    await uninstall(change);
    this.#config.refresh();
    tell(words.isOff, target);
  }

  /** Asks in plain words; the exact change is one click away, and the question comes again beside it. */
  async #answerTo(
    question: string,
    answers: readonly string[],
    change: Change,
    scope: Scope,
    about: readonly string[] = [],
  ): Promise<string | undefined> {
    const shared = scope === "project" ? [words.shared] : [];
    const detail = [...about, ...shared, fill(words.changes, { file: change.file })].join("\n\n");
    const answer = await window.showInformationMessage(question, { modal: true, detail }, ...answers, words.showChange);
    if (answer !== words.showChange) return answer;
    await this.#preview.show(change);
    // A notification would be gone before the change is read.
    const stays = { title: question, ignoreFocusOut: true };
    const picked = await window.showQuickPick([...answers, words.notNow], stays);
    return picked === words.notNow ? undefined : picked;
  }

  /** What live hints do, and what they would have saved on the user's own sessions. */
  async #saving(): Promise<string[]> {
    const all = await this.#engine.ask({ method: "sessions" }).catch(() => []);
    const sessions = all.filter(item => !item.sample);
    const sum = (of: (item: SessionItem) => number) => sessions.reduce((total, item) => total + of(item), 0);
    const [saved, tokens] = [sum(item => item.savedTokens), sum(item => item.tokens)];
    if (saved === 0) return [words.whatTheyDo];
    const figures = {
      saved: tokensText(saved),
      share: percent(saved, tokens),
      sessions: counted(strings.counts.sessions, sessions.length),
    };
    return [words.whatTheyDo, fill(words.wouldHaveSaved, figures)];
  }

  /** The settings file cannot be read any more, but the one from before live hints was kept. */
  async #bringBack(target: LiveHintsPlace): Promise<void> {
    const change = planRestore(target.file);
    if ((await this.#answerTo(words.askRestore, [words.restore], change, target.scope)) === undefined) return;
    await restore(change);
    this.#config.refresh();
    tell(words.isRestored, target);
  }
}

/** The folder of the project that the settings are for; undefined for the user's own settings. */
function projectOf({ scope }: LiveHintsPlace): string | undefined {
  const project = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
  return scope === "user" ? undefined : project?.uri.fsPath;
}

/** Where they are on, or where they were on before the file was broken. */
function placesToTurnOff(): LiveHintsPlace[] {
  return liveHintsPlaces().filter(place => canRestore(place.file) || isOnAt(place));
}

/** Only commands that apply are offered. */
function tellVsCode(): void {
  void commands.executeCommand("setContext", CONTEXT_KEYS.liveHintsOn, liveHintsState() !== "off");
  void commands.executeCommand("setContext", CONTEXT_KEYS.canTurnLiveHintsOff, placesToTurnOff().length > 0);
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

function tell(message: string, place: LiveHintsPlace): void {
  void window.showInformationMessage(inFile(message, place));
}

function inFile(message: string, { file }: LiveHintsPlace): string {
  return fill(message, { file: workspace.asRelativePath(file) });
}

/** Claude Code runs the program with the user's Node. */
async function needNode(): Promise<void> {
  const found = await promisify(execFile)("node", ["--version"]).catch(() => undefined);
  if (found === undefined) throw new Error(words.noNode);
}
